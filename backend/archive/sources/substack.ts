// Substack: the zip of an export, or its folder. `posts.csv` lists the posts, and each has a file
// of HTML.
import { pipeline } from 'node:stream'
import { parse } from 'csv-parse'
import { convertDocument, lineOfHtml, writeText } from './convert-html.ts'
import { makeDiskMap } from './disk-map.ts'
import { findMarked, openFile, readText } from './file-tree.ts'
import { Element, elementsIn, hasClass, type ParentNode, parseHtml, Text } from './html-nodes.ts'
import {
  type FileTree,
  type ImportSink,
  type ReadOptions,
  type Source,
  type SourcePost,
  SourceProblem,
} from './source.ts'
import {
  decodeAddress,
  emptyPost,
  lineOf,
  listOf,
  parseJson,
  toIsoDate,
  type Values,
  valuesOf,
} from './source-values.ts'

type Row = Record<string, string>

const LIST_FILE = /(?:^|\/)[^/]*posts[^/]*\.csv$/i
const HEAD = /^(?:\xef\xbb\xbf)?"?post_id"?,(?:[^\n]*,)?"?title"?,/
const FILE_MAX_BYTES = 8_000_000
const ROW_MAX_CHARS = 100_000
const POST_FILE = /(?:^|\/)posts\/[^/]+\.html$/i
const FORMS =
  /^(?:subscription-widget(?:-wrap)?(?:-editor)?|subscribe-widget|button-wrapper|captioned-button-wrap|install-substack-app-embed|paywall-jump|poll-embed|community-chat|directMessage|cashtag-wrap|image-link-expand)$/
/** Objects that the page of Substack fills: their values name what they show. */
const OBJECTS =
  /^(?:tweet|embedded-post-wrap|digest-post-embed|instagram|tiktok-wrap|comment|apple-podcast-container|file-embed-wrapper|embedded-publication-wrap)$/

export const substack: Source = {
  kind: 'substack',
  recognise: async (tree) => (await findList(tree)) !== undefined,
  read,
}

async function findList(tree: FileTree): Promise<string | undefined> {
  for await (const { path } of findMarked(tree, LIST_FILE, HEAD)) return path
  return undefined
}

async function read(tree: FileTree, sink: ImportSink, options: ReadOptions): Promise<void> {
  const listPath = await findList(tree)
  if (listPath === undefined) throw new SourceProblem('There is no list of posts of Substack.')
  using files = makeDiskMap<number>()
  using read = makeDiskMap<boolean>()
  for await (const { path, sizeBytes } of tree.list()) files.add(path, sizeBytes)
  sink.site({ program: 'Substack', name: '', description: '', url: options.oldAddress })
  const folder = listPath.slice(0, listPath.lastIndexOf('/') + 1)
  let done = 0
  for await (const row of readRows(tree, listPath)) {
    options.signal.throwIfAborted()
    sink.progress(Math.min(++done, files.size), files.size)
    const path = `${folder}posts/${lineOf(row.post_id)}.html`
    read.add(path, true)
    const sizeBytes = files.get(path)
    const name = lineOfHtml(row.title ?? '') || path
    if (sizeBytes !== undefined && sizeBytes > FILE_MAX_BYTES)
      sink.leaveOut({ what: 'post', name, reason: 'tooLong' })
    else {
      const html = sizeBytes === undefined ? '' : await readText(tree, path, FILE_MAX_BYTES)
      const post = emptyPost('')
      fillPost(post, row, options.oldAddress)
      if (writeText(sink, post, name, () => convertText(html, row))) sink.post(post)
    }
  }
  for (const [path] of files.entries()) {
    if (read.get(path) || path === listPath || /\.(?:jpe?g|png|gif|webp|mp3)$/i.test(path)) continue
    // The addresses of subscribers, and who opened which mail.
    const what = POST_FILE.test(path) ? 'post' : 'file'
    sink.leaveOut({ what, name: path, reason: 'notAPost' })
  }
}

async function* readRows(tree: FileTree, path: string): AsyncGenerator<Row> {
  const options = { relax_quotes: true, relax_column_count: true, skip_empty_lines: true }
  const rows = parse({ ...options, bom: true, columns: true, max_record_size: ROW_MAX_CHARS })
  try {
    // The loop throws what fails in the stream.
    yield* pipeline(await openFile(tree, path), rows, () => {}) as AsyncIterable<Row>
  } catch (cause) {
    if (cause instanceof SourceProblem) throw cause
    const { message, lines = 0 } = cause as Error & { lines?: number }
    throw new SourceProblem(`${path} is damaged: ${message}`, lines, { cause })
  }
}

function convertText(html: string, row: Row): string {
  const podcast = lineOf(row.podcast_url).replaceAll('"', '%22')
  const player = podcast && `<audio src="${podcast}"></audio>`
  const document = parseHtml(player + html)
  prepareText(document)
  return convertDocument(document, { dropped: FORMS })
}

function fillPost(post: SourcePost, row: Row, oldAddress: string): void {
  const [number = '', ...words] = lineOf(row.post_id).split('.')
  const slug = words.join('.')
  const date = toIsoDate(row.post_date ?? '')
  const isPublished = /^(?:true|1)$/i.test(lineOf(row.is_published))
  const isForAll = /^(?:everyone|)$/.test(lineOf(row.audience))
  post.key = number
  post.title = lineOfHtml(row.title ?? '')
  post.kind = lineOf(row.type) === 'page' ? 'page' : 'post'
  post.status = !isPublished ? 'draft' : isForAll ? 'published' : 'private'
  post.publishedAt = isPublished ? date : ''
  post.createdAt = date
  post.excerpt = lineOfHtml(row.subtitle ?? '')
  post.addressWords = slug
  post.addresses = isPublished && slug !== '' ? [`/p/${slug}`] : []
  post.url = slug === '' ? '' : (URL.parse(`/p/${slug}`, oldAddress || undefined)?.href ?? '')
}

function prepareText(document: ParentNode): void {
  for (const element of elementsIn(document)) {
    const values = valuesOf(parseJson(element.attribs['data-attrs'] ?? ''))
    if (element.name === 'img') element.attribs.src = lineOf(values.src) || originalOf(element)
    else if (element.name === 'a' && hasClass(element, /^image-link$/)) delete element.attribs.href
    else if (hasClass(element, /^image-gallery-embed$/)) fillGallery(element, values)
    else if (hasClass(element, OBJECTS)) {
      const address = lineOf(values.url) || lineOf(values.canonical_url)
      if (address === '') continue
      element.name = 'p'
      const title = lineOf(values.title)
      const text = new Text(title || address)
      element.children = title ? [new Element('a', { href: address }, [text])] : [text]
    }
  }
}

/** Behind the address that makes it smaller. */
function originalOf({ attribs }: Element): string {
  const address = attribs.src ?? ''
  const encoded =
    /^https:\/\/(?:substackcdn|cdn\.substack)\.com\/image\/fetch\/.*\/(https?%3A%2F%2F[^/]+)$/.exec(
      address,
    )?.[1]
  return encoded === undefined ? address : decodeAddress(encoded)
}

function fillGallery(element: Element, { gallery }: Values): void {
  const { images, caption } = valuesOf(gallery)
  element.children = listOf(images).map((image) => {
    const { src, alt } = valuesOf(image)
    return new Element('img', { src: lineOf(src), alt: lineOf(alt) })
  })
  const words = lineOf(caption)
  if (words !== '') element.children.push(new Element('figcaption', {}, [new Text(words)]))
  for (const child of element.children) child.parent = element
}
