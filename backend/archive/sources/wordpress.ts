// WordPress: one WXR file or several, with the folder of its uploads or without. The files are read
// twice: first the site, its people and its pictures, which posts name by their number, then the
// posts with their comments.
import { lineOfHtml, writeText } from './convert-html.ts'
import { makeDiskMap } from './disk-map.ts'
import { findMarked } from './file-tree.ts'
import type {
  FileTree,
  ImportSink,
  ReadOptions,
  Source,
  SourcePicture,
  SourcePost,
} from './source.ts'
import { dateAt, decodeAddress, distinct, emptyPost, lineAt, pathOf } from './source-values.ts'
import {
  type Row,
  readWordpress,
  type WordpressEvents,
  type WordpressItem,
} from './wordpress-items.ts'
import { addPerson, type Library, readLibrary, toNicename } from './wordpress-library.ts'
import { convertWordpress, type WordpressMedia } from './wordpress-text.ts'

const NAMESPACE = /<rss\b[^>]*\bwordpress\.org\/export\//
/** Files that are not looked into. */
const FILE = /^(?!.*\.(?:jpe?g|png|gif|webp|avif|svg|mp[34]|mov|pdf|zip|css|js|php|html?|md)$)/is
const GALLERY_MAX = 500
const NO_PARENT = '0'
/** What bytes become that are no characters in the encoding of the file. */
const DAMAGED = '\ufffd'
/** Parts of the program and its themes, not of the person. */
const PROGRAM_TYPES =
  /^(?:nav_menu_item|revision|custom_css|customize_changeset|oembed_cache|user_request|wp_.*)$/

const STATUSES: ReadonlyMap<string, SourcePost['status']> = new Map([
  ['publish', 'published'],
  ['private', 'private'],
  ['future', 'scheduled'],
])

export const wordpress: Source = {
  kind: 'wordpress',
  async recognise(tree) {
    for await (const _file of findMarked(tree, FILE, NAMESPACE)) return true
    return false
  },
  read,
}

async function read(tree: FileTree, sink: ImportSink, options: ReadOptions): Promise<void> {
  const files: { path: string; sizeBytes: number }[] = []
  for await (const file of findMarked(tree, FILE, NAMESPACE)) files.push(file)
  files.sort((a, b) => (a.path < b.path ? -1 : 1))
  const total = 2 * files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  let done = 0
  const onProgress = (bytes: number) => {
    options.signal.throwIfAborted()
    done += bytes
    sink.progress(done, total)
  }
  using pictures = makeDiskMap<SourcePicture>()
  using blocks = makeDiskMap<string>()
  const library: Library = { url: '', people: new Map(), pictures, blocks }
  for (const events of [readLibrary(library, sink, options), readPosts(library, sink)])
    for (const { path } of files) await readWordpress(tree, path, events, onProgress)
}

/** The second reading. */
function readPosts(library: Library, sink: ImportSink): WordpressEvents {
  const readComments = (item: WordpressItem, isPost: boolean) => {
    for (const comment of item.comments) readComment(item, comment, sink, isPost)
  }
  return {
    onComments: (item) => readComments(item, kindOf(item) !== undefined && !isDiscarded(item)),
    onItem: (item) => readComments(item, readPost(library, item, sink)),
  }
}

function kindOf({ values }: WordpressItem): 'post' | 'page' | undefined {
  const type = lineAt(values, 'wp:post_type') || 'post'
  return type === 'post' || type === 'page' ? type : undefined
}

function isDiscarded({ values }: WordpressItem): boolean {
  return /^(?:trash|auto-draft|inherit)$/.test(lineAt(values, 'wp:status'))
}

/** @returns false when it is left out */
function readPost(library: Library, item: WordpressItem, sink: ImportSink): boolean {
  const { values } = item
  const post = emptyPost(lineAt(values, 'wp:post_id', 'link'))
  post.title = lineOfHtml(values.title ?? '')
  const type = lineAt(values, 'wp:post_type')
  const name = post.title || lineAt(values, 'wp:post_name', 'wp:post_id') || type
  const kind = kindOf(item)
  if (kind === undefined) {
    const issue = PROGRAM_TYPES.test(type)
      ? ({ what: 'part', reason: 'notAPost' } as const)
      : ({ what: 'post', reason: 'unsupported' } as const)
    // The first reading has read the pictures and blocks.
    if (type !== 'attachment' && type !== 'wp_block')
      sink.leaveOut({ name, detail: type, ...issue })
    return false
  }
  post.kind = kind
  if (isDiscarded(item) || item.isTooLong) {
    const reason = item.isTooLong ? 'tooLong' : 'notAPost'
    const detail = item.isTooLong ? '' : lineAt(values, 'wp:status')
    sink.leaveOut({ what: kind, name, reason, detail })
    return false
  }
  const media = mediaOf(library, post, sink)
  const write = () =>
    convertWordpress(values['content:encoded'] ?? '', values.footnotes ?? '', media)
  if (!writeText(sink, post, name, write)) return false
  fillPost(library, post, item, sink)
  const text = `${values.title} ${values['content:encoded']}`
  const damagedAt = text.indexOf(DAMAGED)
  if (damagedAt >= 0) {
    const part = text.slice(Math.max(0, damagedAt - 20), damagedAt + 20)
    sink.leaveOut({ what: 'part', name: part, reason: 'unreadable', post: post.title })
  }
  sink.post(post)
  return true
}

/** An export of posts alone has no pictures. */
function findPicture(
  { pictures }: Library,
  id: string,
  { title }: SourcePost,
  sink: ImportSink,
): SourcePicture | undefined {
  const picture = pictures.get(id)
  if (!picture && /^[1-9]/.test(id))
    sink.leaveOut({ what: 'picture', name: id, reason: 'pictureMissing', post: title })
  return picture
}

function mediaOf(library: Library, post: SourcePost, sink: ImportSink): WordpressMedia {
  const { pictures, blocks } = library
  const { key, title } = post
  return {
    gallery(ids) {
      if (ids)
        return ids.slice(0, GALLERY_MAX).flatMap((id) => findPicture(library, id, post, sink) ?? [])
      const own = pictures.entries(`${key}/`).take(GALLERY_MAX)
      return own.map(([, picture]) => picture).toArray()
    },
    block: blocks.get,
    leaveOut: (name, reason) => sink.leaveOut({ what: 'part', name, reason, post: title }),
  }
}

function fillPost(library: Library, post: SourcePost, item: WordpressItem, sink: ImportSink): void {
  const { values, terms } = item
  const text = (...keys: string[]) => lineAt(values, ...keys)
  const date = dateAt(values, 'wp:post_date_gmt', 'wp:post_date', 'pubDate')
  const hasPassword = text('wp:post_password') !== ''
  post.status = STATUSES.get(text('wp:status')) ?? 'draft'
  if (hasPassword && post.status === 'published') post.status = 'private'
  const isDated = post.status !== 'draft'
  post.publishedAt = isDated ? date : ''
  post.createdAt = date
  post.updatedAt = dateAt(values, 'wp:post_modified_gmt', 'wp:post_modified')
  if (hasPassword)
    sink.leaveOut({ what: 'part', name: 'password', reason: 'unsupported', post: post.title })
  post.authors = authorsOf(library, item, sink)
  post.tags = distinct(terms.filter(isTag).map(({ name }) => lineOfHtml(name)))
  post.excerpt = lineOfHtml(values['excerpt:encoded'] ?? '')
  post.cover = findPicture(library, text('_thumbnail_id'), post, sink)
  post.url = URL.parse(text('link'), library.url || undefined)?.href ?? text('link')
  post.addressWords = decodeAddress(text('wp:post_name'))
  post.addresses = addressesOf(library, post, item)
  post.metaTitle = plainMeta(text('_yoast_wpseo_title', 'rank_math_title'))
  post.metaDescription = plainMeta(text('_yoast_wpseo_metadesc', 'rank_math_description'))
  post.canonicalUrl = text('_yoast_wpseo_canonical', 'rank_math_canonical_url')
  post.areCommentsClosed = text('wp:comment_status') === 'closed'
}

/** The category that WordPress gives to posts without one says nothing. */
function isTag({ domain, nicename }: { domain: string; nicename: string }): boolean {
  return (domain === 'category' && nicename !== 'uncategorized') || /^(?:post_)?tag$/.test(domain)
}

/** With places for other values, such as `%%title%%`, it is none. */
function plainMeta(value: string): string {
  const text = lineOfHtml(value)
  return /%\w+%/.test(text) ? '' : text
}

/** The people of Co-Authors Plus, or the one author. */
function authorsOf(library: Library, { values, terms }: WordpressItem, sink: ImportSink): string[] {
  const { people } = library
  const coAuthors = terms
    .filter(({ domain }) => domain === 'author')
    .map(({ nicename, name }) => {
      const word = nicename.replace(/^cap-/, '')
      const key = people.get(toNicename(word)) ?? people.get(toNicename(name))
      return key ?? addPerson(library, sink, { key: word || name, name: name || word, email: '' })
    })
  if (coAuthors.length > 0) return distinct(coAuthors)
  const key = lineAt(values, 'dc:creator')
  if (key === '' || people.get(key) === key) return distinct([key])
  const [name = key] = key.split('@')
  return [addPerson(library, sink, { key, name, email: key.includes('@') ? key : '' })]
}

function addressesOf({ url }: Library, post: SourcePost, { values }: WordpressItem): string[] {
  const base = url.endsWith('/') || url === '' ? url : `${url}/`
  const id = lineAt(values, 'wp:post_id')
  const parameter = post.kind === 'page' ? 'page_id' : 'p'
  const isRead = post.status === 'published' || post.status === 'private'
  const slugs = [post.addressWords, ...(values._wp_old_slug ?? '').split('\n').map(decodeAddress)]
  const guid = URL.parse(lineAt(values, 'guid'))
  const isOwn = guid?.host === URL.parse(base)?.host && guid?.href !== `${guid?.origin}/`
  return distinct([
    id && pathOf(`?${parameter}=${id}`, base, true),
    id && pathOf(`?p=${id}`, base, true),
    // One of another site is no address here.
    guid && isOwn ? guid.pathname + guid.search : '',
    ...slugs.map((slug) => (isRead && slug ? pathOf(encodeURIComponent(slug), base) : '')),
    // Of a blog that came from Blogger.
    pathOf(lineAt(values, 'blogger_permalink'), base),
  ])
}

function readComment(
  { values }: WordpressItem,
  comment: Row,
  sink: ImportSink,
  isPost: boolean,
): void {
  const text = (name: string) => lineAt(comment, `wp:comment_${name}`)
  const authorName = lineOfHtml(comment['wp:comment_author'] ?? '')
  const type = text('type')
  const approved = text('approved')
  const reason = whyLeftOut(type, approved, isPost)
  if (reason !== undefined) {
    const post = lineOfHtml(values.title ?? '')
    const detail = type || approved
    return void sink.leaveOut({ what: 'comment', name: authorName, reason, post, detail })
  }
  const parent = text('parent')
  sink.comment({
    key: text('id'),
    postKey: lineAt(values, 'wp:post_id', 'link'),
    parentKey: parent === NO_PARENT ? '' : parent,
    authorName,
    authorEmail: text('author_email'),
    createdAt: dateAt(comment, 'wp:comment_date_gmt', 'wp:comment_date'),
    text: comment['wp:comment_content'] ?? '',
    isHtml: true,
    isApproved: approved === '1',
  })
}

function whyLeftOut(type: string, approved: string, isPost: boolean) {
  if (!isPost) return 'postMissing'
  // Pingbacks and trackbacks.
  if (type !== '' && type !== 'comment') return 'unsupported'
  return /^(?:spam|trash|post-trashed)$/.test(approved) ? 'spam' : undefined
}
