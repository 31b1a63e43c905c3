// Ghost, versions 1 to 6: one JSON file, with the folder `content` or without. It is read twice:
// first people, tags and what posts name by their ids, then the posts.
import { convertHtml, lineOfHtml, writeText } from './convert-html.ts'
import { type DiskMap, makeDiskMap } from './disk-map.ts'
import { findMarked } from './file-tree.ts'
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
import { dateAt, distinct, emptyPost, lineOf, textOf, type Values } from './source-values.ts'

const MARK =
  /"exported_on"\s*:|"db"\s*:\s*\[\s*\{\s*"(?:meta|data)"|"data"\s*:\s*\{\s*"(?:posts|users|tags|settings|migrations)"\s*:\s*\[/
/** What the page of Ghost fills, or uses to play. */
const CONTROLS =
  /^kg-(?:audio-(?:player|thumbnail|current-time|time)|video-(?:overlay|player)|signup-card|file-card-(?:icon|metadata)|product-card-rating|toggle-card-icon)$/
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
  for await (const file of findMarked(tree, /\.json$/i, MARK)) return file
  return undefined
}

type Library = {
  url: string
  /** Rows that posts name, such as `users/1`, `posts_meta/POST` and `posts_tags/POST/000001/2`. */
  rows: DiskMap<Values>
}

async function read(tree: FileTree, sink: ImportSink, options: ReadOptions): Promise<void> {
  const file = await findFile(tree)
  if (!file) throw new SourceProblem('There is no export of Ghost.')
  using stored = makeDiskMap<Values>()
  const library = { url: options.oldAddress, rows: stored }
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

async function readLibrary({ url, rows }: Library, all: AsyncIterable<JsonRow>, sink: ImportSink) {
  const site = { program: 'Ghost', name: '', description: '', url }
  let members = 0
  for await (const { table, row } of all) {
    const id = lineOf(row.id)
    if (table === 'meta') site.program = `Ghost ${lineOf(row.version)}`.trim()
    else if (table === 'settings' && (row.key === 'title' || row.key === 'description'))
      site[row.key === 'title' ? 'name' : 'description'] = lineOf(row.value)
    else if (table === 'members' || table === 'subscribers') members++
    else if (table === 'users')
      sink.person({ key: id, name: lineOf(row.name), email: lineOf(row.email) })
    if (table === 'users' || table === 'tags') rows.add(`${table}/${id}`, row)
    else if (table === 'posts_meta') rows.add(`${table}/${row.post_id}`, row)
    else if (table === 'posts_tags' || table === 'posts_authors') {
      const position = String(row.sort_order ?? 0).padStart(POSITION_DIGITS, '0')
      rows.add(`${table}/${row.post_id}/${position}/${id}`, row)
    }
  }
  sink.site(site)
  if (members === 0) return
  const detail = String(members)
  sink.leaveOut({ what: 'person', name: 'members', reason: 'unsupported', detail })
}

function readPost(library: Library, row: Values, sink: ImportSink): void {
  const post = emptyPost(lineOf(row.id))
  post.title = lineOf(row.title)
  post.kind = row.type === 'page' || row.page === 1 || row.page === true ? 'page' : 'post'
  const name = post.title || lineOf(row.slug) || post.key
  const leaveOutCard = (card: string) =>
    sink.leaveOut({ what: 'part', name: card, reason: 'unsupported', post: name })
  if (TEXTS.some((key) => textOf(row[key]).length > CONTENT_MAX_CHARS))
    return void sink.leaveOut({ what: post.kind, name, reason: 'tooLong' })
  const write = () => {
    const html = htmlOf(row, leaveOutCard).replaceAll(GHOST_URL, library.url)
    return convertHtml(html, { dropped: CONTROLS })
  }
  if (!writeText(sink, post, name, write)) return
  fillPost(library, post, row)
  if (lineOf(row.codeinjection_head) || lineOf(row.codeinjection_foot))
    leaveOutCard('codeinjection')
  sink.post(post)
}

const TEXTS = ['html', 'lexical', 'mobiledoc', 'markdown']

/** Ghost stores its nodes or cards, and the HTML that it made of them. */
function htmlOf(row: Values, leaveOut: (card: string) => void): string {
  const [html, lexical, mobiledoc, markdown] = TEXTS.map((key) => textOf(row[key]))
  if (html) return html
  if (lexical) return lexicalToHtml(lexical, leaveOut)
  if (mobiledoc) return mobiledocToHtml(mobiledoc, leaveOut)
  if (markdown && markdown.length > MARKDOWN_MAX_CHARS) throw new SourceProblem('It has no HTML.')
  return markdown ? markdownToHtml(markdown) : ''
}

function fillPost(library: Library, post: SourcePost, row: Values): void {
  const { rows, url } = library
  const meta = rows.get(`posts_meta/${post.key}`) ?? {}
  const text = (key: string) => lineOf(row[key]) || lineOf(meta[key])
  const named = (table: string) => [...rows.entries(`${table}/${post.key}/`)].map(([, of]) => of)
  const slug = text('slug')
  post.status = statusOf(text('status'), text('visibility'))
  post.publishedAt = post.status === 'draft' ? '' : dateAt(row, 'published_at')
  post.createdAt = dateAt(row, 'created_at')
  post.updatedAt = dateAt(row, 'updated_at')
  const authors = named('posts_authors').map(({ author_id }) => lineOf(author_id))
  post.authors = distinct(authors.length > 0 ? authors : [text('author_id')]).filter((id) =>
    rows.get(`users/${id}`),
  )
  const tags = named('posts_tags').map(({ tag_id }) => lineOf(rows.get(`tags/${tag_id}`)?.name))
  // Tags for the site itself begin with a number sign.
  post.tags = distinct(tags.filter((tag) => !tag.startsWith('#')))
  post.excerpt = text('custom_excerpt')
  const cover = (text('feature_image') || text('image')).replace(GHOST_URL, url)
  const caption = lineOfHtml(text('feature_image_caption'))
  if (cover !== '') post.cover = { url: cover, alt: text('feature_image_alt'), caption }
  post.url = url === '' ? '' : (URL.parse(`/${slug}/`, url)?.href ?? '')
  post.addressWords = /^untitled(?:-\d+)?$/.test(slug) ? '' : slug
  const isRead = post.status !== 'draft' && slug !== ''
  post.addresses = distinct([isRead ? `/${slug}/` : '', text('uuid') && `/p/${text('uuid')}/`])
  post.metaTitle = text('meta_title')
  post.metaDescription = text('meta_description')
  post.canonicalUrl = text('canonical_url').replace(GHOST_URL, url)
}

/** A post for members, or one that was only mailed, is not for everybody. */
function statusOf(status: string, visibility: string): SourcePost['status'] {
  if (status === 'scheduled') return 'scheduled'
  if (status === 'sent') return 'private'
  if (status !== 'published') return 'draft'
  return visibility === '' || visibility === 'public' ? 'published' : 'private'
}
