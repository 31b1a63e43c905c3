// Deleted posts in SQL (tables `deletedPost`, `deletedLike` and `deletedRead`). Knows no rule.
import { type Selectable, sql } from 'kysely'
import { compiledOnce } from '../database/compiled.ts'
import { lockedAsReference } from '../database/dialect.ts'
import type { Database, DeletedPostTable } from '../database/schema.ts'
import type { PostRow } from './store.ts'

export type DeletedRow = Selectable<DeletedPostTable>

const SHOWN = [
  'seq',
  'id',
  'postId',
  'userId',
  'title',
  'featuredImage',
  'status',
  'attributes',
  'permissions',
  'readers',
  'isHidden',
  'createdAt',
  'updatedAt',
  'deletedAt',
] as const
export type ShownRow = Pick<DeletedRow, (typeof SHOWN)[number]> & { ownImage?: string }

/** The featured image where it is a file of the author, which deleted posts keep. */
function ownImage(bucketId: string) {
  return sql<string>`coalesce((select file.id from file where file.id = ${sql.ref('deletedPost.featuredImage')}
    and ${sql.ref('file.bucketId')} = ${bucketId} and ${sql.ref('file.isComplete')} = 1
    and (${sql.ref('file.userId')} = ${sql.ref('deletedPost.userId')} or ${sql.ref('file.userId')} is null)), '')`
}

/** Whose deleted posts; undefined for everybody's. */
export type DeletedScope = { userId: string | undefined; since: string }

/** Copies a post with its likes and reads; the post itself stays. */
export async function keepDeleted(
  tx: Database,
  post: PostRow,
  {
    id,
    deletedAt,
    isHidden,
    tags,
  }: { id: string; deletedAt: string; isHidden: boolean; tags: string },
): Promise<void> {
  const { id: postId, userId, title, content, featuredImage, status } = post
  const { permissions, readers, createdAt, updatedAt, attributes, spellings } = post
  await tx
    .insertInto('deletedPost')
    .values({
      ...{ id, postId, userId, title, content, featuredImage, status, permissions, readers },
      ...{
        createdAt,
        updatedAt,
        deletedAt,
        isHidden: Number(isHidden),
        attributes,
        spellings,
        tags,
      },
    })
    .execute()
  await tx
    .insertInto('deletedLike')
    .columns(['deletedId', 'userId', 'createdAt', 'place'])
    .expression((eb) =>
      eb
        .selectFrom('postLike')
        .select([sql<string>`${id}`.as('deletedId'), 'userId', 'createdAt', 'seq'])
        .where('postId', '=', postId),
    )
    .execute()
  await tx
    .insertInto('deletedRead')
    .columns(['deletedId', 'day', 'count'])
    .expression((eb) =>
      eb
        .selectFrom('postRead')
        .select([sql<string>`${id}`.as('deletedId'), 'day', 'count'])
        .where('postId', '=', postId),
    )
    .execute()
}

/** @param post the restored one */
export async function bringReadsBack(
  tx: Database,
  deletedId: string,
  { id, userId }: { id: string; userId: string },
): Promise<void> {
  await tx
    .insertInto('postRead')
    .columns(['postId', 'day', 'userId', 'count'])
    .expression((eb) =>
      eb
        .selectFrom('deletedRead')
        .select([sql<string>`${id}`.as('postId'), 'day', sql<string>`${userId}`.as('userId')])
        .select('count')
        .where('deletedId', '=', deletedId),
    )
    .execute()
}

/**
 * The likes of a restored post, in the order they were given, without those of accounts that are
 * deleted at that moment.
 */
export async function bringLikesBack(
  tx: Database,
  deletedId: string,
  postId: string,
): Promise<void> {
  const likers = tx
    .selectFrom('user')
    .select('id')
    .where('id', 'in', (eb) =>
      eb.selectFrom('deletedLike').select('userId').where('deletedId', '=', deletedId),
    )
  await lockedAsReference(tx, likers.orderBy('id')).execute()
  await tx
    .insertInto('postLike')
    .columns(['postId', 'userId', 'createdAt'])
    .expression((eb) =>
      eb
        .selectFrom('deletedLike')
        .select([sql<string>`${postId}`.as('postId'), 'userId', 'createdAt'])
        .where('deletedId', '=', deletedId)
        .orderBy('place'),
    )
    .execute()
}

/** Whether the id belongs to a deleted post of somebody else. */
export async function isKeptForOther(
  tx: Database,
  postId: string,
  userId: string,
): Promise<boolean> {
  return (await findOfOther(tx, { postId, userId })).rows.length > 0
}

const findOfOther = compiledOnce((tx, { postId, userId }: { postId: string; userId: string }) =>
  tx
    .selectFrom('deletedPost')
    .select('id')
    .where('postId', '=', postId)
    .where('userId', '!=', userId)
    .limit(1),
)

/** Newest first, from before `before` on. */
export async function listDeleted(
  db: Database,
  { userId, since }: DeletedScope,
  {
    before,
    limit,
    imageBucketId,
  }: { before: number | undefined; limit: number; imageBucketId: string },
): Promise<ShownRow[]> {
  let query = db
    .selectFrom('deletedPost')
    .select(SHOWN)
    .select(ownImage(imageBucketId).as('ownImage'))
    .where('deletedAt', '>', since)
  if (userId !== undefined) query = query.where('userId', '=', userId)
  if (before !== undefined) query = query.where('seq', '<', before)
  return await query.orderBy('seq', 'desc').limit(limit).execute()
}

/** Counts no further than `most`. */
export async function countDeleted(
  db: Database,
  { userId, since }: DeletedScope,
  most: number,
): Promise<number> {
  let query = db.selectFrom('deletedPost').select('seq').where('deletedAt', '>', since)
  if (userId !== undefined) query = query.where('userId', '=', userId)
  const { total } = await db
    .selectFrom(query.limit(most).as('found'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

export async function findDeleted(db: Database, id: string): Promise<DeletedRow | undefined> {
  return await db.selectFrom('deletedPost').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Its likes, reads and versions go with it. @returns whether this call was the one */
export async function deleteForGood(tx: Database, id: string): Promise<boolean> {
  await tx.deleteFrom('deletedRead').where('deletedId', '=', id).execute()
  const gone = await tx
    .deleteFrom('deletedPost')
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return gone !== undefined
}

export async function findOver(
  db: Database,
  deletedBefore: string,
  limit: number,
): Promise<Pick<DeletedRow, 'id' | 'userId'>[]> {
  return await db
    .selectFrom('deletedPost')
    .select(['id', 'userId'])
    .where('deletedAt', '<=', deletedBefore)
    .orderBy('deletedAt')
    .limit(limit)
    .execute()
}

/** Oldest first, with their texts. */
export async function listDeletedOf(
  db: Database,
  userId: string,
  { after, limit }: { after: number; limit: number },
): Promise<DeletedRow[]> {
  return await db
    .selectFrom('deletedPost')
    .selectAll()
    .where('userId', '=', userId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()
}

export async function deleteAllOf(tx: Database, userId: string): Promise<void> {
  const own = tx.selectFrom('deletedPost').select('id').where('userId', '=', userId)
  await tx.deleteFrom('deletedRead').where('deletedId', 'in', own).execute()
  await tx.deleteFrom('deletedPost').where('userId', '=', userId).execute()
}
