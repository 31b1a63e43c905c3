// Deletes the comments and likes of posts that were deleted for good. Their discussion no longer
// belongs to a post, so nobody can read them; small transactions delete the rows, also after a
// restart.
import type { Database } from '../database/schema.ts'
import { afterCommitOf, databaseOf, ensureTransaction } from '../database/transaction.ts'
import { makeOneAtATime } from '../process/one-at-a-time.ts'
import * as store from './orphaned-discussions-store.ts'

/** Comments or likes that are deleted in one transaction. */
const ROWS_AT_ONCE = 200
/** Discussions that are read at once. */
const DISCUSSIONS_AT_ONCE = 20

/** Called in each transaction that deletes posts for good; the sweep runs after its commit. */
export function sweepDiscussionsAfterCommit(tx: Database): void {
  const db = databaseOf(tx)
  afterCommitOf(tx)('sweep of discussions', () => sweepDiscussions(db))
}

const oneAtATime = makeOneAtATime()

export function sweepDiscussions(db: Database, stopping?: AbortSignal): Promise<void> {
  return oneAtATime(db, async () => {
    for (;;) {
      const seqs = await store.listOrphaned(db, DISCUSSIONS_AT_ONCE)
      if (seqs.length === 0) return
      for (const seq of seqs) {
        if (stopping?.aborted) return
        await ensureTransaction(db, (tx) => deleteRowsOf(tx, seq))
      }
    }
  })
}

/** Deletes one batch of rows, and after the last one the discussion itself. */
async function deleteRowsOf(tx: Database, seq: number): Promise<void> {
  if (!(await store.lockDiscussion(tx, seq))) return
  const comments = await store.deleteCommentBatch(tx, seq, ROWS_AT_ONCE)
  if (comments === ROWS_AT_ONCE) return
  const likes = await store.deleteLikeBatch(tx, seq, ROWS_AT_ONCE - comments)
  if (comments + likes < ROWS_AT_ONCE) await store.deleteDiscussion(tx, seq)
}
