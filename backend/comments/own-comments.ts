// All comments by a user: for their data export, and when their account is deleted.

import type { Database } from '../database/schema.ts'
import type { UserViewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { readBatches } from '../process/batches.ts'
import * as store from './store.ts'

/** How many comments are in memory at once during an export. */
const EXPORT_BATCH_SIZE = 50

/** All comments by a user, oldest first. */
export async function* streamCommentsOf(
  { db }: PostsContext,
  { userId }: UserViewer,
): AsyncIterable<object> {
  for await (const rows of readBatches<store.OwnComment>(EXPORT_BATCH_SIZE, (page) =>
    store.listOwn(db, userId, page),
  ))
    for (const { id: $id, postId, parentId, status, content, ...times } of rows)
      yield {
        $id,
        postId,
        parentId,
        status,
        content,
        $createdAt: times.createdAt,
        editedAt: times.editedAt,
        hiddenAt: times.hiddenAt,
      }
}

/** How many comments are deleted at once. */
const DELETED_AT_ONCE = 200

/** Removes a full batch of comments. @returns whether fewer were left, and nothing was removed */
export async function removeCommentBatchOf(tx: Database, userId: string): Promise<boolean> {
  const seqs = await store.listLastOf(tx, userId, DELETED_AT_ONCE)
  if (seqs.length < DELETED_AT_ONCE) return true
  await store.deleteBatch(tx, seqs)
  return false
}

/** Runs in the transaction that ends an account, which has locked the posts of the comments. */
export async function removeCommentsOf(tx: Database, userId: string): Promise<void> {
  for (;;) {
    const seqs = await store.listLastOf(tx, userId, DELETED_AT_ONCE)
    if (seqs.length === 0) return
    await store.deleteBatch(tx, seqs)
  }
}
