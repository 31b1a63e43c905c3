// All that a person has written as comments: for their archive, and when their account ends.

import type { Database } from '../database/schema.ts'
import type { UserViewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { readBatches } from '../process/batches.ts'
import * as store from './store.ts'

/** Comments held in memory at once while all of a person are read. */
const BATCH = 50

/** Everything that a person wrote, oldest first, for their archive. */
export async function* streamCommentsOf(
  { db }: PostsContext,
  { userId }: UserViewer,
): AsyncIterable<object> {
  for await (const rows of readBatches<store.OwnComment>(BATCH, (page) =>
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

/** Comments of one person that go by one statement. */
const REMOVED_AT_ONCE = 200

/** Removes some of what a person wrote, if it is much. @returns whether little is left */
export async function removeCommentBatchOf(tx: Database, userId: string): Promise<boolean> {
  const seqs = await store.listLastOf(tx, userId, REMOVED_AT_ONCE)
  if (seqs.length < REMOVED_AT_ONCE) return true
  await store.deleteBatch(tx, seqs)
  return false
}

/** In the transaction that ends an account; the posts it has to do with are locked before. */
export async function removeCommentsOf(tx: Database, userId: string): Promise<void> {
  for (;;) {
    const seqs = await store.listLastOf(tx, userId, REMOVED_AT_ONCE)
    if (seqs.length === 0) return
    await store.deleteBatch(tx, seqs)
  }
}
