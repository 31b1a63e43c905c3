// The calls about posts. Outcomes as product.md §8: a failed get or delete is false, a failed
// create, update or list is undefined, and why goes to `report`. Knows nothing of screens.

import { Query } from 'appwrite'
import { FEED_PAGE_POSTS, LIST_LIMIT_MAX } from '#contract/limits.ts'
import type { PostDocument, PostStatus } from '#contract/posts.ts'
import type { Api } from '../api/client.ts'
import { orFalse, orNothing, type Report } from '../api/result.ts'

/** What a card shows; the body is not fetched with it. */
export type PostSummary = Pick<
  PostDocument,
  | '$id'
  | '$createdAt'
  | 'title'
  | 'featuredImage'
  | 'imageColor'
  | 'status'
  | 'userid'
  | 'userName'
  | 'like'
>
/**
 * One page of a list. `isLast`: nothing follows it. `total` stops at the server's bound, and counts
 * no post that is gone by now.
 */
export type SummaryPage = { posts: PostSummary[]; total: number; isLast: boolean }

/**
 * Posts on one page of the dashboard: one less than a call may ask for, since one more than is
 * shown tells whether more follow.
 */
export const OWN_PAGE_POSTS = LIST_LIMIT_MAX - 1

/** What a person can set on a post. */
export type PostValues = {
  title: string
  content: string
  featuredImage: string
  status: PostStatus
}

const SUMMARY_FIELDS = [
  '$id',
  '$createdAt',
  'title',
  'featuredImage',
  'imageColor',
  'status',
  'userid',
  'userName',
  'like',
]
/** Everything, and the colour that only comes when it is named. */
const WHOLE_FIELDS = ['*', 'imageColor']

/** The client types documents as having any field; these are the two that matter, once. */
type Documents<Row> = { total: number; documents: Row[] }

function list<Row>({ databases, settings }: Api, queries: string[]): Promise<Documents<Row>> {
  return databases.listDocuments(
    settings.databaseId,
    settings.collectionId,
    queries,
  ) as Promise<unknown> as Promise<Documents<Row>>
}

export function readPost({ databases, settings }: Api, slug: string): Promise<PostDocument> {
  const queries = [Query.select(WHOLE_FIELDS)]
  return databases.getDocument(
    settings.databaseId,
    settings.collectionId,
    slug,
    queries,
  ) as Promise<unknown> as Promise<PostDocument>
}

export function findPost(api: Api, slug: string, report?: Report): Promise<PostDocument | false> {
  return orFalse(readPost(api, slug), report)
}

/** @param found one post more than the page shows, if there is one */
function toPage(found: Documents<PostSummary> | undefined, size: number): SummaryPage | undefined {
  return (
    found && {
      posts: found.documents.slice(0, size),
      total: found.total,
      isLast: found.documents.length <= size,
    }
  )
}

/**
 * One page of the feed: active posts, newest first.
 *
 * @param after id of the last post already shown
 */
export async function listFeed(
  api: Api,
  { after, report }: { after?: string | undefined; report?: Report },
): Promise<SummaryPage | undefined> {
  const queries = [
    Query.equal('status', 'active'),
    Query.orderDesc('$createdAt'),
    Query.limit(FEED_PAGE_POSTS + 1),
    Query.select(SUMMARY_FIELDS),
    ...(after === undefined ? [] : [Query.cursorAfter(after)]),
  ]
  return toPage(await orNothing(list<PostSummary>(api, queries), report), FEED_PAGE_POSTS)
}

/** The body of one post of the feed, for its excerpt; undefined when it can not be had. */
export async function findContent(api: Api, slug: string): Promise<string | undefined> {
  const page = await orNothing(
    list<{ content: string }>(api, [
      Query.equal('$id', slug),
      Query.limit(1),
      Query.select(['content']),
    ]),
  )
  return page?.documents[0]?.content
}

/** A page of someone's own posts, active or not, newest first. */
export async function listOwn(
  api: Api,
  userId: string,
  { after, report }: { after?: string | undefined; report?: Report },
): Promise<SummaryPage | undefined> {
  const queries = [
    Query.equal('userid', userId),
    Query.orderDesc('$createdAt'),
    Query.limit(OWN_PAGE_POSTS + 1),
    Query.select(SUMMARY_FIELDS),
    ...(after === undefined ? [] : [Query.cursorAfter(after)]),
  ]
  return toPage(await orNothing(list<PostSummary>(api, queries), report), OWN_PAGE_POSTS)
}

/** How many of someone's posts are active. */
export async function countActive(api: Api, userId: string): Promise<number | undefined> {
  const queries = [
    Query.equal('userid', userId),
    Query.equal('status', 'active'),
    Query.limit(1),
    Query.select(['$id']),
  ]
  return (await orNothing(list<{ $id: string }>(api, queries)))?.total
}

/** @param slug the id that the post gets, for good */
export function createPost(
  { databases, settings }: Api,
  slug: string,
  { values, report }: { values: PostValues & { userid: string }; report?: Report },
): Promise<PostDocument | undefined> {
  const call = databases.createDocument(settings.databaseId, settings.collectionId, slug, values)
  return orNothing(call as Promise<unknown> as Promise<PostDocument>, report)
}

function update({ databases, settings }: Api, slug: string, data: object): Promise<PostDocument> {
  return databases.updateDocument(
    settings.databaseId,
    settings.collectionId,
    slug,
    data,
  ) as Promise<unknown> as Promise<PostDocument>
}

/**
 * Saves a changed post, unless somebody saved it after `unlessNewerThan`: then the failure is
 * `document_update_conflict`.
 *
 * @param options `unlessNewerThan` is the `$updatedAt` of the version that was changed
 * @source api.md §1.1 `X-Appwrite-Timestamp`; the client's own method can not send a header of one
 *   call
 */
export function updatePost(
  { client, settings }: Api,
  slug: string,
  {
    values,
    unlessNewerThan,
    report,
  }: { values: PostValues; unlessNewerThan: string; report?: Report },
): Promise<PostDocument | undefined> {
  const path = `/databases/${settings.databaseId}/collections/${settings.collectionId}/documents/${slug}`
  const headers = { 'content-type': 'application/json', 'X-Appwrite-Timestamp': unlessNewerThan }
  const call = client.call('patch', new URL(client.config.endpoint + path), headers, {
    data: values,
  })
  return orNothing(call as Promise<unknown> as Promise<PostDocument>, report)
}

/** Deletes a post; the server removes its image too (api.md §10.2). */
export async function deletePost(
  { databases, settings }: Api,
  slug: string,
  report?: Report,
): Promise<boolean> {
  return (
    (await orFalse(
      databases.deleteDocument(settings.databaseId, settings.collectionId, slug),
      report,
    )) !== false
  )
}

/**
 * Says whether the viewer likes a post, as product.md §7: the count and the ids as this browser
 * knows them, with the viewer's own wish worked in. The server takes the wish and answers what is
 * true (api.md §10.3).
 *
 * @param wish `isLiked` is what the viewer wants, not a toggle
 */
export function setLike(
  api: Api,
  post: Pick<PostDocument, '$id' | 'like' | 'likeId'>,
  { viewerId, isLiked, report }: { viewerId: string; isLiked: boolean; report?: Report },
): Promise<PostDocument | undefined> {
  const others = post.likeId.filter((id) => id !== viewerId)
  const wasLiked = others.length < post.likeId.length
  const like = post.like + Number(isLiked) - Number(wasLiked)
  return orNothing(
    update(api, post.$id, { like, likeId: isLiked ? [...others, viewerId] : others }),
    report,
  )
}
