// The work of one run: dry run, import, undo, export. Runs in a child process
// (archive-process.ts), in a folder of the run's own below the data folder.

import { hash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import {
  EXPORT_PARTS,
  IMPORT_ISSUES_MAX,
  type ImportCheck,
  type ImportCounts,
  type ImportProgress,
} from '#contract/archive.ts'
import { CopyProblem } from '../../backups/backup-io.ts'
import { isDiskFull } from '../../database/database-errors.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { ArchiveContext } from '../context.ts'
import type { GuestPages } from '../export/export-options.ts'
import { writeArchive } from '../export/write-archive.ts'
import { zipFolder } from '../export/zip-folder.ts'
import { applyImport } from '../import/apply-import.ts'
import { checkImport } from '../import/check-import.ts'
import { NO_COUNTS } from '../import/import-options.ts'
import { readExport } from '../import/read-export.ts'
import { saveIssues } from '../import/save-issues.ts'
import { undoImport } from '../import/undo-import.ts'
import { openFileTree } from '../sources/file-tree.ts'
import { findSource } from '../sources/find-source.ts'
import { type FileTree, SourceProblem } from '../sources/source.ts'
import { joinPieces, MissingPiece, measureFree, putPiece, removePieces } from './pieces.ts'
import { type ExportProgress, exportRequest, importRequest } from './run-models.ts'
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
  return await openFileTree(path)
}

function nameOnDisk(fileName: string): string {
  const ending = extname(basename(fileName)).replace(/[^\w.-]/g, '')
  const words = basename(fileName, extname(fileName)).replace(/[^\w-]+/g, '-')
  return `${words.slice(0, NAME_MAX_CHARS) || 'export'}${ending.slice(0, NAME_MAX_CHARS)}`
}

/** The export is staged again after a change of the address. */
async function prepareTask(context: ArchiveContext, run: store.Run, tree: FileTree) {
  const { oldAddress } = importRequest(run)
  const staged = `staged-${hash('sha256', oldAddress).slice(0, 16)}`
  const folder = join(workFolder(context, run), staged)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const source = await findSource(tree)
  if (!source)
    throw new SourceProblem(
      'This is no export that can be imported: of WordPress, Ghost, Medium, Substack, Markdown or this program.',
    )
  return { folder, tree, ownerId: run.userId ?? undefined, oldAddress, source }
}

async function performCheck(
  context: ArchiveContext,
  run: store.Run,
  tree: FileTree,
  options: WorkOptions,
): Promise<{ check: ImportCheck }> {
  const task = await prepareTask(context, run, tree)
  const { check, issues } = await checkImport(context, task, options)
  const stored = Iterator.from(issues).take(IMPORT_ISSUES_MAX).toArray()
  await inTransaction(context.db, context.background, (tx) =>
    saveIssues(tx, run.id, { first: 1, issues: stored }),
  )
  return { check }
}

async function performImport(
  context: ArchiveContext,
  run: store.Run,
  tree: FileTree,
  options: WorkOptions,
): Promise<{ imported: ImportCounts }> {
  const task = await prepareTask(context, run, tree)
  // The dry run may have been on another host.
  const staging = await readExport({ ...task, now: context.now() }, options)
  staging.close()
  const { choices } = importRequest(run)
  if (!choices) throw new Error('An import was started without choices')
  return await applyImport(context, { ...task, runId: run.id, choices }, options)
}

// --- exports

/** The progress of each part of an export, of the zip, and of storing it. */
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
      total: (order.length + 2) * PART_TOTAL,
    })
  const { close, ...pages } = await openPages()
  const request = { folder, parts, hasPeople, ownerId: run.userId ?? undefined, ...pages }
  const written = await writeArchive(context, request, {
    signal,
    onProgress: ({ part, done, total }) => report(order.indexOf(part), done, total),
  }).finally(close)
  const path = join(workFolder(context, run), 'export.zip')
  let zipped = 0
  const zip = await zipFolder(folder)
  zip.on('data', (bytes: Buffer) => {
    zipped += bytes.length
    report(order.length, zipped, written.sizeBytes)
  })
  await pipeline(zip, createWriteStream(path, { mode: 0o600 }), { signal })
  await rm(folder, { recursive: true })
  return await storeZip(context, run.id, path, signal, (done, total) =>
    report(order.length + 1, done, total),
  )
}

async function storeZip(
  context: ArchiveContext,
  runId: string,
  path: string,
  signal: AbortSignal,
  onBytes: (done: number, total: number) => void,
): Promise<{ sizeBytes: number }> {
  const { db, background, chunks } = context
  // Pieces of an attempt that was killed.
  await inTransaction(db, background, async (tx, afterCommit) =>
    removePieces(context, afterCommit, await store.deletePieces(tx, runId)),
  )
  const { size: sizeBytes } = await stat(path)
  for (let number = 0, start = 0; start < sizeBytes; number++, start += EXPORT_PIECE_BYTES) {
    signal.throwIfAborted()
    const bytes = createReadStream(path, { start, end: start + EXPORT_PIECE_BYTES - 1 })
    const piece = await putPiece(context, bytes, EXPORT_PIECE_BYTES)
    try {
      await store.insertPiece(db, { runId, number, ...piece })
    } catch (error) {
      await chunks.remove(piece.storedName)
      throw error
    }
    onBytes(start + piece.sizeBytes, sizeBytes)
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
