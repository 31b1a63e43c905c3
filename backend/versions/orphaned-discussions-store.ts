// SQL of orphaned discussions, whose posts are deleted for good, with their comments and likes.
import { withRowLock } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'

/** Oldest first. */
export async function listOrphaned(db: Database, limit: number): Promise<number[]> {
  const orphaned = db
    .selectFrom('discussion')
    .select('seq')
    .where('postId', 'is', null)
    .where('deletedId', 'is', null)
  return (await orphaned.orderBy('seq').limit(limit).execute()).map(({ seq }) => seq)
}

/** Locks the discussion until the transaction ends. @returns whether it still exists */
export async function lockDiscussion(tx: Database, seq: number): Promise<boolean> {
  const discussion = tx.selectFrom('discussion').select('seq').where('seq', '=', seq)
  return (await withRowLock(tx, discussion).executeTakeFirst()) !== undefined
}

/** Deletes replies before their parents. @returns the number of deleted comments */
export async function deleteCommentBatch(tx: Database, discussionSeq: number, limit: number) {
  const comments = tx.selectFrom('comment').select('seq').where('discussionSeq', '=', discussionSeq)
  const rows = await comments.orderBy('seq', 'desc').limit(limit).execute()
  return await deleteRows(tx, 'comment', rows)
}

/** @returns the number of deleted likes */
export async function deleteLikeBatch(tx: Database, discussionSeq: number, limit: number) {
  const likes = tx.selectFrom('postLike').select('seq').where('discussionSeq', '=', discussionSeq)
  return await deleteRows(tx, 'postLike', await likes.orderBy('seq').limit(limit).execute())
}

/** @returns the number of deleted likes */
export async function deleteLikeBatchBy(tx: Database, userId: string, limit: number) {
  const likes = tx.selectFrom('postLike').select('seq').where('userId', '=', userId)
  return await deleteRows(tx, 'postLike', await likes.limit(limit).execute())
}

async function deleteRows(
  tx: Database,
  table: 'comment' | 'postLike',
  rows: { seq: number }[],
): Promise<number> {
  const seqs = rows.map(({ seq }) => seq)
  if (seqs.length > 0) await tx.deleteFrom(table).where('seq', 'in', seqs).execute()
  return rows.length
}

export async function deleteDiscussion(tx: Database, seq: number): Promise<void> {
  await tx.deleteFrom('discussion').where('seq', '=', seq).execute()
}
