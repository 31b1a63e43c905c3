// WordPress: one WXR file or several, with the folder of its uploads or without. The files are read
// twice: first the site, its people and its pictures, which posts name by their number, then the
// posts with their comments.
import { makeDiskMap } from './disk-map.ts'
import { readBeginning } from './file-tree.ts'
import {
  type FileTree,
  type ImportSink,
  type ReadOptions,
  type Source,
  type SourcePost,
  SourceProblem,
} from './source.ts'
import { distinct, emptyPost, lineOf, lineOfHtml, pathOf, toIsoDate } from './source-values.ts'
import { readWordpress, type WordpressEvents, type WordpressItem } from './wordpress-items.ts'
import {
  addPerson,
  GALLERY_MAX,
  type Library,
  NO_PARENT,
  type Picture,
  readLibrary,
  toNicename,
} from './wordpress-library.ts'
import { convertWordpress, type WordpressMedia } from './wordpress-text.ts'

const NAMESPACE = /<rss\b[^>]*\bwordpress\.org\/export\//
const BEGINNING_BYTES = 16_384
/** Files of another name are looked into when they are few. */
const OTHERS_MAX = 50
const MEDIA_FILE = /\.(?:jpe?g|png|gif|webp|avif|svg|mp[34]|mov|pdf|zip|css|js|php|html?|md)$/i
/** Parts of the program and its themes, not of the person. */
const PROGRAM_TYPES =
  /^(?:nav_menu_item|revision|custom_css|customize_changeset|oembed_cache|user_request|wp_.*)$/

export const wordpress: Source = {
  kind: 'wordpress',
  recognise: async (tree) => (await findFiles(tree)).length > 0,
  read: readSite,
}

async function findFiles(tree: FileTree) {
  const named: { path: string; sizeBytes: number }[] = []
  const others: typeof named = []
  for await (const file of tree.list()) {
    if (/\.(?:xml|wxr|rss)$/i.test(file.path)) named.push(file)
    else if (!MEDIA_FILE.test(file.path) && others.length <= OTHERS_MAX) others.push(file)
  }
  const files: typeof named = []
  for (const file of [...named, ...(others.length > OTHERS_MAX ? [] : others)]) {
    const beginning = await readBeginning(tree, file.path, BEGINNING_BYTES)
    // Readable in UTF-8 and in UTF-16.
    if (NAMESPACE.test(beginning.toString('latin1').replaceAll('\0', ''))) files.push(file)
  }
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

async function readSite(tree: FileTree, sink: ImportSink, options: ReadOptions): Promise<void> {
  const files = await findFiles(tree)
  const total = 2 * files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  let done = 0
  const onProgress = (bytes: number) => {
    done += bytes
    sink.progress(done, total)
  }
  using pictures = makeDiskMap<Picture>()
  using ownPictures = makeDiskMap<string>()
  using blocks = makeDiskMap<string>()
  const library: Library = {
    url: '',
    persons: new Map(),
    nicenames: new Map(),
    pictures,
    counts: new Map(),
    ownPictures,
    blocks,
  }
  const events = { onProgress, onSite() {}, onAuthor() {}, onComments() {} }
  const readings: WordpressEvents[] = [
    Object.assign({}, events, readLibrary(library, sink, options)),
    Object.assign({}, events, readPosts(library, sink)),
  ]
  for (const reading of readings)
    for (const { path } of files) await readFile(tree, path, options, reading, files.length > 1)
}

async function readFile(
  tree: FileTree,
  path: string,
  { signal }: ReadOptions,
  events: WordpressEvents,
  isOneOfMany: boolean,
): Promise<void> {
  try {
    await readWordpress(tree, path, signal, events)
  } catch (error) {
    if (!(error instanceof SourceProblem) || !isOneOfMany) throw error
    throw new SourceProblem(`${path}: ${error.message}`, error.line, { cause: error })
  }
}

/** The second reading. */
function readPosts(library: Library, sink: ImportSink) {
  const onComments = (item: WordpressItem) => {
    const isPost = postKindOf(item) !== undefined && !isDiscarded(item)
    for (const comment of item.comments) readComment(item, comment, sink, isPost)
  }
  return {
    onComments,
    onItem(item: WordpressItem) {
      const type = lineOf(item.values.get('wp:post_type'))
      if (type === 'attachment' || type === 'wp_block') return onComments(item)
      if (readPost(library, item, sink)) onComments(item)
      else for (const comment of item.comments) readComment(item, comment, sink, false)
    },
  }
}

function postKindOf({ values }: WordpressItem): 'post' | 'page' | undefined {
  const type = lineOf(values.get('wp:post_type')) || 'post'
  return type === 'post' || type === 'page' ? type : undefined
}

function isDiscarded({ values }: WordpressItem): boolean {
  return /^(?:trash|auto-draft|inherit)$/.test(lineOf(values.get('wp:status')))
}

/** @returns false when it is left out */
function readPost(library: Library, item: WordpressItem, sink: ImportSink): boolean {
  const { values } = item
  const kind = postKindOf(item)
  const title = lineOfHtml(values.get('title') ?? '')
  const type = lineOf(values.get('wp:post_type'))
  const name = title || lineOf(values.get('wp:post_name')) || lineOf(values.get('wp:post_id'))
  const leaveOut = (
    what: 'part' | 'post' | 'page',
    reason: 'unsupported' | 'tooLong' | 'notAPost' | 'unreadable',
    detail: string,
  ) => {
    sink.leaveOut({ what, name: name || type, reason, post: '', detail })
    return false
  }
  if (kind === undefined)
    return PROGRAM_TYPES.test(type)
      ? leaveOut('part', 'notAPost', type)
      : leaveOut('post', 'unsupported', type)
  if (isDiscarded(item)) return leaveOut(kind, 'notAPost', lineOf(values.get('wp:status')))
  if (item.isTooLong) return leaveOut(kind, 'tooLong', '')
  const post = emptyPost(keyOf(item))
  post.kind = kind
  post.title = title
  try {
    const media = mediaOf(library, item, sink, title)
    post.html = convertWordpress(
      values.get('content:encoded') ?? '',
      item.meta.get('footnotes') ?? '',
      media,
    )
  } catch (error) {
    if (!(error instanceof SourceProblem)) throw error
    return leaveOut(kind, 'unreadable', error.message)
  }
  fillPost(library, post, item, sink)
  sink.post(post)
  return true
}

function keyOf({ values }: WordpressItem): string {
  return lineOf(values.get('wp:post_id')) || lineOf(values.get('link'))
}

function mediaOf(
  { pictures, counts, ownPictures, blocks }: Library,
  item: WordpressItem,
  sink: ImportSink,
  title: string,
): WordpressMedia {
  const isPicture = (picture: Picture | undefined) => picture !== undefined
  return {
    gallery(ids) {
      if (ids) return ids.slice(0, GALLERY_MAX).map(pictures.get).filter(isPicture)
      const id = keyOf(item)
      return Array.from({ length: counts.get(id) ?? 0 }, (_, at) =>
        pictures.get(ownPictures.get(`${id}/${at}`) ?? ''),
      ).filter(isPicture)
    },
    block: blocks.get,
    leaveOut: (name, reason) =>
      sink.leaveOut({ what: 'part', name, reason, post: title, detail: '' }),
  }
}

function fillPost(library: Library, post: SourcePost, item: WordpressItem, sink: ImportSink): void {
  const { values, meta } = item
  const lineAt = (name: string) => lineOf(values.get(name))
  const slug = decodeWords(lineAt('wp:post_name'))
  const date =
    dateOf(lineAt('wp:post_date_gmt')) ||
    dateOf(lineAt('wp:post_date')) ||
    toIsoDate(lineAt('pubDate'))
  post.status = statusOf(lineAt('wp:status'), lineAt('wp:post_password'))
  const isDated = post.status !== 'draft'
  post.publishedAt = isDated ? date : ''
  post.createdAt = date
  post.updatedAt = dateOf(lineAt('wp:post_modified_gmt')) || dateOf(lineAt('wp:post_modified'))
  if (isDated && date === '')
    sink.leaveOut({ what: 'post', name: post.title, reason: 'badDate', post: '', detail: '' })
  if (lineAt('wp:post_password') !== '')
    sink.leaveOut({
      what: 'part',
      name: 'password',
      reason: 'unsupported',
      post: post.title,
      detail: '',
    })
  post.authors = authorsOf(library, item, sink)
  post.tags = distinct(item.terms.filter(isTag).map(({ name }) => lineOfHtml(name)))
  post.excerpt = lineOfHtml(values.get('excerpt:encoded') ?? '')
  post.cover = library.pictures.get(lineOf(meta.get('_thumbnail_id')))
  post.url = URL.parse(lineAt('link'), library.url || undefined)?.href ?? lineAt('link')
  post.addressWords = slug
  post.addresses = addressesOf(library, post, item)
  post.metaTitle = plainMeta(meta.get('_yoast_wpseo_title') ?? meta.get('rank_math_title'))
  post.metaDescription = plainMeta(
    meta.get('_yoast_wpseo_metadesc') ?? meta.get('rank_math_description'),
  )
  post.canonicalUrl = lineOf(
    meta.get('_yoast_wpseo_canonical') ?? meta.get('rank_math_canonical_url'),
  )
  post.areCommentsClosed = lineAt('wp:comment_status') === 'closed'
}

/** The category that WordPress gives to posts without one says nothing. */
function isTag({ domain, nicename }: { domain: string; nicename: string }): boolean {
  return (domain === 'category' && nicename !== 'uncategorized') || /^(?:post_)?tag$/.test(domain)
}

/** With places for other values, such as `%%title%%`, it is none. */
function plainMeta(value: string | undefined): string {
  const text = lineOf(value)
  return text.includes('%') && /%\w+%/.test(text) ? '' : text
}

function dateOf(value: string): string {
  return value.startsWith('0000') ? '' : toIsoDate(value)
}

function decodeWords(slug: string): string {
  try {
    return decodeURIComponent(slug)
  } catch {
    return slug
  }
}

function statusOf(status: string, password: string): SourcePost['status'] {
  if (status === 'publish') return password === '' ? 'published' : 'private'
  if (status === 'private') return 'private'
  return status === 'future' ? 'scheduled' : 'draft'
}

/** The people of Co-Authors Plus, or the one author. */
function authorsOf(library: Library, { values, terms }: WordpressItem, sink: ImportSink): string[] {
  const coAuthors = terms
    .filter(({ domain }) => domain === 'author')
    .map(({ nicename, name }) => {
      const word = nicename.replace(/^cap-/, '')
      const key = library.nicenames.get(toNicename(word)) ?? library.nicenames.get(toNicename(name))
      return key ?? addPerson(library, sink, { key: word || name, name: name || word, email: '' })
    })
  if (coAuthors.length > 0) return distinct(coAuthors)
  const creator = lineOf(values.get('dc:creator'))
  if (creator === '' || library.persons.has(creator)) return distinct([creator])
  const [name = creator] = creator.split('@')
  const email = creator.includes('@') ? creator : ''
  return [addPerson(library, sink, { key: creator, name, email })]
}

function addressesOf({ url }: Library, post: SourcePost, { values, meta }: WordpressItem) {
  const base = url.endsWith('/') || url === '' ? url : `${url}/`
  const id = lineOf(values.get('wp:post_id'))
  const parameter = post.kind === 'page' ? 'page_id' : 'p'
  const slugs = [post.addressWords, decodeWords(lineOf(meta.get('_wp_old_slug')))]
  const isRead = post.status === 'published' || post.status === 'private'
  const named = isRead ? slugs.filter(Boolean).map((slug) => encodeURIComponent(slug)) : []
  return distinct([
    id && pathOf(`?${parameter}=${id}`, base, true),
    id && pathOf(`?p=${id}`, base, true),
    guidPath(lineOf(values.get('guid')), base),
    ...named.map((slug) => pathOf(slug, base)),
  ])
}

/** A guid of another site is no address here. */
function guidPath(guid: string, base: string): string {
  const isOwn = guid !== '' && URL.parse(guid)?.host === URL.parse(base)?.host
  const path = isOwn ? pathOf(guid, base, true) : ''
  return path === '/' ? '' : path
}

function readComment(
  item: WordpressItem,
  comment: Map<string, string>,
  sink: ImportSink,
  isPost: boolean,
): void {
  const lineAt = (name: string) => lineOf(comment.get(`wp:comment_${name}`))
  const authorName = lineOfHtml(comment.get('wp:comment_author') ?? '')
  const post = lineOfHtml(item.values.get('title') ?? '')
  const type = lineAt('type')
  const approved = lineAt('approved')
  const reason = whyLeftOut(type, approved, isPost)
  if (reason !== undefined) {
    sink.leaveOut({ what: 'comment', name: authorName, reason, post, detail: type || approved })
    return
  }
  const parent = lineAt('parent')
  sink.comment({
    key: lineAt('id'),
    postKey: keyOf(item),
    parentKey: parent === NO_PARENT ? '' : parent,
    authorName,
    authorEmail: lineAt('author_email'),
    createdAt: dateOf(lineAt('date_gmt')) || dateOf(lineAt('date')),
    text: comment.get('wp:comment_content') ?? '',
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
