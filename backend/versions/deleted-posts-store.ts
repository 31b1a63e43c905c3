// SQL of deleted posts (tables `deletedPost` and `deletedRead`).
import { type Selectable, sql } from 'kysely'
import { withRowLock } from '../database/dialect.ts'
import type { Database, DeletedPostTable } from '../database/schema.ts'
import type { PostRow } from '../posts/store.ts'
import type { Page } from '../process/batches.ts'
import { makeYieldToEventLoop } from '../process/event-loop.ts'

export type DeletedRow = Selectable<DeletedPostTable>

const COLUMNS = [
  'seq',
  'id',
  'postId',
  'userId',
  'title',
  'featuredImage',
  'status',
  'attributes',
  'createdAt',
  'updatedAt',
  'publishedAt',
  'deletedAt',
] as const

export type DeletedSummary = Pick<DeletedRow, (typeof COLUMNS)[number]> & { ownImage?: string }

/** The id of the featured image, if it is a complete file of the author; otherwise empty. */
function ownImage(bucketId: string) {
  return sql<string>`coalesce((select file.id from file where file.id = ${sql.ref('deletedPost.featuredImage')}
    and ${sql.ref('file.bucketId')} = ${bucketId} and ${sql.ref('file.isComplete')} = 1
    and (${sql.ref('file.userId')} = ${sql.ref('deletedPost.userId')} or ${sql.ref('file.userId')} is null)), '')`
}

/** Deleted posts by a user, or by all users, that were deleted after `since`. */
export type DeletedScope = { userId: string | undefined; since: string; hasPages: boolean }

/** Copies a post and its read counts to the deleted posts; does not delete the post. */
export async function copyToDeleted(
  tx: Database,
  post: PostRow,
  deleted: Pick<DeletedRow, 'id' | 'deletedAt' | 'isHidden' | 'isRemoved' | 'tags'>,
): Promise<void> {
  const { id: postId, userId, title, content, featuredImage, status } = post
  const { permissions, readers, createdAt, updatedAt, publishedAt, attributes } = post
  const columns = { postId, userId, title, content, featuredImage, status, permissions, readers }
  const otherColumns = { createdAt, updatedAt, publishedAt, attributes }
  await tx
    .insertInto('deletedPost')
    .values({ ...deleted, ...columns, ...otherColumns })
    .execute()
  await sql`insert into "deletedRead" ("deletedId", day, count)
    select ${deleted.id}, day, count from "postRead" where "postId" = ${postId}`.execute(tx)
}

/** Copies the read counts of a deleted post to the restored one. */
export async function restoreReads(
  tx: Database,
  deletedId: string,
  { id, userId }: { id: string; userId: string },
): Promise<void> {
  await sql`insert into "postRead" ("postId", day, "userId", count)
    select ${id}, day, ${userId}, count from "deletedRead"
    where "deletedId" = ${deletedId}`.execute(tx)
}

/** Moves the details of a post to its deleted post. */
export async function moveDetailsToDeleted(tx: Database, postId: string, deletedId: string) {
  const details = tx.updateTable('postDetails').where('postId', '=', postId)
  await details.set({ postId: null, deletedId }).execute()
}

/** Moves the details of a deleted post to the restored one. */
export async function restoreDetails(tx: Database, deletedId: string, postId: string) {
  const details = tx.updateTable('postDetails').where('deletedId', '=', deletedId)
  await details.set({ postId, deletedId: null }).execute()
}

/** Moves the comments and likes of a post to its deleted post. */
export async function moveDiscussionToDeleted(tx: Database, postId: string, deletedId: string) {
  const discussion = tx.updateTable('discussion').where('postId', '=', postId)
  await discussion.set({ postId: null, deletedId }).execute()
}

/** Moves the comments and likes of a deleted post to the restored one. */
export async function restoreDiscussion(tx: Database, deletedId: string, postId: string) {
  const discussion = tx.updateTable('discussion').where('deletedId', '=', deletedId)
  const moved = discussion.set({ postId, deletedId: null }).returning('likes')
  const { likes = 0 } = (await moved.executeTakeFirst()) ?? {}
  if (likes > 0) await tx.updateTable('post').set({ likes }).where('id', '=', postId).execute()
}

function deletedPostsIn(db: Database, { userId, since, hasPages }: DeletedScope) {
  const all = db.selectFrom('deletedPost').where('deletedAt', '>', since)
  const deletedPosts = hasPages ? all : all.where('readers', '<>', 'page')
  return userId === undefined ? deletedPosts : deletedPosts.where('userId', '=', userId)
}

/** Newest first; only those with a `seq` below `before`. */
export async function listDeleted(
  db: Database,
  scope: DeletedScope,
  page: { before: number | undefined; limit: number; imageBucketId: string },
): Promise<DeletedSummary[]> {
  const { before = Number.MAX_SAFE_INTEGER, limit, imageBucketId } = page
  return await deletedPostsIn(db, scope)
    .select(COLUMNS)
    .select(ownImage(imageBucketId).as('ownImage'))
    .where('seq', '<', before)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
}

/** Counts up to `most`. */
export async function countDeleted(db: Database, scope: DeletedScope, most: number) {
  const { total } = await db
    .selectFrom(deletedPostsIn(db, scope).select('seq').limit(most).as('found'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

export async function findDeleted(db: Database, id: string): Promise<DeletedRow | undefined> {
  return await db.selectFrom('deletedPost').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Finds a batch of a user's posts, which it locks, and a batch of the user's deleted posts. */
export async function lockBatchOf(tx: Database, userId: string, limit: number) {
  const posts = tx.selectFrom('post').select('id').where('userId', '=', userId)
  const deleted = tx.selectFrom('deletedPost').select('id').where('userId', '=', userId)
  return {
    posts: await withRowLock(tx, posts.orderBy('seq').limit(limit)).execute(),
    deleted: await deleted.orderBy('seq').limit(limit).execute(),
  }
}

type Batch = Awaited<ReturnType<typeof lockBatchOf>>

/** Deletes these posts with everything that belongs to them. */
export async function deleteBatch(tx: Database, { posts, deleted }: Batch): Promise<void> {
  const yieldToEventLoop = makeYieldToEventLoop()
  for (const { id } of posts) {
    await tx.deleteFrom('post').where('id', '=', id).execute()
    await yieldToEventLoop()
  }
  for (const { id } of deleted) {
    await purgeDeleted(tx, id)
    await yieldToEventLoop()
  }
}

/**
 * Deletes a deleted post with its read counts and versions. @returns whether this call deleted it
 */
export async function purgeDeleted(tx: Database, id: string): Promise<boolean> {
  await tx.deleteFrom('deletedRead').where('deletedId', '=', id).execute()
  const deleted = tx.deleteFrom('deletedPost').where('id', '=', id).returning('id')
  return (await deleted.executeTakeFirst()) !== undefined
}

/** Posts that were deleted at `cutoff` or earlier. */
export async function listExpired(db: Database, cutoff: string, limit: number) {
  return await db
    .selectFrom('deletedPost')
    .select(['id', 'userId'])
    .where('deletedAt', '<=', cutoff)
    .orderBy('deletedAt')
    .limit(limit)
    .execute()
}

/** Deleted posts by a user with their texts, oldest first. */
export async function listDeletedOf(
  db: Database,
  userId: string,
  { after, limit }: Page<DeletedRow>,
): Promise<(DeletedRow & { details: string })[]> {
  return await db
    .selectFrom('deletedPost')
    .leftJoin('postDetails', 'postDetails.deletedId', 'deletedPost.id')
    .selectAll('deletedPost')
    .select((eb) => eb.fn.coalesce('postDetails.details', sql.lit('')).as('details'))
    .where('deletedPost.userId', '=', userId)
    .where('deletedPost.seq', '>', after?.seq ?? 0)
    .orderBy('deletedPost.seq')
    .limit(limit)
    .execute()
}

export async function purgeAllOf(tx: Database, userId: string): Promise<void> {
  const deletedIds = tx.selectFrom('deletedPost').select('id').where('userId', '=', userId)
  await tx.deleteFrom('deletedRead').where('deletedId', 'in', deletedIds).execute()
  await tx.deleteFrom('deletedPost').where('userId', '=', userId).execute()
}
