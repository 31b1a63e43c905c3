// The work of one run: dry run, import, undo, export. Runs in a child process
// (archive-process.ts), in a folder of the run's own below the data folder.

import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import {
  EXPORT_PARTS,
  IMPORT_ISSUES_MAX,
  type ImportCheck,
  type ImportCounts,
  type ImportIssue,
  type ImportProgress,
} from '#contract/archive.ts'
import { CopyProblem } from '../../backups/backup-io.ts'
import { isDiskFull } from '../../database/database-errors.ts'
import { inTransaction } from '../../database/transaction.ts'
import { unlessCode } from '../../process/secrets.ts'
import type { ArchiveContext } from '../context.ts'
import type { GuestPages } from '../export/export-options.ts'
import { writeArchive } from '../export/write-archive.ts'
import { zipFolder } from '../export/zip-folder.ts'
import { applyImport } from '../import/apply-import.ts'
import { checkImport } from '../import/check-import.ts'
import { undoImport } from '../import/undo-import.ts'
import { openFileTree } from '../sources/file-tree.ts'
import { findSource } from '../sources/find-source.ts'
import { type FileTree, type Source, SourceProblem } from '../sources/source.ts'
import { joinPieces, MissingPiece, measureFree, putPiece } from './pieces.ts'
import { type ExportProgress, exportRequest, importRequest, NO_COUNTS } from './run-models.ts'
import * as store from './runs-store.ts'

/** What the run has become. */
export type WorkResult =
  | { check: ImportCheck }
  | { imported: ImportCounts }
  | { removed: number; kept: number }
  | { sizeBytes: number }

export type WorkOptions = {
  signal: AbortSignal
  onProgress(progress: ImportProgress | ExportProgress): void
  /** Opens what renders the pages of an export. */
  openPages(): Promise<GuestPages & { close(): Promise<void> }>
}

/** The folders of all runs of this host. They are no part of backups. */
export const workFolders = (dataDir: string): string => join(dataDir, 'archives')
const workFolder = ({ dataDir }: ArchiveContext, { id }: store.Run): string =>
  join(workFolders(dataDir), id)

export function removeWorkFolder(dataDir: string, id: string): Promise<void> {
  return rm(join(workFolders(dataDir), id), { recursive: true, force: true })
}

/** @throws the reason of the signal when the work was stopped */
export async function performWork(
  context: ArchiveContext,
  run: store.Run,
  options: WorkOptions,
): Promise<WorkResult> {
  await mkdir(workFolder(context, run), { recursive: true, mode: 0o700 })
  if (run.state === 'undoing') return await undoImport(context, { runId: run.id }, options)
  const full = new AbortController()
  const timer = setInterval(() => {
    requireFree(context).catch((error: unknown) => full.abort(error))
  }, FREE_CHECK_EVERY_MS)
  const signal = AbortSignal.any([options.signal, full.signal])
  try {
    return await performFilling(context, run, { ...options, signal })
  } finally {
    clearInterval(timer)
  }
}

/** The work that needs room. */
async function performFilling(
  context: ArchiveContext,
  run: store.Run,
  options: WorkOptions,
): Promise<WorkResult> {
  if (run.kind === 'export') return await performExport(context, run, options)
  const tree = await openUpload(context, run, options)
  try {
    if (run.state === 'checking') return await performCheck(context, run, tree, options)
    return await performImport(context, run, tree, options)
  } finally {
    await tree.close()
  }
}

// --- imports

/** In the work folder once the dry run has ended: the address of the old site that it had. */
const CHECKED = 'checked'
/** In the work folder while the dry run runs, and afterwards. */
const ADDRESS = 'old-address'
/** Of the uploaded file; sources may look at its ending. */
const NAME_MAX_CHARS = 100

/** Joins the pieces of the upload, unless that was done before, and opens the file. */
async function openUpload(
  context: ArchiveContext,
  run: store.Run,
  { signal, onProgress }: WorkOptions,
): Promise<FileTree> {
  const path = join(workFolder(context, run), 'upload', nameOnDisk(importRequest(run).fileName))
  const onBytes = (done: number) =>
    onProgress({ phase: 'upload', done, total: run.sizeBytes, name: '', imported: NO_COUNTS })
  if (!existsSync(path)) await joinPieces(context, run, path, { signal, onBytes })
  return await openFileTree(path, workFolder(context, run))
}

function nameOnDisk(fileName: string): string {
  const ending = extname(basename(fileName)).replace(/[^\w.-]/g, '')
  const words = basename(fileName, extname(fileName)).replace(/[^\w-]+/g, '-')
  return `${words.slice(0, NAME_MAX_CHARS) || 'export'}${ending.slice(0, NAME_MAX_CHARS)}`
}

function taskOf(context: ArchiveContext, run: store.Run, tree: FileTree) {
  const { oldAddress } = importRequest(run)
  const ownerId = run.userId ?? undefined
  return { folder: workFolder(context, run), tree, ownerId, oldAddress }
}

async function readSource(tree: FileTree): Promise<Source> {
  const source = await findSource(tree)
  if (source) return source
  throw new SourceProblem(
    'This is no export that can be imported: of WordPress, Ghost, Medium, Substack, Markdown or this program.',
  )
}

async function performCheck(
  context: ArchiveContext,
  run: store.Run,
  tree: FileTree,
  options: WorkOptions,
): Promise<{ check: ImportCheck }> {
  const { check, issues } = await stage(context, run, tree, options)
  await saveIssues(context, run.id, issues)
  return { check }
}

/** Reads the export into the staging file. Begins again when the address was changed meanwhile. */
async function stage(
  context: ArchiveContext,
  run: store.Run,
  tree: FileTree,
  options: WorkOptions,
) {
  const task = taskOf(context, run, tree)
  const { folder, oldAddress } = task
  const stagedAddress = await readFile(join(folder, ADDRESS), 'utf8').catch(unlessCode('ENOENT'))
  if (stagedAddress !== undefined && stagedAddress !== oldAddress)
    for (const name of ['staging.sqlite', 'staging.sqlite-wal', 'staging.sqlite-shm', CHECKED])
      await rm(join(folder, name), { force: true })
  await writeFile(join(folder, ADDRESS), oldAddress)
  const source = await readSource(tree)
  const checked = await checkImport(context, { ...task, source }, options)
  await writeFile(join(folder, CHECKED), '')
  return checked
}

const ISSUES_BATCH = 200

/** Replaces the issues of an earlier dry run. */
async function saveIssues(
  { db, background }: ArchiveContext,
  runId: string,
  issues: Iterable<ImportIssue>,
): Promise<void> {
  await inTransaction(db, background, (tx) => store.deleteIssues(tx, runId))
  let batch: ImportIssue[] = []
  let first = 1
  const save = async () => {
    await inTransaction(db, background, (tx) => store.insertIssues(tx, runId, first, batch))
    first += batch.length
    batch = []
  }
  for (const issue of issues) {
    batch.push(issue)
    if (first + batch.length > IMPORT_ISSUES_MAX) break
    if (batch.length === ISSUES_BATCH) await save()
  }
  await save()
}

async function performImport(
  context: ArchiveContext,
  run: store.Run,
  tree: FileTree,
  options: WorkOptions,
): Promise<{ imported: ImportCounts }> {
  const task = taskOf(context, run, tree)
  // The dry run was on another host, or its folder is gone.
  if (!existsSync(join(task.folder, CHECKED))) {
    const { issues } = await stage(context, run, tree, options)
    // Listed by the dry run. The staging file is closed when they end.
    for (const _issue of issues) break
  }
  const { choices } = importRequest(run)
  if (!choices) throw new Error('An import was started without choices')
  return await applyImport(context, { ...task, runId: run.id, choices }, options)
}

// --- exports

/** The progress of each part of an export, and of the zip. */
const PART_TOTAL = 1000
const EXPORT_PIECE_BYTES = 32 * 1024 * 1024

async function performExport(
  context: ArchiveContext,
  run: store.Run,
  { signal, onProgress, openPages }: WorkOptions,
): Promise<{ sizeBytes: number }> {
  const { parts, hasPeople } = exportRequest(run)
  const folder = join(workFolder(context, run), 'export')
  const order: readonly string[] = EXPORT_PARTS.filter((part) => parts.includes(part))
  const report = (index: number, done: number, total: number) =>
    onProgress({
      done: Math.round((index + (total === 0 ? 0 : Math.min(1, done / total))) * PART_TOTAL),
      total: (order.length + 1) * PART_TOTAL,
    })
  const { close, ...pages } = await openPages()
  const request = { folder, parts, hasPeople, ownerId: run.userId ?? undefined, ...pages }
  const written = await writeArchive(context, request, {
    signal,
    onProgress: ({ part, done, total }) => report(order.indexOf(part), done, total),
  }).finally(close)
  await removeStoredPieces(context, run.id)
  return await storeZip(context, run.id, folder, signal, (done) =>
    report(order.length, done, written.sizeBytes),
  )
}

/** Pieces of an attempt that was killed. */
async function removeStoredPieces(context: ArchiveContext, runId: string): Promise<void> {
  const { db, background, chunks } = context
  await inTransaction(db, background, async (tx, afterCommit) => {
    for (const name of await store.deletePieces(tx, runId))
      afterCommit('removal of a piece', () => chunks.remove(name))
  })
}

async function storeZip(
  context: ArchiveContext,
  runId: string,
  folder: string,
  signal: AbortSignal,
  onBytes: (done: number) => void,
): Promise<{ sizeBytes: number }> {
  const { db, chunks } = context
  const zip = await zipFolder(folder)
  const parts = zip[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  let rest: Uint8Array | undefined
  let hasEnded = false
  /** The bytes of the next piece. */
  async function* nextPiece() {
    for (let left = EXPORT_PIECE_BYTES; left > 0; ) {
      const next = rest ? { value: rest, done: false } : await parts.next()
      rest = undefined
      if (next.done) {
        hasEnded = true
        return
      }
      const part = next.value.subarray(0, left)
      if (part.length < next.value.length) rest = next.value.subarray(left)
      left -= part.length
      yield part
    }
  }
  let sizeBytes = 0
  try {
    for (let number = 0; !hasEnded; number++) {
      signal.throwIfAborted()
      const piece = await putPiece(context, nextPiece(), EXPORT_PIECE_BYTES)
      try {
        await store.insertPiece(db, { runId, number, ...piece })
      } catch (error) {
        await chunks.remove(piece.storedName)
        throw error
      }
      sizeBytes += piece.sizeBytes
      onBytes(sizeBytes)
    }
  } finally {
    zip.destroy()
  }
  return { sizeBytes }
}

// --- what stops it

/** With less room left, the blog itself would soon be unable to write. */
const FREE_MIN_BYTES = 256 * 1024 * 1024
const FREE_CHECK_EVERY_MS = 1000

/** @throws CopyProblem */
async function requireFree({ dataDir }: Pick<ArchiveContext, 'dataDir'>): Promise<void> {
  if ((await measureFree(dataDir)) < FREE_MIN_BYTES) throw new CopyProblem(DISK_FULL)
}

const DISK_FULL = 'The disk of the blog is full.'

/** One sentence about a failure for the person who waits; undefined for an unknown one. */
export function describeFailure(error: unknown): string | undefined {
  if (error instanceof SourceProblem)
    return error.line > 0 ? `${error.message} (line ${error.line})` : error.message
  if (error instanceof CopyProblem) return error.message
  if (error instanceof MissingPiece) return 'Its upload is not there any more: upload it again.'
  return isDiskFull(error) ? DISK_FULL : undefined
}
