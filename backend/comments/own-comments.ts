// All that a person has written as comments: for their archive, when they are blocked, and when
// their account ends.
import type { Database } from '../database/schema.ts'
import { makeTurns } from '../database/transaction.ts'
import type { UserViewer } from '../http/viewer.ts'
import { readBatches } from '../process/batches.ts'
import type { CommentNeeds } from './needs.ts'
import * as store from './store.ts'

/** Comments held in memory at once while all of a person are read. */
const BATCH = 50

/** Everything that a person wrote, oldest first, for their archive. */
export async function* streamCommentsOf(
  { db }: Pick<CommentNeeds, 'db'>,
  { userId }: UserViewer,
): AsyncIterable<object> {
  for await (const rows of readBatches<store.OwnComment>(BATCH, (page) =>
    store.listOwn(db, userId, page),
  ))
    for (const { id: $id, postId, parentId, status, content, ...times } of rows)
      yield {
        ...{ $id, postId, parentId, status, content },
        ...{ $createdAt: times.createdAt, editedAt: times.editedAt, hiddenAt: times.hiddenAt },
      }
}

/** In the transaction that ends an account; the posts it has to do with are locked before. */
export async function removeCommentsOf(tx: Database, userId: string): Promise<void> {
  await store.deleteAllOf(tx, userId)
}

/** Comments of one person that are hidden, or shown again, by one statement. */
const OF_PERSON_BATCH = 200

/**
 * Hides all that a person wrote in the blog, or shows what was hidden so at that moment. Its
 * writer is locked.
 */
export async function hideEverythingOf(
  tx: Database,
  userId: string,
  at: string,
  isHidden: boolean,
): Promise<void> {
  await store.lockDiscussionsOf(tx, userId)
  const turn = makeTurns()
  for (let afterSeq = 0; ; await turn()) {
    const asked = { userId, afterSeq, limit: OF_PERSON_BATCH }
    const seqs = isHidden
      ? await store.hideSome(tx, { ...asked, at })
      : await store.showSome(tx, { ...asked, at })
    if (seqs.length < OF_PERSON_BATCH) return
    afterSeq = Math.max(...seqs)
  }
}
