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
/** What a card shows; the body is not fetched with it. */
export type PostSummary = Pick<PostDocument, (typeof SUMMARY_FIELDS)[number]>
/** What the page of a post shows of it: the text with its code highlighted, not as it was saved. */
export type PagePost = Omit<PostDocument, 'content' | 'highlightedContent' | '$permissions'> & {
  highlightedContent: string
}
/**
 * One page of a list. `isLast`: no page follows it. `total` stops at the server's bound, and does
 * not count posts deleted since.
 */
export type SummaryPage = { posts: PostSummary[]; total: number; isLast: boolean }

/**
 * Posts on one page of the dashboard: one less than a call may ask for, because one more than is
 * shown is asked for, to know whether a page follows.
 */
export const OWN_PAGE_POSTS = LIST_LIMIT_MAX - 1

/** What a person sets on a post. */
export type PostData = {
  title: string
  content: string
  featuredImage: string
  status: string
  /** Absent when they are to stay as they are. */
  tags?: string[] | undefined
}

const DRAFT_FIELDS = [
  '$id',
  '$updatedAt',
  'title',
  'status',
  'ownImage',
  'imageColor',
  'like',
  'hidden',
  'words',
] as const
/** What the dashboard shows of a post that is not public. */
export type DraftSummary = Pick<PostDocument, (typeof DRAFT_FIELDS)[number]>
const VISITOR_FIELDS = [...SUMMARY_FIELDS, '$updatedAt', 'highlightedContent']
const PAGE_FIELDS = [...VISITOR_FIELDS, 'likeId']
/** All fields, and those that are only answered when they are named. */
const WHOLE_FIELDS = ['*', 'ownImage', 'imageColor', 'hidden']

type Documents<Row> = { total: number; documents: Row[]; before?: number }

/**
 * Calls the collection of posts. The client's own methods know neither all parameters nor headers
 * of one call.
 *
 * @param path behind the collection's own
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
  const all = { 'content-type': 'application/json', ...headers }
  return client.call(method, address, all, { ...values }) as Promise<unknown> as Promise<Value>
}

export function callCollection<Value>(
  api: Api,
  method: string,
  path: string,
  values: object = {},
): Promise<Result<Value>> {
  return resultOf(call(api, method, path, values))
}

/** A call that answers with a post. */
async function callPost<Post extends Pick<PostDocument, 'userName'> = PostDocument>(
  api: Api,
  ...asked: [method: string, path: string, values: object, headers?: Record<string, string>]
): Promise<Post> {
  return withAuthor(await call<Post>(api, ...asked))
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
 * For its page; rejects when the call fails. A page that the server renders for visitors does not
 * say who likes the post: none of them can be the one who looks.
 */
export async function readPagePost(api: Api, slug: string): Promise<PagePost> {
  const isForVisitor = typeof document === 'undefined' && !api.settings.isSignedIn
  const queries = [Query.select(isForVisitor ? VISITOR_FIELDS : PAGE_FIELDS)]
  const post = await callPost<PagePost>(api, 'get', pathOf(slug), { queries })
  return isForVisitor ? { ...post, likeId: [] } : post
}

/** What an open page needs to know of its post again; likes only when they are asked for. */
export type PostState = Pick<PostDocument, '$id' | '$updatedAt' | 'status'> &
  Partial<Pick<PostDocument, 'like' | 'likeId'>>

/**
 * A list of one: that a post is gone is no refusal then, which would be a line in the console.
 *
 * @returns of the value undefined when there is no such post for this viewer
 */
export async function findState(api: Api, slug: string): Promise<Result<PostState | undefined>> {
  const fields = ['$id', '$updatedAt', 'status', 'like', 'likeId']
  const queries = [Query.equal('$id', slug), Query.limit(1), Query.select(fields)]
  const found = await list<PostState>(api, { queries })
  if (!found.ok) return found
  return succeed(found.value.documents[0])
}

/** A post as it was saved. */
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
  /** Newest first by this time. */
  by?: '$createdAt' | '$updatedAt'
  /** How many are in front of the page is asked for, too. */
  isCounted?: boolean
}

/**
 * One page of the posts that match a filter. Asks for one post more than the page shows: whether it
 * is there tells `isLast`.
 */
async function listPage<Row extends { title: string; userName?: string }>(
  api: Api,
  {
    filters,
    fields = SUMMARY_FIELDS,
    after,
    size,
    by = '$createdAt',
    isCounted = false,
  }: ListOrder,
): Promise<Result<{ posts: Row[]; total: number; before: number; isLast: boolean }>> {
  const queries = [
    ...filters,
    Query.orderDesc(by),
    Query.limit(size + 1),
    Query.select([...fields]),
  ]
  if (after !== undefined) queries.push(Query.cursorAfter(after))
  const found = await list<Row>(api, {
    queries,
    ...(isCounted && after !== undefined && { before: 'true' }),
  })
  if (!found.ok) return found
  const { documents, total, before = 0 } = found.value
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

/** A page of someone's own active posts, newest first. */
export function listOwn(api: Api, userId: string, after?: string): Promise<Result<SummaryPage>> {
  const filters = [Query.equal('userid', userId), IS_PUBLIC]
  return listPage(api, { filters, after, size: OWN_PAGE_POSTS })
}

/** A page of the posts that somebody likes, newest first. */
export function listLiked(
  api: Api,
  userId: string,
  { size, after }: { size: number; after: string | undefined },
): Promise<Result<SummaryPage>> {
  const filters = [Query.equal('likeId', userId), IS_PUBLIC]
  return listPage(api, { filters, after, size })
}

/** The titles of these posts, as far as the viewer may read them. */
export async function findTitles(api: Api, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const queries = [Query.equal('$id', ids), Query.limit(ids.length), Query.select(['$id', 'title'])]
  const found = await list<{ $id: string; title: string }>(api, {
    queries,
    total: 'false',
  })
  const posts = found.ok ? found.value.documents : []
  return new Map(posts.map((post) => [post.$id, post.title]))
}

/**
 * One page of a list that has an address of its own, and where it stands in the list. `before`
 * stops at the server's bound, as `total` does.
 */
export type PostPage = SummaryPage & {
  /** How many posts are in front of it. */
  before: number
  /** The post behind which the page before it begins: "" for the first page, undefined on it. */
  newer: string | undefined
}

/**
 * One page of the active posts that match these conditions, newest first.
 *
 * @param filters queries
 * @param after id of the last post of the page before; the newest page without it
 */
export async function readPostPage(
  api: Api,
  filters: string[],
  after: string | undefined,
): Promise<Result<PostPage>> {
  const size = FEED_PAGE_POSTS
  const asked = [...filters, IS_PUBLIC]
  const found = await listPage<PostSummary>(api, { filters: asked, after, size, isCounted: true })
  if (!found.ok) return found
  const page = { ...found.value, newer: after === undefined ? undefined : '' }
  if (after === undefined || page.before <= size) return succeed(page)
  const front = [Query.limit(size), Query.cursorBefore(after), Query.select(['$id'])]
  const queries = [...asked, Query.orderDesc('$createdAt'), ...front]
  const ahead = await list<{ $id: string }>(api, { queries, total: 'false' })
  // Without an answer the way leads to the newest posts.
  const last = ahead.ok && ahead.value.documents.length === size && ahead.value.documents[0]
  return succeed(last ? { ...page, newer: last.$id } : page)
}

/** The body of one post of the feed, for its excerpt; undefined when the call fails. */
export async function findContent(api: Api, slug: string): Promise<string | undefined> {
  const queries = [Query.equal('$id', slug), Query.limit(1), Query.select(['content'])]
  const found = await list<{ content: string }>(api, { queries })
  return found.ok ? found.value.documents[0]?.content : undefined
}

/** `total` counts all of them. */
export type DraftPage = { posts: DraftSummary[]; total: number; isLast: boolean }

/** A page of someone's posts that are not public, the one saved last first. */
export function listDrafts(api: Api, userId: string, after?: string): Promise<Result<DraftPage>> {
  const filters = [Query.equal('userid', userId), Query.notEqual('status', 'active')]
  const order = { by: '$updatedAt', size: OWN_PAGE_POSTS } as const
  return listPage<DraftSummary>(api, { ...order, filters, fields: DRAFT_FIELDS, after })
}

/** @param slug becomes the id of the post, which never changes */
export function createPost(
  api: Api,
  slug: string,
  data: PostData & { userid: string },
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

/** Deletes a post; the server removes its image too (api.md §10.2). */
export function deletePost(api: Api, slug: string): Promise<Result<unknown>> {
  return callCollection(api, 'delete', pathOf(slug))
}

/**
 * Says whether the viewer likes a post. Sends the count and the ids as this browser knows them,
 * with the viewer's own wish applied (product.md §7); the server takes only the wish, and answers
 * the true values (api.md §10.3).
 *
 * @param wish `isLiked` is what the viewer wants, not a toggle
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
