// Imports that are requested over the API: uploading the export in pieces, the dry run, starting,
// pausing, undoing, discarding. A rule only changes the row of the run; the runner of a host does
// what its state says (runner.ts).

import {
  ARCHIVE_RUNS_LISTED,
  IMPORT_MAX_BYTES,
  IMPORT_PIECE_BYTES,
  type ImportCheck,
  type ImportCheckRequest,
  type ImportChoices,
  type ImportRun,
  type ImportRuns,
  type ImportState,
  type NewImport,
  OWN_IMPORT_MAX_BYTES,
} from '#contract/archive.ts'
import type { IssueReason } from '#contract/archive-limits.ts'
import { invalidParam, Refusal } from '#contract/errors.ts'
import { recordActivity } from '../../activity/activity.ts'
import type { ImportIssueRow } from '../../database/archive-tables.ts'
import type { Database } from '../../database/schema.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Bytes } from '../../files/blob-store.ts'
import { refuseReaders } from '../../posts/access.ts'
import { readBatches } from '../../process/batches.ts'
import { csvLine } from '../../process/csv.ts'
import { makeId, secondsAfter } from '../../process/ids.ts'
import { REASON_WORDS } from '../import/reason-words.ts'
import type { RunsContext } from './context.ts'
import { lockRun, type RunCaller, readRun, requesterOf } from './owner.ts'
import { putPiece, removePieces, requireRoom } from './pieces.ts'
import {
  hasStarted,
  importRequest,
  importResult,
  toImportRun,
  WAITING_SECONDS,
} from './run-models.ts'
import * as store from './runs-store.ts'

/** Runs of all owners together, and the bytes of those of people. */
const RUNS_MAX = 50
const OWN_BYTES_MAX = 8 * 1024 ** 3
/** An upload is joined to one file before it is read. */
const DISK_FACTOR = 2

const isEnded = ({ state }: store.Run) => ['done', 'failed', 'undone'].includes(state)

export async function listImports(context: RunsContext, caller: RunCaller): Promise<ImportRuns> {
  const runs = await store.listRuns(context.db, 'import', caller.ownerId)
  const listed = runs.slice(0, ARCHIVE_RUNS_LISTED)
  const ids = listed.map(({ id }) => id)
  const pieces = await store.countPieces(context.db, ids)
  return {
    total: runs.length,
    imports: listed.map((run) => toImportRun(run, pieces.get(run.id) ?? 0)),
  }
}

export async function readImport(context: RunsContext, caller: RunCaller, id: string) {
  return await toModel(context.db, await readRun(context.db, caller, 'import', id))
}

async function toModel(db: Database, run: store.Run): Promise<ImportRun> {
  return toImportRun(run, (await store.countPieces(db, [run.id])).get(run.id) ?? 0)
}

/**
 * @throws Refusal `user_is_reader`, `import_active`, `storage_invalid_file_size`, `archive_no_room`
 */
export async function createImport(
  context: RunsContext,
  caller: RunCaller,
  { fileName, sizeBytes, oldAddress }: NewImport,
): Promise<ImportRun> {
  const { db, background, now, dataDir } = context
  const isOwn = caller.ownerId !== null
  if (sizeBytes > (isOwn ? OWN_IMPORT_MAX_BYTES : IMPORT_MAX_BYTES))
    throw new Refusal('storage_invalid_file_size')
  await requireRoom(dataDir, sizeBytes * DISK_FACTOR)
  return await inTransaction(db, background, async (tx, afterCommit) => {
    await requireWriter(tx, caller)
    await store.lockCreation(tx)
    const runs = await store.listRuns(tx, 'import', caller.ownerId)
    if (runs.some((run) => !isEnded(run))) throw new Refusal('import_active')
    // What a failed import has left can be imported no longer.
    for (const { id } of runs.filter(({ state }) => state === 'failed'))
      removePieces(context, afterCommit, await store.deletePieces(tx, id))
    const sizes = await store.listSizes(tx)
    const ofPeople = sizes.filter(({ userId }) => userId !== null)
    const ownBytes = ofPeople.reduce((sum, run) => sum + run.sizeBytes, isOwn ? sizeBytes : 0)
    if (isOwn && (sizes.length >= RUNS_MAX || ownBytes > OWN_BYTES_MAX))
      throw new Refusal('archive_no_room')
    const at = now().toISOString()
    const run = await store.insertRun(tx, {
      id: makeId(now().getTime()),
      kind: 'import',
      ...requesterOf(caller),
      state: 'uploading',
      request: JSON.stringify({ fileName, oldAddress }),
      sizeBytes,
      aliveUntil: at,
      createdAt: at,
      expiresAt: secondsAfter(now(), WAITING_SECONDS),
    })
    return toImportRun(run, 0)
  })
}

/** @throws Refusal `user_is_reader`, `user_blocked` */
async function requireWriter(tx: Database, { viewer, ownerId }: RunCaller): Promise<void> {
  if (ownerId !== null) await refuseReaders(tx, viewer)
}

/**
 * Stores the next piece. One that is stored already is received, but not stored again.
 *
 * @param requireRight called once the bytes have arrived, which may take minutes
 * @throws Refusal `import_not_found`, `import_at_another_step`, `import_incomplete` when an earlier
 *   piece is missing, `storage_invalid_file_size`
 */
export async function uploadPiece(
  context: RunsContext,
  caller: RunCaller,
  { id, number, bytes }: { id: string; number: number; bytes: Bytes },
  requireRight: () => Promise<void>,
): Promise<ImportRun> {
  const { db, background, chunks, dataDir } = context
  const before = await readRun(db, caller, 'import', id)
  requireState(before, ['uploading'])
  const sizeOfPiece = Math.min(IMPORT_PIECE_BYTES, before.sizeBytes - number * IMPORT_PIECE_BYTES)
  if (sizeOfPiece <= 0) throw invalidParam('number', 'Value must be the number of a piece')
  await requireRoom(dataDir, IMPORT_PIECE_BYTES)
  const piece = await putPiece(context, bytes, sizeOfPiece)
  let isStored = false
  try {
    if (piece.sizeBytes !== sizeOfPiece)
      throw new Refusal('storage_invalid_file_size', `The piece must have ${sizeOfPiece} bytes.`)
    await requireRight()
    return await inTransaction(db, background, async (tx) => {
      isStored = false
      await requireWriter(tx, caller)
      const run = await lockRun(tx, caller, 'import', id)
      requireState(run, ['uploading'])
      const stored = (await store.listPieces(tx, id)).length
      if (number > stored) throw new Refusal('import_incomplete')
      if (number < stored) return toImportRun(run, stored)
      await store.insertPiece(tx, { runId: id, number, ...piece })
      isStored = true
      return toImportRun(run, stored + 1)
    })
  } finally {
    if (!isStored) await chunks.remove(piece.storedName)
  }
}

/** @throws Refusal `import_at_another_step` */
function requireState({ state }: store.Run, allowed: readonly ImportState[]): void {
  if (!allowed.includes(state as ImportState)) throw new Refusal('import_at_another_step')
}

/** Changes a run in a transaction, and has the runner look at it. */
async function changeState(
  context: RunsContext,
  caller: RunCaller,
  id: string,
  change: (tx: Database, run: store.Run) => Promise<store.RunChange> | store.RunChange,
): Promise<ImportRun> {
  const { db, background, archiveRunner } = context
  const model = await inTransaction(db, background, async (tx) => {
    await requireWriter(tx, caller)
    const run = await lockRun(tx, caller, 'import', id)
    const changes = await change(tx, run)
    await store.changeRun(tx, id, changes)
    return await toModel(tx, { ...run, ...changes })
  })
  archiveRunner.pollNow()
  return model
}

/** A process that still works on the run ends first; else the run is free to be claimed. */
function requestWork({ now }: RunsContext, run: store.Run): store.RunChange {
  const at = now().toISOString()
  return run.aliveUntil > at ? {} : { attempts: 0, aliveUntil: at }
}

/** @throws Refusal `import_not_found`, `import_at_another_step`, `import_incomplete` */
export function checkUpload(
  context: RunsContext,
  caller: RunCaller,
  id: string,
  { oldAddress }: ImportCheckRequest,
): Promise<ImportRun> {
  return changeState(context, caller, id, async (tx, run) => {
    requireState(run, hasStarted(run) ? [] : ['uploading', 'checked', 'failed'])
    const pieces = await store.listPieces(tx, id)
    if (pieces.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) !== run.sizeBytes)
      throw new Refusal('import_incomplete')
    const request = importRequest(run)
    return {
      ...requestWork(context, run),
      state: 'checking',
      request: JSON.stringify({ ...request, oldAddress: oldAddress ?? request.oldAddress }),
      progress: '',
      result: '',
      problem: '',
      endedAt: '',
    }
  })
}

/**
 * @throws Refusal `import_not_found`, `import_at_another_step`, `general_argument_invalid` for
 *   choices that do not fit the dry run
 */
export function startImport(
  context: RunsContext,
  caller: RunCaller,
  id: string,
  choices: ImportChoices,
): Promise<ImportRun> {
  return changeState(context, caller, id, async (tx, run) => {
    requireState(run, ['checked'])
    const { check } = importResult(run)
    if (!check) throw new Refusal('import_at_another_step')
    await requireChoices(tx, caller, check, choices)
    const at = context.now()
    const request = importRequest(run)
    if (caller.ownerId === null)
      await recordActivity(tx, caller.viewer, at, {
        kind: 'settings',
        action: 'import',
        subject: { type: 'value', id, name: request.fileName },
      })
    return {
      ...requestWork(context, run),
      state: 'waiting',
      request: JSON.stringify({ ...request, choices }),
      progress: '',
      problem: '',
      startedAt: at.toISOString(),
    }
  })
}

/** People, pages and the name of the blog are chosen by operators only. */
async function requireChoices(
  tx: Database,
  { ownerId }: RunCaller,
  check: ImportCheck,
  { people, pages, hasSiteName }: ImportChoices,
): Promise<void> {
  const targets = Object.values(people).filter((target) => target !== 'new' && target !== 'unknown')
  if (ownerId !== null) {
    if (Object.keys(people).length > 0)
      throw invalidParam('people', 'Value must be empty for one’s own posts')
    if (pages === 'pages') throw invalidParam('pages', 'Value must be one of (posts, none)')
    if (hasSiteName) throw invalidParam('hasSiteName', 'Value must be false for one’s own posts')
  }
  const keys = new Set(check.people.map(({ key }) => key))
  if (Object.keys(people).some((key) => !keys.has(key)))
    throw invalidParam('people', 'Value must name people of the dry run')
  const usable = await store.listUsable(tx, [...new Set(targets)])
  if (targets.some((target) => !usable.has(target)))
    throw invalidParam('people', 'Value must name people of this blog who are not blocked')
}

export function pauseImport(context: RunsContext, caller: RunCaller, id: string) {
  return changeState(context, caller, id, (_tx, run) => {
    requireState(run, ['waiting', 'running'])
    return { state: 'paused', expiresAt: secondsAfter(context.now(), WAITING_SECONDS) }
  })
}

/** Also after a failure, unless the upload has expired. */
export function resumeImport(context: RunsContext, caller: RunCaller, id: string) {
  return changeState(context, caller, id, async (tx, run) => {
    requireState(run, hasStarted(run) ? ['paused', 'failed'] : [])
    if ((await store.listPieces(tx, id)).length === 0) throw new Refusal('import_at_another_step')
    return { ...requestWork(context, run), state: 'waiting', problem: '', endedAt: '' }
  })
}

/** Removes what was imported; stops the import first. */
export function undoImportRun(context: RunsContext, caller: RunCaller, id: string) {
  return changeState(context, caller, id, async (tx, run) => {
    const { now } = context
    requireState(run, hasStarted(run) ? ['waiting', 'running', 'paused', 'done', 'failed'] : [])
    if (isEnded(run) && run.expiresAt < now().toISOString())
      throw new Refusal('import_at_another_step')
    if (caller.ownerId === null)
      await recordActivity(tx, caller.viewer, now(), {
        kind: 'settings',
        action: 'importUndone',
        subject: { type: 'value', id, name: importRequest(run).fileName },
      })
    return { ...requestWork(context, run), state: 'undoing', problem: '', endedAt: '' }
  })
}

/**
 * Deletes the run with its upload; what it imported stays.
 *
 * @throws Refusal `import_not_found`, `import_at_another_step` while it imports or undoes
 */
export async function discardImport(
  context: RunsContext,
  caller: RunCaller,
  id: string,
): Promise<void> {
  const { db, background, archiveRunner } = context
  await inTransaction(db, background, async (tx, afterCommit) => {
    const run = await lockRun(tx, caller, 'import', id)
    if (['running', 'undoing'].includes(run.state)) throw new Refusal('import_at_another_step')
    removePieces(context, afterCommit, await store.deleteRun(tx, id))
  })
  archiveRunner.pollNow()
}

// --- what it leaves out

const CSV_COLUMNS = ['what', 'name', 'reason', 'post', 'detail'] as const
const CSV_BATCH = 500

/** As CSV, the reasons in words. */
export async function streamIssues(
  { db }: RunsContext,
  caller: RunCaller,
  id: string,
): Promise<AsyncGenerator<string>> {
  await readRun(db, caller, 'import', id)
  return writeIssues(db, id)
}

async function* writeIssues(db: Database, id: string): AsyncGenerator<string> {
  yield csvLine(CSV_COLUMNS)
  for await (const rows of readBatches<ImportIssueRow>(CSV_BATCH, (page) =>
    store.listIssues(db, id, page),
  ))
    for (const { what, name, reason, post, detail } of rows)
      yield csvLine([what, name, REASON_WORDS[reason as IssueReason], post, detail])
}
