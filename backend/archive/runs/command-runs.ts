// Imports of the command line, which operators see, and may undo, as those of the browser.
import { IMPORT_ISSUES_MAX, type ImportIssue, UNDO_DAYS } from '#contract/archive.ts'
import { inTransaction } from '../../database/transaction.ts'
import { secondsAfter } from '../../process/ids.ts'
import type { ArchiveContext } from '../context.ts'
import { saveIssues } from '../import/save-issues.ts'
import { type ImportRequest, type ImportResult, importResult } from './run-models.ts'
import * as store from './runs-store.ts'

const DAY_SECONDS = 24 * 60 * 60

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
      result: JSON.stringify(result),
      aliveUntil: at,
      createdAt: startedAt,
      startedAt,
      endedAt: at,
      expiresAt: secondsAfter(now(), UNDO_DAYS * DAY_SECONDS),
    })
    await saveIssues(tx, id, { first: 1, issues: issues.slice(0, IMPORT_ISSUES_MAX) })
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
  const result: ImportResult = { ...importResult(run), kept }
  const endedAt = now().toISOString()
  await store.changeRun(db, id, { state: 'undone', result: JSON.stringify(result), endedAt })
}
