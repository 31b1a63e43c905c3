// Exports that are requested over the API. The runner of a host makes them (runner.ts).

import { Readable } from 'node:stream'
import {
  ARCHIVE_RUNS_LISTED,
  EXPORT_PARTS,
  type ExportRun,
  type ExportRuns,
  type NewExport,
} from '#contract/archive.ts'
import { invalidParam, Refusal } from '#contract/errors.ts'
import { recordActivity } from '../../activity/activity.ts'
import { readSizes } from '../../backups/scheduled-backups.ts'
import type { Database } from '../../database/schema.ts'
import { inTransaction } from '../../database/transaction.ts'
import { measureFilesOf } from '../../files/files.ts'
import { refuseBlocked } from '../../posts/access.ts'
import { makeId, secondsAfter } from '../../process/ids.ts'
import type { RunsContext } from './context.ts'
import { lockRun, type RunCaller, readRun, requesterOf } from './owner.ts'
import { readPieces, removePieces, requireRoom } from './pieces.ts'
import { exportRequest, toExportRun } from './run-models.ts'
import * as store from './runs-store.ts'

/** Finished exports of an owner; older ones are deleted when another one is requested. */
const EXPORTS_MAX = 3
/** Exports of people that are stored, or wait, at a time. */
const RUNS_MAX = 50
/** The files of an export, and then the zip. */
const DISK_FACTOR = 2
/** How long a request waits for a process that makes exports. */
const REQUEST_SECONDS = 7 * 24 * 60 * 60

const isActive = ({ state }: store.Run) => state === 'waiting' || state === 'running'

export async function listExports(context: RunsContext, caller: RunCaller): Promise<ExportRuns> {
  const runs = await store.listRuns(context.db, 'export', caller.ownerId)
  return { total: runs.length, exports: runs.slice(0, ARCHIVE_RUNS_LISTED).map(toExportRun) }
}

/** @throws Refusal `export_active`, `archive_no_room`, `general_argument_invalid` */
export async function createExport(
  context: RunsContext,
  caller: RunCaller,
  { parts: requested, hasPeople = false }: NewExport,
): Promise<ExportRun> {
  const { db, background, now, dataDir, archiveRunner } = context
  const { ownerId, viewer } = caller
  if (hasPeople && ownerId !== null)
    throw invalidParam('hasPeople', 'Value must be false for one’s own posts')
  const parts = EXPORT_PARTS.filter((part) => requested.includes(part))
  await requireRoom(dataDir, (await estimateBytes(db, ownerId)) * DISK_FACTOR)
  const created = await inTransaction(db, background, async (tx, afterCommit) => {
    await refuseBlocked(tx, viewer)
    await store.lockCreation(tx)
    const runs = await store.listRuns(tx, 'export', ownerId)
    if (runs.some(isActive)) throw new Refusal('export_active')
    for (const { id } of runs.slice(EXPORTS_MAX - 1))
      removePieces(context, afterCommit, await store.deleteRun(tx, id))
    const sizes = await store.listSizes(tx)
    if (ownerId !== null && sizes.filter(({ userId }) => userId !== null).length >= RUNS_MAX)
      throw new Refusal('archive_no_room')
    const at = now().toISOString()
    const run = await store.insertRun(tx, {
      id: makeId(now().getTime()),
      kind: 'export',
      ...requesterOf(caller),
      state: 'waiting',
      request: JSON.stringify({ parts, hasPeople }),
      aliveUntil: at,
      createdAt: at,
      expiresAt: secondsAfter(now(), REQUEST_SECONDS),
    })
    await recordExport(context, tx, caller, run, 'export')
    return toExportRun(run)
  })
  archiveRunner.pollNow()
  return created
}

/** How much an export has, roughly. */
async function estimateBytes(db: Database, ownerId: store.OwnerId): Promise<number> {
  if (ownerId !== null) return await measureFilesOf(db, ownerId)
  const { databaseBytes, filesBytes } = await readSizes(db)
  return databaseBytes + filesBytes
}

/** Exports of the whole blog are recorded. */
async function recordExport(
  { now }: RunsContext,
  tx: Database,
  { viewer, ownerId }: RunCaller,
  run: store.Run,
  action: 'export' | 'exportDownloaded',
): Promise<void> {
  if (ownerId !== null) return
  const { parts, hasPeople } = exportRequest(run)
  const name = [...parts, ...(hasPeople ? ['people'] : [])].join(', ')
  await recordActivity(tx, viewer, now(), {
    kind: 'settings',
    action,
    subject: { type: 'value', id: run.id, name },
  })
}

/** Downloads of one process at a time; one of them is left for operators. */
const DOWNLOADS_MAX = 4
/** For whom they are: each person has one. */
const downloading: store.OwnerId[] = []

/** @returns what ends it. @throws Refusal `general_rate_limit_exceeded` */
function beginDownload(ownerId: store.OwnerId): () => void {
  const ofPeople = downloading.filter((id) => id !== null)
  const isOver = ofPeople.includes(ownerId ?? '') || ofPeople.length >= DOWNLOADS_MAX - 1
  if (downloading.length >= DOWNLOADS_MAX || (ownerId !== null && isOver))
    throw new Refusal('general_rate_limit_exceeded')
  downloading.push(ownerId)
  return () => void downloading.splice(downloading.indexOf(ownerId), 1)
}

/**
 * @param requireRight called repeatedly during the download; throws once the right is lost
 * @throws Refusal `export_not_found`, `general_rate_limit_exceeded` while too many downloads run
 */
export async function downloadExport(
  context: RunsContext,
  caller: RunCaller,
  { id, requireRight }: { id: string; requireRight: () => Promise<void> },
): Promise<{ bytes: Readable; sizeBytes: number; name: string }> {
  const { db, background, now } = context
  const endDownload = beginDownload(caller.ownerId)
  try {
    const { run, pieces } = await inTransaction(db, background, async (tx) => {
      const run = await readRun(tx, caller, 'export', id)
      if (run.state !== 'done' || run.expiresAt < now().toISOString())
        throw new Refusal('export_not_found')
      await recordExport(context, tx, caller, run, 'exportDownloaded')
      return { run, pieces: await store.listPieces(tx, id) }
    })
    // After the restore of a backup the row exists, but not the bytes.
    for (const { storedName } of pieces)
      if (!(await context.chunks.has(storedName))) throw new Refusal('export_not_found')
    const bytes = Readable.from(readPieces(context, pieces, requireRight), { objectMode: false })
    bytes.once('close', endDownload)
    return { bytes, sizeBytes: run.sizeBytes, name: fileNameOf(caller, run) }
  } catch (error) {
    endDownload()
    throw error
  }
}

/** "my-posts-markdown-2026-12-01.zip" */
function fileNameOf({ ownerId }: RunCaller, run: store.Run): string {
  const { parts } = exportRequest(run)
  const what = [ownerId === null ? 'blog' : 'my-posts', ...(parts.length === 1 ? parts : [])]
  return `${[...what, run.createdAt.slice(0, 10)].join('-')}.zip`
}

/** Also one that is being made. @throws Refusal `export_not_found` */
export async function deleteExport(
  context: RunsContext,
  caller: RunCaller,
  id: string,
): Promise<void> {
  const { db, background, archiveRunner } = context
  await inTransaction(db, background, async (tx, afterCommit) => {
    await lockRun(tx, caller, 'export', id)
    removePieces(context, afterCommit, await store.deleteRun(tx, id))
  })
  archiveRunner.pollNow()
}
