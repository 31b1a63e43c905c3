// Undoes an import as one, in batches: its posts, except those that people have changed or
// commented on since, its pictures, comments, addresses, the accounts that it made for authors
// without posts, and the name of the blog. What is undone is marked, so that it can go on after an
// interruption.
import type { ImportProgress } from '#contract/archive.ts'
import { deleteUser } from '../../accounts/users.ts'
import { removeImportedComment } from '../../comments/imported-comments.ts'
import { removeImportedPost } from '../../comments/remove-imported-posts.ts'
import type { Database } from '../../database/schema.ts'
import { type AfterCommit, inTransaction } from '../../database/transaction.ts'
import { removeOwnIfUnused } from '../../files/sweep.ts'
import type { ArchiveContext } from '../context.ts'
import { NO_COUNTS, type WorkOptions } from './import-options.ts'
import * as store from './imports-store.ts'
import { undoSiteName } from './site-name.ts'
import { withRetries } from './with-retries.ts'

const AT_ONCE = 25

type Items = Awaited<ReturnType<typeof store.listItems>>
type Undoing = { runId: string; options: WorkOptions; done: number; total: number }

/**
 * Repeatable after a kill at any point, with the same end.
 *
 * @returns how many posts were removed, and how many stay because they were changed since
 */
export async function undoImport(
  context: ArchiveContext,
  { runId }: { runId: string },
  options: WorkOptions,
): Promise<{ removed: number; kept: number }> {
  const { db, background } = context
  const count = (kind: store.ItemKind) => store.countItems(db, runId, kind)
  const total = (await count('post')) + (await count('comment')) + (await count('picture'))
  const undoing: Undoing = { runId, options, done: 0, total }
  await undoAll(context, undoing, 'post', async (tx, afterCommit, items) => {
    const undone: number[] = []
    for (const { seq, targetId: id, digest } of items)
      if (await removeImportedPost(context, tx, afterCommit, { id, digest })) undone.push(seq)
    return undone
  })
  await undoAll(context, undoing, 'comment', (tx, _after, items) => undoComments(tx, runId, items))
  await undoAll(context, undoing, 'picture', async (tx, afterCommit, items) => {
    const ids = items.map(({ targetId }) => targetId)
    const used = await removeOwnIfUnused(context, tx, afterCommit, ids)
    return items.flatMap(({ seq, targetId }) => (used.has(targetId) ? [] : seq))
  })
  await undoAll(context, undoing, 'person', undoPeople)
  await undoSiteName(context, runId)
  return await inTransaction(db, background, async (tx) => {
    const removed = await store.countUndone(tx, runId, 'post')
    await store.deleteUndone(tx, runId)
    return { removed, kept: await store.countItems(tx, runId, 'post') }
  })
}

/** @param undo undoes some items, and returns the `seq` of those that are undone */
async function undoAll(
  { db, background }: ArchiveContext,
  undoing: Undoing,
  kind: store.ItemKind,
  undo: (tx: Database, afterCommit: AfterCommit, items: Items) => Promise<number[]>,
): Promise<void> {
  const { runId, options } = undoing
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    options.signal.throwIfAborted()
    const items = await store.listItems(db, { runId, kind, before, limit: AT_ONCE })
    const last = items.at(-1)
    if (!last) return
    await withRetries(() =>
      inTransaction(db, background, async (tx, afterCommit) => {
        await store.markUndone(tx, await undo(tx, afterCommit, items))
      }),
    )
    undoing.done += kind === 'person' ? 0 : items.length
    reportProgress(undoing)
    before = Number(last.seq)
  }
}

function reportProgress({ options, done, total }: Undoing): void {
  const progress: ImportProgress = { phase: 'undo', done, total, name: '', imported: NO_COUNTS }
  options.onProgress(progress)
}

/** Comments on posts of other runs; those of a post that stays, stay with it. */
async function undoComments(tx: Database, runId: string, items: Items): Promise<number[]> {
  const kept = await store.findKeptPosts(
    tx,
    runId,
    items.map(({ targetId }) => targetId),
  )
  const undone: number[] = []
  // The newest come first, so replies before the comment that they are below.
  for (const { seq, targetId } of items)
    if (!kept.has(targetId) && (await removeImportedComment(tx, targetId))) undone.push(seq)
  return undone
}

async function undoPeople(tx: Database, _after: AfterCommit, items: Items): Promise<number[]> {
  const empty = new Set(
    await store.listEmptyUnclaimed(
      tx,
      items.map(({ targetId }) => targetId),
    ),
  )
  for (const { targetId } of items) if (empty.has(targetId)) await deleteUser(tx, targetId)
  return items.flatMap(({ seq, targetId }) => (empty.has(targetId) ? seq : []))
}
