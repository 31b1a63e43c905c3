// Rows of posts -> the documents of answers (api.md §3.1). Knows no rule about who may see them.
import { Refusal } from '#contract/errors.ts'
import { wireTime } from '#contract/ids.ts'
import { LIKE_IDS_MAX, LIST_LIKE_IDS_MAX } from '#contract/limits.ts'
import type { PostDocument, PostStatus } from '#contract/posts.ts'
import type { Database } from '../database/schema.ts'
import type { Viewer } from '../http/viewer.ts'
import type { BodyCleaner } from './clean-again.ts'
import { findLikes } from './likes-store.ts'
import * as store from './store.ts'

export type AnswerNeeds = { databaseId: string; collectionId: string; bodies: BodyCleaner }

/** A whole document, or the attributes that were selected. */
export type ShownPost = PostDocument | Partial<PostDocument>

/** What of a post costs extra to find. */
export type ShownParts = { hasLikes: boolean }

/** The rows with their likes (none when they are not shown), bodies as stored. */
export async function toDocuments(
  { databaseId, collectionId }: Pick<AnswerNeeds, 'databaseId' | 'collectionId'>,
  tx: Database,
  viewer: Viewer,
  rows: store.PostRow[],
  { hasLikes }: ShownParts = { hasLikes: true },
): Promise<PostDocument[]> {
  const likes = await findLikes(tx, hasLikes ? rows.map(({ id }) => id) : [], {
    idsMax: Math.min(LIKE_IDS_MAX, Math.floor(LIST_LIKE_IDS_MAX / Math.max(1, rows.length))),
    ownId: viewer.role === 'user' ? viewer.userId : undefined,
  })
  return rows.map((row) => ({
    title: row.title,
    content: row.content,
    featuredImage: row.featuredImage,
    status: row.status as PostStatus,
    userid: row.userId,
    ...(likes.get(row.id) ?? { like: 0, likeId: [] }),
    userName: row.userName,
    $id: row.id,
    $createdAt: wireTime(row.createdAt),
    $updatedAt: wireTime(row.updatedAt),
    $permissions: JSON.parse(row.permissions) as string[],
    $databaseId: databaseId,
    $collectionId: collectionId,
    ...(row.imageColor === undefined ? {} : { imageColor: row.imageColor }),
    ...(row.userAvatar === undefined ? {} : { userAvatar: row.userAvatar }),
    ...(row.words === undefined ? {} : { words: row.words }),
  }))
}

/**
 * One post for reading: its body is cleaned again. (Lists are read by programs; cleaning a whole
 * page of bodies would block other requests.)
 */
export async function toDocument(
  needs: AnswerNeeds,
  tx: Database,
  viewer: Viewer,
  row: store.PostRow,
  parts?: ShownParts,
): Promise<PostDocument> {
  const [document] = await toDocuments(needs, tx, viewer, [row], parts)
  if (!document) throw new Refusal('document_not_found')
  return { ...document, content: await needs.bodies.show(tx, row.id, document.content) }
}

/** @throws Refusal `document_not_found` */
export async function readDocument(
  needs: AnswerNeeds,
  tx: Database,
  viewer: Viewer,
  id: string,
): Promise<PostDocument> {
  const row = await store.findPost(tx, id)
  if (!row) throw new Refusal('document_not_found')
  return toDocument(needs, tx, viewer, row)
}

const ALWAYS_SHOWN: readonly string[] = ['$databaseId', '$collectionId']

/** Likes are counted and listed only for answers that show them. */
export function partsOf(select: string[] | undefined): ShownParts {
  return { hasLikes: !select || select.includes('like') || select.includes('likeId') }
}

/** @param select the attributes asked for; undefined means all but those that must be named */
export function selectAttributes(
  document: PostDocument,
  row: store.PostRow,
  select: string[] | undefined,
): ShownPost {
  if (!select) return document
  return Object.fromEntries(
    Object.entries({ ...document, hidden: row.isHidden === 1 }).filter(
      ([name]) => select.includes(name) || ALWAYS_SHOWN.includes(name),
    ),
  )
}
