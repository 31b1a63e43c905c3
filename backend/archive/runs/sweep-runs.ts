// Removes imports and exports that have expired, and what they have left behind. An account's runs
// are deleted with it.

import { readdir } from 'node:fs/promises'
import { UNDO_DAYS } from '#contract/archive.ts'
import type { DomainEvent } from '../../database/domain-events.ts'
import type { Database } from '../../database/schema.ts'
import { type AfterCommit, inTransaction } from '../../database/transaction.ts'
import type { FilesContext } from '../../files/context.ts'
import { secondsAfter, secondsBefore } from '../../process/ids.ts'
import { unlessCode } from '../../process/secrets.ts'
import { removePieces } from './pieces.ts'
import { hasStarted, WAITING_SECONDS } from './run-models.ts'
import * as store from './runs-store.ts'
import { removeWorkFolder, workFolders } from './work.ts'

const BATCH_SIZE = 20
const UNDO_SECONDS = UNDO_DAYS * 24 * 60 * 60
const PAUSED_TOO_LONG = 'It was paused for too long. What was imported until then has stayed.'

/**
 * Deletes expired runs with their bytes. An import that was paused for too long ends, and can still
 * be undone; the upload of one that failed stays as long as an upload waits.
 */
export async function sweepRuns(context: FilesContext, signal?: AbortSignal): Promise<void> {
  const { db, background, now, dataDir } = context
  const at = now().toISOString()
  for (const { id } of await store.listExpired(db, at, BATCH_SIZE)) {
    if (signal?.aborted) return
    await inTransaction(db, background, async (tx, afterCommit) => {
      const run = await store.lockRun(tx, id)
      if (!run || run.expiresAt >= at || !store.isIdle(run)) return
      if (run.state !== 'paused' || !hasStarted(run))
        return removePieces(context, afterCommit, await store.deleteRun(tx, id))
      removePieces(context, afterCommit, await store.deletePieces(tx, id))
      await store.changeRun(tx, id, {
        state: 'failed',
        problem: PAUSED_TOO_LONG,
        endedAt: at,
        expiresAt: secondsAfter(now(), UNDO_SECONDS),
      })
    })
    await removeWorkFolder(dataDir, id)
  }
  const before = secondsBefore(now(), WAITING_SECONDS)
  for (const id of await store.listFailedWithPieces(db, before, BATCH_SIZE))
    await inTransaction(db, background, async (tx, afterCommit) => {
      const run = await store.lockRun(tx, id)
      if (run?.state === 'failed')
        removePieces(context, afterCommit, await store.deletePieces(tx, id))
    })
}

/** Removes the work folders of this host that no run needs. */
export async function sweepWorkFolders({ db, dataDir }: FilesContext): Promise<void> {
  const names = (await readdir(workFolders(dataDir)).catch(unlessCode('ENOENT'))) ?? []
  const states = new Map((await store.listStates(db, names)).map(({ id, state }) => [id, state]))
  const isNeeded = (name: string) =>
    ['checking', 'checked', 'waiting', 'running', 'paused', 'undoing'].includes(
      states.get(name) ?? '',
    )
  for (const name of names) if (!isNeeded(name)) await removeWorkFolder(dataDir, name)
}

const ITEMS_BATCH_SIZE = 500

/** Deletes what is remembered of the imports of people who have deleted their accounts. */
export async function sweepImportedItems(
  { db }: FilesContext,
  signal?: AbortSignal,
): Promise<void> {
  let hasMore = true
  while (hasMore && !signal?.aborted)
    hasMore = await store.deleteItemsOfNobody(db, ITEMS_BATCH_SIZE)
}

/** Subscribes to domain events. */
export async function removeRunsOfAccount(
  context: FilesContext,
  tx: Database,
  afterCommit: AfterCommit,
  event: DomainEvent,
): Promise<void> {
  if (event.kind !== 'accountDeleted') return
  for (const id of await store.listIdsOf(tx, event.userId))
    removePieces(context, afterCommit, await store.deleteRun(tx, id))
}
