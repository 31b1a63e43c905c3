// Ghost, versions 1 to 6: one JSON file, with the folder `content` or without. It is read twice:
// first people, tags and what posts name by their ids, then the posts.

import { convertHtml } from './convert-html.ts'
import { type DiskMap, makeDiskMap } from './disk-map.ts'
import { readBeginning } from './file-tree.ts'
import { lexicalToHtml, mobiledocToHtml } from './ghost-cards.ts'
import { markdownToHtml } from './markdown-html.ts'
import { type JsonRow, readJsonRows } from './read-json-rows.ts'
import {
  type FileTree,
  type ImportSink,
  type ReadOptions,
  type Source,
  type SourcePost,
  SourceProblem,
} from './source.ts'
import { distinct, emptyPost, lineOf, toIsoDate } from './source-values.ts'

type Row = Record<string, unknown>

const BEGINNING_BYTES = 8192
const MARK =
  /"exported_on"\s*:|"db"\s*:\s*\[\s*\{\s*"(?:meta|data)"|"data"\s*:\s*\{\s*"(?:posts|users|tags|settings|migrations)"\s*:\s*\[/
const GHOST_URL = '__GHOST_URL__'
const CONTENT_MAX_CHARS = 4_000_000
/** Longer Markdown may take too long, and Ghost stores its HTML, too. */
const MARKDOWN_MAX_CHARS = 20_000
const POSITION_DIGITS = 6

export const ghost: Source = {
  kind: 'ghost',
  recognise: async (tree) => (await findFile(tree)) !== undefined,
  read,
}

async function findFile(tree: FileTree) {
  for await (const file of tree.list()) {
    if (!/\.json$/i.test(file.path)) continue
    const beginning = await readBeginning(tree, file.path, BEGINNING_BYTES)
    if (MARK.test(beginning.toString('utf8'))) return file
  }
  return undefined
}

type Library = {
  url: string
  /** Ids of people whose address is known. */
  people: Set<string>
  tags: DiskMap<string>
  /** By the id of the post and the position. */
  postTags: DiskMap<string>
  postAuthors: DiskMap<string>
  meta: DiskMap<Row>
}

async function read(tree: FileTree, sink: ImportSink, options: ReadOptions): Promise<void> {
  const file = await findFile(tree)
  if (!file) throw new SourceProblem('There is no export of Ghost.')
  using tags = makeDiskMap<string>()
  using postTags = makeDiskMap<string>()
  using postAuthors = makeDiskMap<string>()
  using meta = makeDiskMap<Row>()
  const url = options.oldAddress
  const library: Library = { url, people: new Set(), tags, postTags, postAuthors, meta }
  let done = 0
  const rows = () =>
    readJsonRows(tree, file.path, (bytes) => {
      options.signal.throwIfAborted()
      done += bytes
      sink.progress(done, 2 * file.sizeBytes)
    })
  await readLibrary(library, rows(), sink)
  for await (const { table, row } of rows()) if (table === 'posts') readPost(library, row, sink)
}

async function readLibrary(library: Library, rows: AsyncIterable<JsonRow>, sink: ImportSink) {
  const site = { program: 'Ghost', name: '', description: '', url: library.url }
  let members = 0
  for await (const { table, row } of rows) {
    const id = lineOf(row.id)
    const order = () =>
      `${row.post_id}/${String(row.sort_order ?? 0).padStart(POSITION_DIGITS, '0')}/${id}`
    if (table === 'meta') site.program = `Ghost ${lineOf(row.version)}`.trim()
    else if (table === 'settings') {
      if (row.key === 'title') site.name = lineOf(row.value)
      if (row.key === 'description') site.description = lineOf(row.value)
    } else if (table === 'users') {
      if (library.people.has(id)) continue
      library.people.add(id)
      sink.person({ key: id, name: lineOf(row.name), email: lineOf(row.email) })
    } else if (table === 'tags') library.tags.add(id, lineOf(row.name))
    else if (table === 'posts_tags') library.postTags.add(order(), lineOf(row.tag_id))
    else if (table === 'posts_authors') library.postAuthors.add(order(), lineOf(row.author_id))
    else if (table === 'posts_meta') library.meta.add(lineOf(row.post_id), row)
    else if (table === 'members' || table === 'subscribers') members++
  }
  sink.site(site)
  if (members === 0) return
  const detail = String(members)
  sink.leaveOut({ what: 'person', name: 'members', reason: 'unsupported', post: '', detail })
}

function readPost(library: Library, row: Row, sink: ImportSink): void {
  const post = emptyPost(lineOf(row.id))
  post.title = lineOf(row.title)
  post.kind = row.type === 'page' || row.page === 1 || row.page === true ? 'page' : 'post'
  const name = post.title || lineOf(row.slug) || post.key
  const leaveOut = (reason: 'tooLong' | 'unreadable', detail: string) =>
    sink.leaveOut({ what: post.kind, name, reason, post: '', detail })
  const leaveOutCard = (card: string) =>
    sink.leaveOut({ what: 'part', name: card, reason: 'unsupported', post: name, detail: '' })
  if (isTooLong(row)) return void leaveOut('tooLong', '')
  try {
    post.html = convertHtml(htmlOf(row, leaveOutCard).replaceAll(GHOST_URL, library.url))
  } catch (error) {
    if (!(error instanceof SourceProblem || error instanceof RangeError)) throw error
    return void leaveOut('unreadable', error instanceof SourceProblem ? error.message : '')
  }
  fillPost(library, post, row)
  if (lineOf(row.codeinjection_head) || lineOf(row.codeinjection_foot))
    leaveOutCard('codeinjection')
  sink.post(post)
}

const TEXTS = ['html', 'lexical', 'mobiledoc', 'markdown']

function isTooLong(row: Row): boolean {
  return TEXTS.some((key) => typeof row[key] === 'string' && row[key].length > CONTENT_MAX_CHARS)
}

/** Ghost stores its nodes or cards, and the HTML that it made of them. */
function htmlOf(row: Row, leaveOut: (card: string) => void): string {
  const [html, lexical, mobiledoc, markdown] = TEXTS.map((key) =>
    typeof row[key] === 'string' ? row[key] : '',
  )
  if (html) return html
  if (lexical) return lexicalToHtml(lexical, leaveOut)
  if (mobiledoc) return mobiledocToHtml(mobiledoc, leaveOut)
  if (markdown && markdown.length > MARKDOWN_MAX_CHARS) throw new SourceProblem('It has no HTML.')
  return markdown ? markdownToHtml(markdown) : ''
}

function fillPost(library: Library, post: SourcePost, row: Row): void {
  const meta = library.meta.get(post.key) ?? {}
  const text = (key: string) => lineOf(row[key]) || lineOf(meta[key])
  const slug = text('slug')
  post.status = statusOf(text('status'), text('visibility'))
  post.publishedAt = post.status === 'draft' ? '' : toIsoDate(text('published_at'))
  post.createdAt = toIsoDate(text('created_at'))
  post.updatedAt = toIsoDate(text('updated_at'))
  const authors = [...library.postAuthors.entries(`${post.key}/`)].map(([, id]) => id)
  post.authors = distinct(authors.length > 0 ? authors : [text('author_id')]).filter((id) =>
    library.people.has(id),
  )
  const tags = [...library.postTags.entries(`${post.key}/`)].map(
    ([, id]) => library.tags.get(id) ?? '',
  )
  // Tags for the site itself begin with a number sign.
  post.tags = distinct(tags.filter((tag) => !tag.startsWith('#')))
  post.excerpt = text('custom_excerpt')
  const cover = text('feature_image').replace(GHOST_URL, library.url)
  const caption = lineOf(text('feature_image_caption').replace(/<[^<>]*>/g, ''))
  if (cover !== '') post.cover = { url: cover, alt: text('feature_image_alt'), caption }
  post.url = library.url === '' ? '' : (URL.parse(`/${slug}/`, library.url)?.href ?? '')
  post.addressWords = /^untitled(?:-\d+)?$/.test(slug) ? '' : slug
  const isRead = post.status !== 'draft' && slug !== ''
  post.addresses = distinct([isRead ? `/${slug}/` : '', text('uuid') && `/p/${text('uuid')}/`])
  post.metaTitle = text('meta_title')
  post.metaDescription = text('meta_description')
  post.canonicalUrl = text('canonical_url').replace(GHOST_URL, library.url)
}

/** A post for members, or one that was only mailed, is not for everybody. */
function statusOf(status: string, visibility: string): SourcePost['status'] {
  if (status === 'scheduled') return 'scheduled'
  if (status === 'sent') return 'private'
  if (status !== 'published') return 'draft'
  return visibility === '' || visibility === 'public' ? 'published' : 'private'
}
