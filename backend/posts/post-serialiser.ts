// Rows of posts -> the documents of answers (api.md §3.1), and the JSON text in which a row keeps
// its tags.

import { Refusal } from '#contract/errors.ts'
import { wireTime } from '#contract/ids.ts'
import type { PostDocument } from '#contract/posts.ts'
import type { Database } from '../database/schema.ts'
import type { Viewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { tagsAttribute } from '../post-texts/tags.ts'
import { parseExtras, TAGS } from './attributes.ts'
import * as store from './store.ts'
import { findLikedBy, findOldestLikers } from './store.ts'

/** Ids in `likeId` of an answer; `like` itself is exact. */
const LIKE_IDS_MAX = 1000

/** Ids in `likeId` of all posts of a page; shared evenly when there would be more. */
export const LIST_LIKE_IDS_MAX = 20_000

/** A whole document, or the attributes that were selected. */
export type ShownPost = PostDocument | Partial<PostDocument>

/** A stored body, and its cleaned form, which may be shown. */
export type CleanedBody = { stored: string; cleaned: string }

/** A post after a change, which saves reading it again. */
export type PostWithBody = { row: store.PostRow; cleanedBody?: CleanedBody | undefined }

/** Rows as documents, bodies as stored; `likeId` is empty where it is not shown. */
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
    publishedAt: row.publishedAt === '' ? null : wireTime(row.publishedAt),
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
  return hasLikeIds ? withOwnLikes(tx, viewer, documents) : documents
}

/** The length of `likeId` in an answer with so many posts. */
function likeIdsMax(posts: number): number {
  return Math.min(LIKE_IDS_MAX, Math.floor(LIST_LIKE_IDS_MAX / posts))
}

/**
 * One post for reading: its body is cleaned again. (Lists are read by programs; cleaning a whole
 * page of bodies would block other requests.)
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

/** A body that was just cleaned. */
export function asAlreadyClean(body: string): CleanedBody {
  return { stored: body, cleaned: body }
}

/** Called before the transaction: a transaction must not wait for the cleaning thread. */
export async function prepareCleanedBody(
  { db, postTexts }: PostsContext & { db: Database },
  { id, content: stored }: store.PostRow,
): Promise<CleanedBody> {
  return { stored, cleaned: await postTexts.cleanPost(db, id, stored) }
}

/** The answer to a change. @throws Refusal `document_not_found` */
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
 * @param select the attributes to answer with; undefined means all but those that must be named
 */
export function selectAttributes(
  document: PostDocument,
  row: store.PostRow,
  select: string[] | undefined,
): ShownPost {
  if (!select) return document
  const all: Record<string, unknown> = { [TAGS]: [], ...document, hidden: row.isHidden === 1 }
  const isWhole = select.includes('*')
  const names = isWhole ? select.filter((name) => name !== '*') : [...select, ...ALWAYS_SHOWN]
  const named = Object.fromEntries(names.map((name) => [name, all[name] ?? null]))
  return isWhole ? { ...document, ...named } : named
}

/** The oldest likes first, as many as `idsMax` of each post. Posts without a like are absent. */
async function findLikers(
  db: Database,
  posts: readonly { id: string; likes: number }[],
  idsMax: number,
): Promise<Map<string, string[]>> {
  const ids = posts.flatMap(({ id, likes }) => (likes > 0 ? [id] : []))
  return ids.length === 0 ? new Map() : findOldestLikers(db, ids, idsMax)
}

/** Adds the viewer's own like, at the end, where it is not among the oldest. */
async function withOwnLikes(db: Database, viewer: Viewer, documents: PostDocument[]) {
  if (viewer.role !== 'user') return documents
  const { userId } = viewer
  const cut = documents.filter(
    ({ like, likeId }) => like > likeId.length && !likeId.includes(userId),
  )
  if (cut.length === 0) return documents
  const ids = cut.map(({ $id }) => $id)
  const liked = await findLikedBy(db, userId, ids)
  return documents.map((document) =>
    liked.has(document.$id) ? { ...document, likeId: [...document.likeId, userId] } : document,
  )
}
