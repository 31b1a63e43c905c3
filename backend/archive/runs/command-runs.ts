// Imports of the command line, which operators see, and may undo, as those of the browser.
import { IMPORT_ISSUES_MAX, type ImportIssue, UNDO_DAYS } from '#contract/archive.ts'
import { inTransaction } from '../../database/transaction.ts'
import { secondsAfter } from '../../process/ids.ts'
import type { ArchiveContext } from '../context.ts'
import type { ImportRequest, ImportResult } from './run-models.ts'
import * as store from './runs-store.ts'

const DAY_SECONDS = 24 * 60 * 60
const ISSUES_AT_ONCE = 200

type CommandImport = {
  id: string
  ownerId: string | undefined
  startedAt: string
  request: ImportRequest
  result: ImportResult
  issues: ImportIssue[]
}

/** Records an import that has ended. */
export async function recordCommandImport(
  { db, background, now }: ArchiveContext,
  { id, ownerId, startedAt, request, result, issues }: CommandImport,
): Promise<void> {
  const at = now().toISOString()
  await inTransaction(db, background, async (tx) => {
    await store.insertRun(tx, {
      id,
      kind: 'import',
      userId: ownerId ?? null,
      byId: '',
      byName: '',
      state: 'done',
      request: JSON.stringify(request),
      sizeBytes: 0,
      progress: '',
      result: JSON.stringify(result),
      problem: '',
      host: '',
      aliveUntil: at,
      attempts: 0,
      createdAt: startedAt,
      startedAt,
      endedAt: at,
      expiresAt: secondsAfter(now(), UNDO_DAYS * DAY_SECONDS),
    })
    const stored = issues.slice(0, IMPORT_ISSUES_MAX)
    for (let first = 0; first < stored.length; first += ISSUES_AT_ONCE)
      await store.insertIssues(tx, id, first + 1, stored.slice(first, first + ISSUES_AT_ONCE))
  })
}

/** @param kept posts that were changed since */
export async function recordCommandUndo(
  { db, now }: ArchiveContext,
  id: string,
  kept: number,
): Promise<void> {
  const run = await store.findRun(db, id)
  if (!run) return
  const result: ImportResult = { ...JSON.parse(run.result || '{}'), kept }
  const endedAt = now().toISOString()
  await store.changeRun(db, id, { state: 'undone', result: JSON.stringify(result), endedAt })
}
