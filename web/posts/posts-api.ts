// The calls about posts.
import { Query } from 'appwrite'
import { LIST_LIMIT_MAX } from '#contract/limits.ts'
import type { PostDocument } from '#contract/posts.ts'
import { type Api, type Result, resultOf, succeed } from '../api/client.ts'
import { withAuthor } from './shown-post.ts'

/** Cards on one page of the feed. */
export const FEED_PAGE_POSTS = 12

const SUMMARY_FIELDS = [
  '$id',
  '$createdAt',
  'title',
  'addressWords',
  'featuredImage',
  'ownImage',
  'imageColor',
  'status',
  'userid',
  'userName',
  'userAvatar',
  'like',
  'hidden',
  'tags',
] as const
/** The fields of a post that a card needs; they do not include the body. */
export type PostSummary = Pick<PostDocument, (typeof SUMMARY_FIELDS)[number]>
/** A post as its page needs it: the text with highlighted code, not the text as it was saved. */
export type PagePost = Omit<PostDocument, 'content' | 'highlightedContent' | '$permissions'> & {
  highlightedContent: string
}
/**
 * One page of a list. `isLast`: no page follows it. The server counts `total` up to a limit,
 * without posts that were deleted meanwhile.
 */
export type SummaryPage = { posts: PostSummary[]; total: number; isLast: boolean }

/**
 * Posts on one page of the dashboard: one less than a call may request, because each call requests
 * one more than the page shows, to know whether a page follows.
 */
export const OWN_PAGE_POSTS = LIST_LIMIT_MAX - 1

/** The fields of a post that its author sets in the form. */
export type PostData = Partial<PostDetails> & {
  title: string
  content: string
  featuredImage: string
  status: string
  /** Undefined leaves the tags as they are. */
  tags?: string[] | undefined
  /** When an inactive post turns active; null ends its schedule. */
  publishedAt?: string | null | undefined
}

/** What the author decides about a post beside its text; "" and false where nothing is set. */
export type PostDetails = Required<
  Pick<
    PostDocument,
    'excerpt' | 'addressWords' | 'metaTitle' | 'metaDescription' | 'canonicalUrl' | 'commentsClosed'
  >
>

export function detailsOf(post: Partial<PostDetails> | undefined): PostDetails {
  return {
    excerpt: post?.excerpt ?? '',
    addressWords: post?.addressWords ?? '',
    metaTitle: post?.metaTitle ?? '',
    metaDescription: post?.metaDescription ?? '',
    canonicalUrl: post?.canonicalUrl ?? '',
    commentsClosed: post?.commentsClosed ?? false,
  }
}

/** The time at which an inactive post is to turn active, past if that was impossible. */
export function scheduledTimeOf({
  status,
  publishedAt,
  $createdAt,
}: Pick<PostDocument, 'status' | 'publishedAt' | '$createdAt'>): string | undefined {
  // A post that was active once has one time for both. Other programs store any text.
  const isScheduled =
    status !== 'active' && publishedAt !== null && Date.parse(publishedAt) > Date.parse($createdAt)
  return isScheduled ? publishedAt : undefined
}

const DRAFT_FIELDS = [
  '$id',
  '$createdAt',
  '$updatedAt',
  'publishedAt',
  'publishProblem',
  'title',
  'status',
  'ownImage',
  'imageColor',
  'like',
  'hidden',
  'words',
] as const
/** The fields of a post that is not public, as the dashboard needs them. */
export type DraftSummary = Pick<PostDocument, (typeof DRAFT_FIELDS)[number]>
const HEAD_FIELDS = ['excerpt', 'metaTitle', 'metaDescription', 'canonicalUrl']
const VISITOR_FIELDS = [
  ...SUMMARY_FIELDS,
  'page',
  ...HEAD_FIELDS,
  '$updatedAt',
  'highlightedContent',
]
const PAGE_FIELDS = [...VISITOR_FIELDS, 'likeId']
/** All fields, including those that a response contains only when `select` names them. */
const WHOLE_FIELDS = ['*', 'ownImage', 'imageColor', 'hidden']

type Documents<Row> = { total: number; documents: Row[]; before?: number }

/**
 * Calls the collection of posts. The client's own methods lack some parameters, and cannot send
 * headers with a single call.
 *
 * @param path appended to the path of the collection
 */
function call<Value>(
  { client, settings }: Api,
  method: string,
  path: string,
  values: object = {},
  headers: Record<string, string> = {},
): Promise<Value> {
  const collection = `/databases/${settings.databaseId}/collections/${settings.collectionId}`
  const address = new URL(client.config.endpoint + collection + path)
  const allHeaders = { 'content-type': 'application/json', ...headers }
  const response: Promise<unknown> = client.call(method, address, allHeaders, { ...values })
  return response as Promise<Value>
}

export function callCollection<Value>(
  api: Api,
  method: string,
  path: string,
  values: object = {},
): Promise<Result<Value>> {
  return resultOf(call(api, method, path, values))
}

/** A call whose response is a post. */
async function callPost<Post extends Pick<PostDocument, 'userName'> = PostDocument>(
  api: Api,
  ...request: [method: string, path: string, values: object, headers?: Record<string, string>]
): Promise<Post> {
  return withAuthor(await call<Post>(api, ...request))
}

function list<Row>(
  api: Api,
  values: { queries: string[]; before?: string; total?: string },
): Promise<Result<Documents<Row>>> {
  return callCollection(api, 'get', '/documents', values)
}

function pathOf(slug: string): string {
  return `/documents/${slug}`
}

/**
 * Reads a post for its page; rejects when the call fails. A page that the server renders for
 * visitors does not contain the ids of users who like the post: visitors are not among them.
 */
export async function readPagePost(api: Api, slug: string): Promise<PagePost> {
  return readShown(api, pathOf(slug))
}

/** The same for a page of the blog, such as "About". @param address also an earlier one */
export async function readBlogPage(api: Api, address: string): Promise<PagePost> {
  return readShown(api, `/pages/${encodeURIComponent(address)}`)
}

async function readShown(api: Api, path: string): Promise<PagePost> {
  const isForVisitor = typeof document === 'undefined' && !api.settings.isSignedIn
  const queries = [Query.select(isForVisitor ? VISITOR_FIELDS : PAGE_FIELDS)]
  const post = await callPost<PagePost>(api, 'get', path, { queries })
  return isForVisitor ? { ...post, likeId: [] } : post
}

/** The fields of a post that an open page refreshes; its likes only if a call selects them. */
export type PostState = Pick<PostDocument, '$id' | '$updatedAt' | 'status'> &
  Partial<Pick<PostDocument, 'like' | 'likeId'>>

/**
 * Requests the post as a list: for a deleted post the list is empty, whereas the browser would log
 * a 404 in the console.
 *
 * @returns undefined as the value when there is no such post for this viewer
 */
export async function findState(api: Api, slug: string): Promise<Result<PostState | undefined>> {
  const fields = ['$id', '$updatedAt', 'status', 'like', 'likeId']
  const queries = [Query.equal('$id', slug), Query.limit(1), Query.select(fields)]
  const result = await list<PostState>(api, { queries })
  if (!result.ok) return result
  return succeed(result.value.documents[0])
}

/** Reads a post as it was saved. */
export function getPost(api: Api, slug: string): Promise<Result<PostDocument>> {
  return resultOf(callPost(api, 'get', pathOf(slug), { queries: [Query.select(WHOLE_FIELDS)] }))
}

const IS_PUBLIC = Query.equal('status', 'active')

type ListOrder = {
  filters: string[]
  fields?: readonly string[]
  /** Id of the last post already shown. */
  after: string | undefined
  size: number
  /** The time by which the posts are sorted, newest first unless `isAscending`. */
  by?: '$createdAt' | '$updatedAt' | 'publishedAt'
  isAscending?: boolean
  /** Whether the response also counts the posts before the page. */
  isCounted?: boolean
}

/**
 * One page of the posts that match a filter. Requests one post more than the page shows, to know
 * `isLast`.
 */
async function listPage<Row extends { title: string; userName?: string }>(
  api: Api,
  {
    filters,
    fields = SUMMARY_FIELDS,
    after,
    size,
    by = '$createdAt',
    isAscending = false,
    isCounted = false,
  }: ListOrder,
): Promise<Result<{ posts: Row[]; total: number; before: number; isLast: boolean }>> {
  const queries = [
    ...filters,
    isAscending ? Query.orderAsc(by) : Query.orderDesc(by),
    Query.limit(size + 1),
    Query.select([...fields]),
  ]
  if (after !== undefined) queries.push(Query.cursorAfter(after))
  const result = await list<Row>(api, {
    queries,
    ...(isCounted && after !== undefined && { before: 'true' }),
  })
  if (!result.ok) return result
  const { documents, total, before = 0 } = result.value
  const posts = documents.slice(0, size).map((post) => withAuthor(post))
  return succeed({ posts, total, before, isLast: documents.length <= size })
}

/**
 * One page of the feed: active posts, newest first.
 *
 * @param after id of the last post already shown
 */
export function listFeed(api: Api, after?: string): Promise<Result<SummaryPage>> {
  return listPage(api, { filters: [IS_PUBLIC], after, size: FEED_PAGE_POSTS })
}

/** A page of a user's active posts, newest first. */
export function listOwn(api: Api, userId: string, after?: string): Promise<Result<SummaryPage>> {
  const filters = [Query.equal('userid', userId), IS_PUBLIC]
  return listPage(api, { filters, after, size: OWN_PAGE_POSTS })
}

/** A page of the posts that a user likes, newest first. */
export function listLiked(
  api: Api,
  userId: string,
  { size, after }: { size: number; after: string | undefined },
): Promise<Result<SummaryPage>> {
  const filters = [Query.equal('likeId', userId), IS_PUBLIC]
  return listPage(api, { filters, after, size })
}

/** The titles, by id, of those of these posts that the viewer may read. */
export async function findTitles(api: Api, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const queries = [Query.equal('$id', ids), Query.limit(ids.length), Query.select(['$id', 'title'])]
  const result = await list<{ $id: string; title: string }>(api, {
    queries,
    total: 'false',
  })
  const posts = result.ok ? result.value.documents : []
  return new Map(posts.map((post) => [post.$id, post.title]))
}

/**
 * One page of a list whose pages have addresses of their own, with its position in the list. The
 * server counts `before`, like `total`, up to a limit.
 */
export type PostPage = SummaryPage & {
  /** How many posts come before this page. */
  before: number
  /** The `after` of the previous page: "" if that is the first; undefined on the first page. */
  newer: string | undefined
}

/**
 * One page of the active posts that match these conditions, newest first.
 *
 * @param filters queries
 * @param after id of the last post of the previous page; undefined for the newest page
 */
export async function readPostPage(
  api: Api,
  filters: string[],
  after: string | undefined,
): Promise<Result<PostPage>> {
  const size = FEED_PAGE_POSTS
  const conditions = [...filters, IS_PUBLIC]
  const order = { filters: conditions, after, size, isCounted: true }
  const result = await listPage<PostSummary>(api, order)
  if (!result.ok) return result
  const page = { ...result.value, newer: after === undefined ? undefined : '' }
  if (after === undefined || page.before <= size) return succeed(page)
  const previous = [Query.limit(size), Query.cursorBefore(after), Query.select(['$id'])]
  const queries = [...conditions, Query.orderDesc('$createdAt'), ...previous]
  const newer = await list<{ $id: string }>(api, { queries, total: 'false' })
  // If this call fails, the link leads to the newest posts.
  const first = newer.ok && newer.value.documents.length === size && newer.value.documents[0]
  return succeed(first ? { ...page, newer: first.$id } : page)
}

/** What the excerpt of one post of the feed is made of; undefined when the call fails. */
export async function findExcerptSource(api: Api, slug: string) {
  const queries = [Query.equal('$id', slug), Query.limit(1), Query.select(['content', 'excerpt'])]
  const result = await list<Pick<PostDocument, 'content' | 'excerpt'>>(api, { queries })
  return result.ok ? result.value.documents[0] : undefined
}

/** `total` counts all drafts, not only those of the page. */
export type DraftPage = { posts: DraftSummary[]; total: number; isLast: boolean }

/** A page of a user's posts that are not public, the most recently saved first. */
export function listDrafts(api: Api, userId: string, after?: string): Promise<Result<DraftPage>> {
  const filters = [Query.equal('userid', userId), Query.notEqual('status', 'active')]
  const order = { by: '$updatedAt', size: OWN_PAGE_POSTS } as const
  return listPage<DraftSummary>(api, { ...order, filters, fields: DRAFT_FIELDS, after })
}

/** Scheduled posts of a user, the soonest first; those that are overdue are among the drafts. */
export function listScheduled(api: Api, userId: string): Promise<Result<DraftPage>> {
  const filters = [
    Query.equal('userid', userId),
    Query.notEqual('status', 'active'),
    Query.greaterThan('publishedAt', new Date().toISOString()),
  ]
  const order = { by: 'publishedAt', isAscending: true, size: OWN_PAGE_POSTS } as const
  return listPage<DraftSummary>(api, { ...order, filters, fields: DRAFT_FIELDS, after: undefined })
}

/** @param slug becomes the id of the post, which never changes */
export function createPost(
  api: Api,
  slug: string,
  data: PostData & { userid: string; page?: boolean },
): Promise<Result<PostDocument>> {
  return resultOf(callPost(api, 'post', '/documents', { documentId: slug, data }))
}

/**
 * Saves a changed post, unless it was saved after `unlessNewerThan`: then the failure is
 * `document_update_conflict`.
 *
 * @param options `unlessNewerThan` is the `$updatedAt` of the version that was changed
 * @source api.md §1.1 `X-Appwrite-Timestamp`
 */
export function updatePost(
  api: Api,
  slug: string,
  { data, unlessNewerThan }: { data: PostData; unlessNewerThan: string },
): Promise<Result<PostDocument>> {
  const headers = { 'X-Appwrite-Timestamp': unlessNewerThan }
  return resultOf(callPost(api, 'patch', pathOf(slug), { data }, headers))
}

/** Changes when an inactive post turns active, and nothing else; null ends its schedule. */
export function setPublishedAt(
  api: Api,
  slug: string,
  publishedAt: string | null,
): Promise<Result<PostDocument>> {
  return resultOf(callPost(api, 'patch', pathOf(slug), { data: { publishedAt } }))
}

/** Deletes a post; the server removes its image too (api.md §10.2). */
export function deletePost(api: Api, slug: string): Promise<Result<unknown>> {
  return callCollection(api, 'delete', pathOf(slug))
}

/**
 * Likes a post, or removes the like. Sends the count and the ids as this browser knows them, with
 * the viewer's own change applied (product.md §7); the server uses only that change, and responds
 * with the true values (api.md §10.3).
 *
 * @param wish `isLiked` is the state that the viewer wants, not a toggle
 */
export function setLike(
  api: Api,
  post: Pick<PostDocument, '$id' | 'like' | 'likeId'>,
  { viewerId, isLiked }: { viewerId: string; isLiked: boolean },
): Promise<Result<PostDocument>> {
  const others = post.likeId.filter((id) => id !== viewerId)
  const wasLiked = others.length < post.likeId.length
  const like = post.like + Number(isLiked) - Number(wasLiked)
  const likeId = isLiked ? [...others, viewerId] : others
  return resultOf(callPost(api, 'patch', pathOf(post.$id), { data: { like, likeId } }))
}
