// Substack: the zip of an export, or its folder. `posts.csv` lists the posts, and each has a file
// of HTML.
import { pipeline } from 'node:stream'
import { parse } from 'csv-parse'
import { convertDocument, lineOfHtml, writeText } from './convert-html.ts'
import { type DiskMap, makeDiskMap } from './disk-map.ts'
import { findMarked, openFile, readText } from './file-tree.ts'
import {
  Element,
  elementsIn,
  findByClass,
  findByName,
  hasClass,
  type ParentNode,
  parseHtml,
  Text,
  textIn,
} from './html-nodes.ts'
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
  lineAt,
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
  /^(?:subscription-widget(?:-wrap)?(?:-editor)?|subscribe-widget|button-wrapper|captioned-button-wrap|install-substack-app-embed|paywall-jump|poll-embed|native-(?:video|audio)-embed|community-chat|directMessage|cashtag-wrap|image-link-expand|header-anchor-parent|hide-text)$/
/** Parts of a post that are not in the export. */
const MISSING = /^(?:poll-embed|native-video-embed|native-audio-embed|community-chat)$/
/** Of buttons that only Substack can follow. */
const OWN_BUTTON = /%%|substack\.com|\/subscribe|\/comments|action=share/
/** Objects that the page of Substack fills: their values name what they show. */
const OBJECTS =
  /^(?:tweet|embedded-post-wrap|digest-post-embed|instagram(?:-embed-wrap)?|tiktok-wrap|comment|apple-podcast-container|file-embed-wrapper|embedded-publication-wrap)$/

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
  const url = options.oldAddress || addressOf(files)
  sink.site({ program: 'Substack', name: '', description: '', url })
  const folder = listPath.slice(0, listPath.lastIndexOf('/') + 1)
  let done = 0
  for await (const row of readRows(tree, listPath)) {
    options.signal.throwIfAborted()
    sink.progress(Math.min(++done, files.size), files.size)
    const path = `${folder}posts/${lineOf(row.post_id)}.html`
    read.add(path, true)
    const sizeBytes = files.get(path)
    const name = lineOfHtml(row.title ?? '') || path
    const isEmpty = sizeBytes === undefined && !row.title && !row.podcast_url
    if (isEmpty || (sizeBytes !== undefined && sizeBytes > FILE_MAX_BYTES))
      sink.leaveOut({ what: 'post', name, reason: isEmpty ? 'notAPost' : 'tooLong' })
    else {
      if (sizeBytes === undefined && !row.podcast_url)
        sink.leaveOut({ what: 'part', name: path, reason: 'unreadable', post: name })
      const html = sizeBytes === undefined ? '' : await readText(tree, path, FILE_MAX_BYTES)
      const post = emptyPost('')
      fillPost(post, row, url)
      const leaveOut = (part: string) =>
        sink.leaveOut({ what: 'part', name: part, reason: 'unsupported', post: name })
      if (writeText(sink, post, name, () => convertText(html, row, leaveOut))) sink.post(post)
    }
  }
  for (const [path] of files.entries()) {
    if (read.get(path) || path === listPath || /\.(?:jpe?g|png|gif|webp|mp3)$/i.test(path)) continue
    // The addresses of subscribers, and who opened which mail.
    const what = POST_FILE.test(path) ? 'post' : 'file'
    sink.leaveOut({ what, name: path, reason: 'notAPost' })
  }
}

/** The list of subscribers is named after the site. */
function addressOf(files: DiskMap<number>): string {
  for (const [path] of files.entries()) {
    const [, name] = /(?:^|\/)email_list\.([\w-]+)\.csv$/.exec(path) ?? []
    if (name !== undefined) return `https://${name}.substack.com`
  }
  return ''
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

function convertText(html: string, row: Row, leaveOut: (part: string) => void): string {
  const podcast = lineOf(row.podcast_url).replaceAll('"', '%22')
  const player = podcast && `<audio src="${podcast}"></audio>`
  const document = parseHtml(player + html)
  prepareText(document, leaveOut)
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

function prepareText(document: ParentNode, leaveOut: (part: string) => void): void {
  for (const element of elementsIn(document)) {
    const values = valuesOf(parseJson(element.attribs['data-attrs'] ?? ''))
    if (element.name === 'img') element.attribs.src = lineOf(values.src) || originalOf(element)
    else if (element.name === 'a' && hasClass(element, /^image-link$/)) delete element.attribs.href
    else if (hasClass(element, /^image-gallery-embed$/)) fillGallery(element, values)
    else if (hasClass(element, MISSING)) leaveOut(element.attribs.class ?? '')
    else if (element.name === 'iframe' && values.url) element.attribs.src = lineOf(values.url)
    else if (hasClass(element, /^mention-wrap$/)) element.children = [new Text(lineOf(values.name))]
    else if (hasClass(element, /^latex-rendered$/)) {
      element.name = 'pre'
      element.children = [new Text(String(values.persistentExpression ?? ''))]
    } else if (hasClass(element, /^button-wrapper$/) && isForeign(values.url)) {
      element.attribs = {}
    } else if (hasClass(element, OBJECTS)) {
      const address = addressIn(element, values)
      if (address === '') continue
      element.name = 'p'
      const label = findByClass(element, /^file-embed-details-h1$/)
      const title =
        lineAt(values, 'title', 'full_text') ||
        lineOf(valuesOf(values.comment).body) ||
        lineOf(label && textIn(label))
      const text = new Text(title || address)
      element.children = title ? [new Element('a', { href: address }, [text])] : [text]
    }
  }
}

function isForeign(address: unknown): boolean {
  return /^https?:/.test(lineOf(address)) && !OWN_BUTTON.test(lineOf(address))
}

function addressIn(element: Element, values: Values): string {
  const named = lineAt(values, 'url', 'canonical_url')
  const id = lineOf(values.instagram_id)
  if (named === '' && id !== '') return `https://www.instagram.com/p/${id}/`
  return named || (findByName(element, 'a')?.attribs.href ?? '')
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
