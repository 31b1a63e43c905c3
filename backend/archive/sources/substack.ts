// Substack: the zip of an export, or its folder. `posts.csv` lists the posts, and each has a file
// of HTML.
import { parse } from 'csv-parse'
import { convertHtml } from './convert-html.ts'
import { type DiskMap, makeDiskMap } from './disk-map.ts'
import { readBeginning } from './file-tree.ts'
import { Element, elementsIn, hasClass, type ParentNode, Text } from './html-nodes.ts'
import { readText } from './read-texts.ts'
import {
  type FileTree,
  type ImportSink,
  type ReadOptions,
  type Source,
  type SourcePost,
  SourceProblem,
} from './source.ts'
import { distinct, emptyPost, lineOf, lineOfHtml, toIsoDate } from './source-values.ts'

const LIST_FILE = /(?:^|\/)[^/]*posts[^/]*\.csv$/i
const HEAD = /^\ufeff?"?post_id"?,(?:[^\n]*,)?"?title"?,/
const BEGINNING_BYTES = 1024
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
  for await (const { path } of tree.list()) {
    if (!LIST_FILE.test(path)) continue
    const beginning = await readBeginning(tree, path, BEGINNING_BYTES)
    if (HEAD.test(beginning.toString('utf8'))) return path
  }
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
    const id = lineOf(row.post_id)
    const path = `${folder}posts/${id}.html`
    read.add(path, true)
    sink.progress(Math.min(++done, files.size), files.size)
    await readPost(tree, { path, sizeBytes: files.get(path) }, row, sink, options)
  }
  leaveOutOthers(files, read, listPath, sink)
}

async function* readRows(tree: FileTree, path: string): AsyncGenerator<Record<string, string>> {
  const stream = await tree.open(path)
  if (!stream) return
  const rows = stream.pipe(
    parse({
      bom: true,
      columns: true,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: ROW_MAX_CHARS,
    }),
  )
  stream.on('error', (error) => rows.destroy(error))
  try {
    for await (const row of rows) yield row as Record<string, string>
  } catch (cause) {
    if (cause instanceof SourceProblem) throw cause
    const { message, lines = 0 } = cause as Error & { lines?: number }
    throw new SourceProblem(`${path} is damaged: ${message}`, lines, { cause })
  }
}

async function readPost(
  tree: FileTree,
  { path, sizeBytes }: { path: string; sizeBytes: number | undefined },
  row: Record<string, string>,
  sink: ImportSink,
  { oldAddress }: ReadOptions,
): Promise<void> {
  const id = lineOf(row.post_id)
  const [number = id, ...words] = id.split('.')
  const post = emptyPost(number)
  post.title = lineOfHtml(row.title ?? '')
  const leaveOut = (reason: 'tooLong' | 'unreadable', detail: string) =>
    sink.leaveOut({ what: 'post', name: post.title || id, reason, post: '', detail })
  if ((sizeBytes ?? 0) > FILE_MAX_BYTES) return void leaveOut('tooLong', '')
  const html = sizeBytes === undefined ? '' : await readText(tree, path, FILE_MAX_BYTES)
  const podcast = lineOf(row.podcast_url)
  try {
    const player = podcast && `<audio src="${podcast.replaceAll('"', '%22')}"></audio>`
    post.html = convertHtml(player + html, { dropped: FORMS, prepare: prepareText })
  } catch (error) {
    if (!(error instanceof SourceProblem)) throw error
    return void leaveOut('unreadable', error.message)
  }
  fillPost(post, row, words.join('.'), oldAddress)
  sink.post(post)
}

function fillPost(
  post: SourcePost,
  row: Record<string, string>,
  slug: string,
  oldAddress: string,
): void {
  const date = toIsoDate(row.post_date ?? '')
  const isPublished = /^(?:true|1)$/i.test(lineOf(row.is_published))
  const isForAll = /^(?:everyone|)$/.test(lineOf(row.audience))
  post.kind = lineOf(row.type) === 'page' ? 'page' : 'post'
  post.status = !isPublished ? 'draft' : isForAll ? 'published' : 'private'
  post.publishedAt = isPublished ? date : ''
  post.createdAt = date
  post.excerpt = lineOfHtml(row.subtitle ?? '')
  post.addressWords = slug
  post.addresses = isPublished && slug !== '' ? distinct([`/p/${slug}`]) : []
  post.url = slug === '' ? '' : (URL.parse(`/p/${slug}`, oldAddress || undefined)?.href ?? '')
}

function leaveOutOthers(
  files: DiskMap<number>,
  read: DiskMap<boolean>,
  listPath: string,
  sink: ImportSink,
): void {
  for (const [path] of files.entries()) {
    if (read.get(path) || path === listPath || /\.(?:jpe?g|png|gif|webp|mp3)$/i.test(path)) continue
    // The addresses of subscribers, and who opened which mail.
    const what = POST_FILE.test(path) ? 'post' : 'file'
    sink.leaveOut({ what, name: path, reason: 'notAPost', post: '', detail: '' })
  }
}

function prepareText(document: ParentNode): void {
  for (const element of elementsIn(document)) {
    const values = valuesOf(element)
    if (element.name === 'img') element.attribs.src = lineOf(values.src) || originalOf(element)
    else if (element.name === 'a' && hasClass(element, /^image-link$/)) delete element.attribs.href
    else if (hasClass(element, /^image-gallery-embed$/)) fillGallery(element, values)
    else if (hasClass(element, /^pullquote$/)) element.name = 'blockquote'
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

function valuesOf(element: Element): Record<string, unknown> {
  try {
    const values: unknown = JSON.parse(element.attribs['data-attrs'] ?? '{}')
    return typeof values === 'object' && values !== null ? (values as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Behind the address that makes it smaller. */
function originalOf({ attribs }: Element): string {
  const address = attribs.src ?? ''
  const encoded =
    /^https:\/\/(?:substackcdn|cdn\.substack)\.com\/image\/fetch\/.*\/(https?%3A%2F%2F[^/]+)$/.exec(
      address,
    )?.[1]
  try {
    return encoded === undefined ? address : decodeURIComponent(encoded)
  } catch {
    return address
  }
}

function fillGallery(element: Element, { gallery }: Record<string, unknown>): void {
  const { images, caption } = (gallery ?? {}) as { images?: unknown; caption?: unknown }
  if (!Array.isArray(images)) return
  element.children = images.map((image: { src?: unknown; alt?: unknown }) => {
    const attributes = { src: lineOf(image?.src), alt: lineOf(image?.alt) }
    return new Element('img', attributes)
  })
  const words = lineOf(caption)
  if (words !== '') element.children.push(new Element('figcaption', {}, [new Text(words)]))
  for (const child of element.children) child.parent = element
}
