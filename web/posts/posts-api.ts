// The calls about posts. Knows nothing of screens.

import { Query } from 'appwrite'
import { LIST_LIMIT_MAX } from '#contract/limits.ts'
import type { PostDocument } from '#contract/posts.ts'
import type { Api } from '../api/client.ts'
import { type Result, resultOf, succeed } from '../api/result.ts'
import { publicStatusesOf, toShown, withAuthor, wordOf } from './shown-post.ts'
import { shownBody } from './text-bodies.ts'

/** Cards on one page of the feed. */
export const FEED_PAGE_POSTS = 12

/** What a card shows; the body is not fetched with it. */
export type PostSummary = Pick<
  PostDocument,
  | '$id'
  | '$createdAt'
  | 'title'
  | 'featuredImage'
  | 'ownImage'
  | 'imageColor'
  | 'status'
  | 'userid'
  | 'userName'
  | 'userAvatar'
  | 'like'
  | 'hidden'
  | 'tags'
>
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
  tags?: string[]
}

const SUMMARY_FIELDS = [
  '$id',
  '$createdAt',
  'title',
  'shownTitle',
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
]
const DRAFT_FIELDS = [
  ...['$id', '$updatedAt', 'title', 'shownTitle', 'status', 'ownImage'],
  ...['imageColor', 'like', 'hidden', 'words'],
]
const VISITOR_FIELDS = [...SUMMARY_FIELDS, '$updatedAt', 'highlightedContent']
const PAGE_FIELDS = [...VISITOR_FIELDS, 'likeId']
/** All fields, and those that are only answered when they are named. */
const WHOLE_FIELDS = ['*', 'ownImage', 'imageColor', 'hidden']

/** The client's own type of documents allows any field. */
type Documents<Row> = { total: number; documents: Row[] }

function list<Row>({ databases, settings }: Api, queries: string[]): Promise<Documents<Row>> {
  return databases.listDocuments(
    settings.databaseId,
    settings.collectionId,
    queries,
  ) as Promise<unknown> as Promise<Documents<Row>>
}

/**
 * For its page; rejects when the call fails. A page that the server renders for visitors does not
 * say who likes the post: none of them can be the one who looks.
 */
export async function readPagePost({ databases, settings }: Api, slug: string): Promise<PagePost> {
  const isForVisitor = typeof document === 'undefined' && !settings.isSignedIn
  const queries = [Query.select(isForVisitor ? VISITOR_FIELDS : PAGE_FIELDS)]
  const call = databases.getDocument(settings.databaseId, settings.collectionId, slug, queries)
  const post = await (call as Promise<unknown> as Promise<PagePost>)
  return withAuthor(settings, isForVisitor ? { ...post, likeId: [] } : post)
}

/** As it was saved; rejects when the call fails. */
export async function readPost({ databases, settings }: Api, slug: string): Promise<PostDocument> {
  const queries = [Query.select(WHOLE_FIELDS)]
  const call = databases.getDocument(settings.databaseId, settings.collectionId, slug, queries)
  return withAuthor(settings, await (call as Promise<unknown> as Promise<PostDocument>))
}

/** What an open page needs to know of its post again; likes only when they are asked for. */
export type PostState = Pick<PostDocument, '$id' | '$updatedAt' | 'status'> &
  Partial<Pick<PostDocument, 'like' | 'likeId'>>

/**
 * A list of one: that a post is gone is no refusal then, which would be a line in the console.
 *
 * @returns of the value undefined when there is no such post for this viewer
 */
export async function findState(
  api: Api,
  slug: string,
  { withLikes }: { withLikes: boolean },
): Promise<Result<PostState | undefined>> {
  const fields = ['$id', '$updatedAt', 'status', ...(withLikes ? ['like', 'likeId'] : [])]
  const queries = [Query.equal('$id', slug), Query.limit(1), Query.select(fields)]
  const found = await resultOf(list<PostState>(api, queries))
  if (!found.ok) return found
  const [state] = found.value.documents
  return succeed(state && toShown(api.settings, state))
}

export function getPost(api: Api, slug: string): Promise<Result<PostDocument>> {
  return resultOf(readPost(api, slug))
}

function isPublic({ settings }: Api): string {
  return Query.equal('status', [...publicStatusesOf(settings)])
}

/**
 * One page of the posts that match a filter, newest first. Asks for one post more than the page
 * shows: whether it is there tells `isLast`.
 *
 * @param after id of the last post already shown
 */
async function listPage(
  api: Api,
  filters: string[],
  { after, size }: { after: string | undefined; size: number },
): Promise<Result<SummaryPage>> {
  const queries = [
    ...filters,
    Query.orderDesc('$createdAt'),
    Query.limit(size + 1),
    Query.select(SUMMARY_FIELDS),
    ...(after === undefined ? [] : [Query.cursorAfter(after)]),
  ]
  const found = await resultOf(list<PostSummary>(api, queries))
  if (!found.ok) return found
  const { documents, total } = found.value
  const posts = documents.slice(0, size).map((post) => withAuthor(api.settings, post))
  return succeed({ posts, total, isLast: documents.length <= size })
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
  const asked = [...filters, isPublic(api), Query.orderDesc('$createdAt')]
  const queries = [...asked, Query.limit(size + 1), Query.select(SUMMARY_FIELDS)]
  if (after !== undefined) queries.push(Query.cursorAfter(after))
  const found = await resultOf(
    listCounted<PostSummary>(api, { queries, ...(after !== undefined && { before: 'true' }) }),
  )
  if (!found.ok) return found
  const { documents, total, before = 0 } = found.value
  const posts = documents.slice(0, size).map((post) => withAuthor(api.settings, post))
  const isLast = documents.length <= size
  const page = { posts, total, before, isLast, newer: after === undefined ? undefined : '' }
  if (after === undefined || before <= size) return succeed(page)
  const front = [Query.limit(size), Query.cursorBefore(after), Query.select(['$id'])]
  const ahead = await resultOf(
    listCounted<{ $id: string }>(api, { queries: [...asked, ...front], total: 'false' }),
  )
  // Without an answer the way leads to the newest posts.
  const last = ahead.ok && ahead.value.documents.length === size && ahead.value.documents[0]
  return succeed(last ? { ...page, newer: last.$id } : page)
}

/** The client's own method knows neither of the two ways of counting. */
function listCounted<Row>(
  { client, settings }: Api,
  asked: { queries: string[]; before?: string; total?: string },
): Promise<Documents<Row> & { before?: number }> {
  const path = `/databases/${settings.databaseId}/collections/${settings.collectionId}/documents`
  const call = client.call('get', new URL(client.config.endpoint + path), {}, asked)
  return call as Promise<unknown> as Promise<Documents<Row> & { before?: number }>
}

/**
 * One page of the feed: active posts, newest first.
 *
 * @param after id of the last post already shown
 */
export function listFeed(api: Api, after?: string): Promise<Result<SummaryPage>> {
  return listPage(api, [isPublic(api)], { after, size: FEED_PAGE_POSTS })
}

/** The body of one post of the feed, for its excerpt; undefined when the call fails. */
export async function findContent(api: Api, slug: string): Promise<string | undefined> {
  const queries = [Query.equal('$id', slug), Query.limit(1), Query.select(['content'])]
  const found = await resultOf(list<{ content: string }>(api, queries))
  const body = found.ok ? found.value.documents[0]?.content : undefined
  return body === undefined ? undefined : shownBody(api.settings, body)
}

/** A page of someone's own active posts, newest first. */
export function listOwn(api: Api, userId: string, after?: string): Promise<Result<SummaryPage>> {
  const filters = [Query.equal('userid', userId), isPublic(api)]
  return listPage(api, filters, { after, size: OWN_PAGE_POSTS })
}

/** What the dashboard shows of a post that is not public. */
export type DraftSummary = Pick<
  PostDocument,
  | '$id'
  | '$updatedAt'
  | 'title'
  | 'status'
  | 'ownImage'
  | 'imageColor'
  | 'like'
  | 'hidden'
  | 'words'
>

/** `total` counts all of them. */
export type DraftPage = { posts: DraftSummary[]; total: number; isLast: boolean }

/** A page of someone's posts that are not public, the one saved last first. */
export async function listDrafts(
  api: Api,
  userId: string,
  after?: string,
): Promise<Result<DraftPage>> {
  const queries = [
    Query.equal('userid', userId),
    ...publicStatusesOf(api.settings).map((word) => Query.notEqual('status', word)),
    Query.orderDesc('$updatedAt'),
    Query.limit(OWN_PAGE_POSTS + 1),
    Query.select(DRAFT_FIELDS),
    ...(after === undefined ? [] : [Query.cursorAfter(after)]),
  ]
  const found = await resultOf(list<DraftSummary>(api, queries))
  if (!found.ok) return found
  const { documents, total } = found.value
  const isLast = documents.length <= OWN_PAGE_POSTS
  const posts = documents.slice(0, OWN_PAGE_POSTS).map((post) => toShown(api.settings, post))
  return succeed({ posts, total, isLast })
}

/**
 * Attributes that a program's collection requires may be missing (api.md §6.3): the form knows none
 * of them. It says so only when the post was refused for its attributes.
 *
 * @param slug becomes the id of the post, which never changes
 */
export async function createPost(
  api: Api,
  slug: string,
  written: PostData & { userid: string },
): Promise<Result<PostDocument>> {
  const { databases, settings } = api
  const data = { ...written, status: wordOf(settings, written.status) }
  const call = databases.createDocument(settings.databaseId, settings.collectionId, slug, data)
  const created = await resultOf(
    (call as Promise<unknown> as Promise<PostDocument>).then((post) => withAuthor(settings, post)),
  )
  const isIncomplete = !created.ok && created.failure.type === 'document_invalid_structure'
  return isIncomplete ? createIncomplete(api, slug, data) : created
}

/** The client's own method can not say that attributes are missing. */
function createIncomplete(
  { client, settings }: Api,
  slug: string,
  data: PostData & { userid: string },
): Promise<Result<PostDocument>> {
  const path = `/databases/${settings.databaseId}/collections/${settings.collectionId}/documents`
  const headers = { 'content-type': 'application/json' }
  const values = { documentId: slug, data, incomplete: true }
  const call = client.call('post', new URL(client.config.endpoint + path), headers, values)
  return resultOf(
    (call as Promise<unknown> as Promise<PostDocument>).then((post) => withAuthor(settings, post)),
  )
}

async function update(
  { databases, settings }: Api,
  slug: string,
  data: object,
): Promise<PostDocument> {
  const call = databases.updateDocument(settings.databaseId, settings.collectionId, slug, data)
  return withAuthor(settings, await (call as Promise<unknown> as Promise<PostDocument>))
}

/**
 * Saves a changed post, unless it was saved after `unlessNewerThan`: then the failure is
 * `document_update_conflict`.
 *
 * @param options `unlessNewerThan` is the `$updatedAt` of the version that was changed
 * @source api.md §1.1 `X-Appwrite-Timestamp`; the client's own method can not send a header of one
 *   call
 */
export async function updatePost(
  api: Api,
  slug: string,
  { data: written, unlessNewerThan }: { data: PostData; unlessNewerThan: string },
): Promise<Result<PostDocument>> {
  const { client, settings } = api
  const stored = settings.publicStatuses && (await findWord(api, slug))
  if (stored && !stored.ok) return stored
  const data = { ...written, status: wordOf(settings, written.status, stored?.value) }
  const path = `/databases/${settings.databaseId}/collections/${settings.collectionId}/documents/${slug}`
  const headers = { 'content-type': 'application/json', 'X-Appwrite-Timestamp': unlessNewerThan }
  const call = client.call('patch', new URL(client.config.endpoint + path), headers, { data })
  return resultOf(
    (call as Promise<unknown> as Promise<PostDocument>).then((post) => withAuthor(settings, post)),
  )
}

/** The status of a post as it is stored: whoever edits another part of it leaves the word alone. */
async function findWord({ databases, settings }: Api, slug: string): Promise<Result<string>> {
  const { databaseId, collectionId } = settings
  const call = databases.getDocument(databaseId, collectionId, slug, [Query.select(['status'])])
  const found = await resultOf(call as Promise<unknown> as Promise<PostDocument>)
  return found.ok ? succeed(found.value.status) : found
}

/** Deletes a post; the server removes its image too (api.md §10.2). */
export async function deletePost(
  { databases, settings }: Api,
  slug: string,
): Promise<Result<undefined>> {
  const deleted = await resultOf(
    databases.deleteDocument(settings.databaseId, settings.collectionId, slug),
  )
  return deleted.ok ? succeed(undefined) : deleted
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
  return resultOf(update(api, post.$id, { like, likeId }))
}
