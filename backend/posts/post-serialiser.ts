// Serialises rows of posts to the documents of answers (api.md §3.1).

import { Refusal } from '#contract/errors.ts'
import { wireTime } from '#contract/ids.ts'
import type { PostDocument, PublishProblem } from '#contract/posts.ts'
import type { Database } from '../database/schema.ts'
import type { Viewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { tagsAttribute } from '../post-texts/tags.ts'
import { isPage } from './access.ts'
import { parseExtras, TAGS } from './attributes.ts'
import { parseDetails } from './post-details.ts'
import * as store from './store.ts'
import { findLikedBy, findOldestLikers } from './store.ts'

/** Ids in `likeId` of a post; `like` itself is exact. */
const LIKE_IDS_MAX = 1000

/** Ids in `likeId` of all posts of a page together; each post gets an equal share. */
export const LIST_LIKE_IDS_MAX = 20_000

/** A whole document, or the attributes that were selected. */
export type ShownPost = PostDocument | Partial<PostDocument>

/** A stored body and its cleaned form. */
export type CleanedBody = { stored: string; cleaned: string }

/** A changed post that is passed on, so that it need not be read again. */
export type PostWithBody = { row: store.PostRow; cleanedBody?: CleanedBody | undefined }

/** Rows as documents, with bodies as stored; `likeId` is empty without `hasLikeIds`. */
export async function toDocuments(
  context: PostsContext,
  tx: Database,
  viewer: Viewer,
  rows: store.PostRow[],
  { hasLikeIds = true }: { hasLikeIds?: boolean } = {},
): Promise<PostDocument[]> {
  if (rows.length === 0) return []
  const likers = await findLikers(tx, hasLikeIds ? rows : [], likeIdsMax(rows.length))
  const { databaseId, collectionId } = context
  const documents = rows.map((row) => ({
    ...parseExtras(row.attributes),
    ...tagsAttribute(row),
    ...parseDetails(row.details),
    ...(row.commentsClosed === 1 ? { commentsClosed: true } : {}),
    ...(row.publishProblem === '' ? {} : { publishProblem: row.publishProblem as PublishProblem }),
    publishedAt: findPublicationTime(row),
    ...(isPage(row) ? { page: true } : {}),
    title: row.title,
    content: row.content,
    featuredImage: row.featuredImage,
    status: row.status,
    userid: row.userId,
    like: row.likes,
    likeId: likers.get(row.id) ?? [],
    userName: row.userName,
    $id: row.id,
    $sequence: row.seq,
    $createdAt: wireTime(row.createdAt),
    $updatedAt: wireTime(row.updatedAt),
    $permissions: JSON.parse(row.permissions) as string[],
    $databaseId: databaseId,
    $collectionId: collectionId,
    ...(row.imageColor === undefined ? {} : { imageColor: row.imageColor }),
    ...(row.userAvatar === undefined ? {} : { userAvatar: row.userAvatar }),
    ...(row.ownImage === undefined ? {} : { ownImage: row.ownImage }),
    ...(row.words === undefined ? {} : { words: row.words }),
    ...(row.comments === undefined ? {} : { comments: row.comments }),
  }))
  return hasLikeIds ? addOwnLikes(tx, viewer, documents) : documents
}

/** Of a scheduled post, when it will be published; null for a post without such a time. */
function findPublicationTime({ publishAt, publishedAt }: store.PostRow): string | null {
  const time = publishAt || publishedAt
  return time === '' ? null : wireTime(time)
}

/** The maximal length of `likeId` in an answer with `postCount` posts. */
function likeIdsMax(postCount: number): number {
  return Math.min(LIKE_IDS_MAX, Math.floor(LIST_LIKE_IDS_MAX / postCount))
}

/**
 * One post with a cleaned body. (Lists have stored bodies: cleaning all bodies of a page would
 * block other requests.)
 */
export async function toDocument(
  context: PostsContext,
  tx: Database,
  viewer: Viewer,
  row: store.PostRow,
  { cleanedBody, ...parts }: { hasLikeIds?: boolean } & Pick<PostWithBody, 'cleanedBody'> = {},
): Promise<PostDocument> {
  const [document] = await toDocuments(context, tx, viewer, [row], parts)
  if (!document) throw new Refusal('document_not_found')
  const { id, content: body } = row
  if (body === '') return document
  const content =
    cleanedBody?.stored === body
      ? cleanedBody.cleaned
      : await context.postTexts.cleanPost(tx, id, body)
  return { ...document, content }
}

/** For a body that was cleaned before it was stored. */
export function asAlreadyClean(body: string): CleanedBody {
  return { stored: body, cleaned: body }
}

/** Called before a transaction, which must not wait for the cleaning worker. */
export async function prepareCleanedBody(
  { db, postTexts }: PostsContext & { db: Database },
  { id, content: stored }: store.PostRow,
): Promise<CleanedBody> {
  return { stored, cleaned: await postTexts.cleanPost(db, id, stored) }
}

/** A post read again, as the answer to a change. @throws Refusal `document_not_found` */
export async function readDocument(
  context: PostsContext,
  tx: Database,
  viewer: Viewer,
  id: string,
  cleanedBody?: CleanedBody,
): Promise<PostDocument> {
  const row = await store.findPost(tx, id)
  if (!row) throw new Refusal('document_not_found')
  return toDocument(context, tx, viewer, row, { cleanedBody })
}

const ALWAYS_SHOWN: readonly string[] = ['$databaseId', '$collectionId']

/**
 * @param select the requested attributes; undefined for all that need not be named
 */
export function selectAttributes(
  document: PostDocument,
  row: store.PostRow,
  select: string[] | undefined,
): ShownPost {
  if (!select) return document
  const attributes: Record<string, unknown> = {
    [TAGS]: [],
    ...document,
    hidden: row.isHidden === 1,
  }
  const isAll = select.includes('*')
  const names = isAll ? select.filter((name) => name !== '*') : [...select, ...ALWAYS_SHOWN]
  const selected = Object.fromEntries(names.map((name) => [name, attributes[name] ?? null]))
  return isAll ? { ...document, ...selected } : selected
}

/** The `idsMax` oldest likes of each post. Posts without a like are absent. */
async function findLikers(
  db: Database,
  posts: readonly { id: string; likes: number }[],
  idsMax: number,
): Promise<Map<string, string[]>> {
  const ids = posts.flatMap(({ id, likes }) => (likes > 0 ? [id] : []))
  return ids.length === 0 ? new Map() : findOldestLikers(db, ids, idsMax)
}

/** Adds the viewer's own like at the end of `likeId`, if it is not among the oldest. */
async function addOwnLikes(db: Database, viewer: Viewer, documents: PostDocument[]) {
  if (viewer.role !== 'user') return documents
  const { userId } = viewer
  const truncated = documents.filter(
    ({ like, likeId }) => like > likeId.length && !likeId.includes(userId),
  )
  if (truncated.length === 0) return documents
  const ids = truncated.map(({ $id }) => $id)
  const liked = await findLikedBy(db, userId, ids)
  return documents.map((document) =>
    liked.has(document.$id) ? { ...document, likeId: [...document.likeId, userId] } : document,
  )
}
