// The data of an archive: a JSON line for each row of one snapshot, and the files by their
// checksums. Files are copied first, so that the snapshot is short.
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CopyProblem, copyBytes, type Hashes, hashFile } from '../../backups/backup-io.ts'
import {
  countRows,
  findNamesInUse,
  openBlobStores,
  openRawDatabase,
  type StorageConfig,
} from '../../backups/blog-contents.ts'
import { requireKnownMigrations } from '../../backups/copy-rows.ts'
import { beginSnapshot, type RawDatabase } from '../../backups/raw-database.ts'
import { BlobSizeMismatch, type BlobStore } from '../../files/blob-store.ts'
import { makeDisk } from '../../files/disk.ts'
import { FILES_FOLDER } from '../manifest.ts'
import type { ExportOptions, ExportRequest, WritePart } from './export-options.ts'
import { exportRows, listExportedTables } from './export-rows.ts'
import { selectRows } from './selected-rows-store.ts'

/** How many attempts a consistent snapshot has. One fails if a file is removed meanwhile. */
const SNAPSHOT_ATTEMPTS_MAX = 10
const MAX_CONCURRENT = 8

type FileRow = { storedName: string; md5: string; sizeBytes: number }
type FilesTask = {
  storage: StorageConfig
  from: BlobStore
  folder: string
  /** The files that the folder had already, by their MD5. */
  present: Map<string, Hashes>
  /** The checksums of the files that are there now; null for bytes that are lost. */
  checksums: Map<string, string | null>
  signal: AbortSignal
  onFiles(count: number): void
}

export const exportData: WritePart = async ({ config: storage }, request, options) => {
  const { ownerId, signal } = { ...request, ...options }
  const progress = makeProgress(options)
  const folder = join(request.folder, FILES_FOLDER)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const task: FilesTask = {
    storage,
    from: openBlobStores(storage).files,
    folder,
    present: await verifyPresent(folder, signal),
    checksums: new Map(),
    signal,
    onFiles: progress.add,
  }
  {
    await using database = await openRawDatabase(storage)
    await requireKnownMigrations(database)
    const files = await listFileRows(database, request)
    const counts = await countRows(database, listExportedTables(request))
    const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
    progress.setTotal(files.length + rows)
    await copyFiles(task, files)
  }
  for (let attempt = 1; attempt <= SNAPSHOT_ATTEMPTS_MAX; attempt++) {
    await using database = await openRawDatabase(storage)
    await beginSnapshot(database)
    const files = await listFileRows(database, request)
    if (!(await copyFiles(task, files))) continue
    const lost = files.filter(({ storedName }) => task.checksums.get(storedName) === null)
    const rows = await exportRows(database, {
      folder: request.folder,
      hasPeople: request.hasPeople,
      ownerId,
      checksums: task.checksums,
      onRows(count) {
        signal.throwIfAborted()
        progress.add(count)
      },
    })
    await removeOthers(task, files)
    return { counts: rows, lost: lost.map(({ storedName }) => storedName) }
  }
  throw new CopyProblem('Files came and went too fast for a consistent export: try again later')
}

function makeProgress({ onProgress }: ExportOptions) {
  let done = 0
  let total = 0
  return {
    setTotal(count: number) {
      total = count
    },
    /** Rows and files may be added while they are exported. */
    add(count: number) {
      done += count
      onProgress({ part: 'data', done, total: Math.max(done, total) })
    },
  }
}

async function listFileRows(database: RawDatabase, request: ExportRequest): Promise<FileRow[]> {
  const { where } = selectRows(request).of('file', [])
  const rows = await database.query(
    `select "storedName", signature, "sizeBytes" from file where ${where} order by seq`,
  )
  return rows.map(({ storedName, signature, sizeBytes }) => ({
    storedName: String(storedName),
    md5: String(signature),
    sizeBytes: Number(sizeBytes),
  }))
}

/** Hashes the files that an earlier attempt has copied; removes damaged and unfinished ones. */
async function verifyPresent(folder: string, signal: AbortSignal): Promise<Map<string, Hashes>> {
  const present = new Map<string, Hashes>()
  for (const name of await readdir(folder)) {
    signal.throwIfAborted()
    const hashes = await hashFile(join(folder, name))
    if (hashes?.sha256 === name) present.set(hashes.md5, hashes)
    else await rm(join(folder, name), { recursive: true, force: true })
  }
  return present
}

/**
 * Copies the files that are not there yet.
 *
 * @returns false when the bytes of a file were removed together with its row
 */
async function copyFiles(task: FilesTask, files: readonly FileRow[]): Promise<boolean> {
  const missing: string[] = []
  const due = files.filter(({ storedName }) => !task.checksums.has(storedName))
  for (let at = 0; at < due.length; at += MAX_CONCURRENT) {
    task.signal.throwIfAborted()
    const batch = due.slice(at, at + MAX_CONCURRENT)
    const checksums = await Promise.all(batch.map((file) => copyFile(task, file)))
    for (const [index, { storedName }] of batch.entries()) {
      const checksum = checksums[index]
      if (checksum === undefined) missing.push(storedName)
      else task.checksums.set(storedName, checksum)
    }
    task.onFiles(batch.length)
  }
  // Bytes without which a row still is are lost for good.
  const lost = await findNamesInUse(task.storage, missing)
  for (const name of lost) task.checksums.set(name, null)
  return lost.length === missing.length
}

/** @returns its checksum; null for damaged bytes, undefined for missing ones */
async function copyFile(
  { from, folder, present }: FilesTask,
  { storedName, md5, sizeBytes }: FileRow,
): Promise<string | null | undefined> {
  const existing = present.get(md5)
  if (existing?.sizeBytes === sizeBytes) return existing.sha256
  try {
    const hashes = await copyBytes(from, makeDisk(folder), storedName)
    if (!hashes) return undefined
    const path = join(folder, storedName)
    const isSound = hashes.md5 === md5 && hashes.sizeBytes === sizeBytes
    if (isSound) await rename(path, join(folder, hashes.sha256))
    else await rm(path)
    return isSound ? hashes.sha256 : null
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException
    if (error instanceof BlobSizeMismatch || (syscall === 'read' && code === 'EIO')) return null
    throw error
  }
}

/** Removes files that no row of this export names. */
async function removeOthers({ folder, checksums }: FilesTask, files: readonly FileRow[]) {
  const named = new Set(files.map(({ storedName }) => checksums.get(storedName)))
  for (const name of await readdir(folder))
    if (!named.has(name)) await rm(join(folder, name), { force: true })
}
