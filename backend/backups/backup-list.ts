// Lists the backups of a folder for operators; downloads one as a zip, or deletes it.
import { createReadStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Refusal } from '#contract/errors.ts'
import { wireTime } from '#contract/ids.ts'
import type { BackupEntry, BackupReason } from '#contract/operator.ts'
import type { Database } from '../database/schema.ts'
import { type ArchiveEntry, makeArchive } from '../process/zip-archive.ts'
import {
  backupTime,
  isCompleteName,
  listBackups,
  lockFolder,
  removeBackup,
} from './backup-folder.ts'
import { CopyProblem } from './backup-io.ts'
import * as store from './backup-runs-store.ts'
import { listParts, MANIFEST, manifestText, readManifest } from './manifest.ts'

const LISTED_MAX = 100
/** Sizes of backups that no row describes, by path. A complete backup never changes. */
const measured = new Map<string, number>()
const MEASURED_MAX = 1000

/** Complete backups of the folder, and failed attempts; newest first. */
export async function listEntries(db: Database, folder: string): Promise<BackupEntry[]> {
  const runs = await store.listRuns(db)
  const names = (await listBackups(folder)).slice(-LISTED_MAX)
  const complete = names.map((name): BackupEntry => {
    const run = runs.find((row) => row.name === name)
    const sizeBytes = run?.sizeBytes ?? measured.get(join(folder, name)) ?? 0
    const at = wireTime(backupTime(name).toISOString())
    return { $id: name, state: 'complete', at, sizeBytes, byName: run?.byName ?? '', reason: '' }
  })
  await measureOne(folder, complete)
  const failed = runs
    .filter(({ state }) => state === 'failed')
    .map(
      ({ id, endedAt, byName, reason }): BackupEntry => ({
        $id: id,
        state: 'failed',
        at: wireTime(endedAt),
        sizeBytes: 0,
        byName,
        reason: reason as BackupReason,
      }),
    )
  const entries = [...complete, ...failed].toSorted((a, b) => b.at.localeCompare(a.at))
  return entries.slice(0, LISTED_MAX)
}

/** Measures one backup per call, because the manifest of many files is long. */
async function measureOne(folder: string, entries: BackupEntry[]): Promise<void> {
  const entry = entries.findLast(({ sizeBytes }) => sizeBytes === 0)
  if (!entry) return
  const path = join(folder, entry.$id)
  if (measured.has(path) || measured.size > MEASURED_MAX) return
  // The doctor reports a damaged manifest.
  const manifest = await readManifest(path).catch(() => undefined)
  const parts = manifest ? listParts(manifest).flatMap((part) => part.entries) : []
  entry.sizeBytes = parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  measured.set(path, entry.sizeBytes)
}

/** @throws Refusal `backup_running`, `backup_not_found` */
export async function deleteBackupIn(db: Database, folder: string, id: string): Promise<void> {
  if (!isCompleteName(id)) {
    const failed = (await store.listRuns(db)).find((run) => run.id === id)
    if (failed?.state !== 'failed') throw new Refusal('backup_not_found')
    await store.deleteRun(db, { id })
    return
  }
  await requireBackup(folder, id)
  try {
    using _lock = await lockFolder(folder)
    await removeBackup(folder, id)
  } catch (error) {
    if (error instanceof CopyProblem) throw new Refusal('backup_running')
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new Refusal('backup_not_found')
    throw error
  }
  await store.deleteRun(db, { name: id })
}

/**
 * A backup as a zip, without the secrets of the server: operators of the blog do not get its keys
 * (threat-model.md §4).
 *
 * @param requireRight called before each piece, because a download takes long; throws when the
 *   operator has lost the right
 * @throws Refusal `backup_not_found`
 */
export async function archiveBackup(
  folder: string,
  name: string,
  requireRight: () => Promise<void>,
): Promise<Readable> {
  const path = await requireBackup(folder, name)
  const manifest = await readManifest(path).catch(() => {
    throw new Refusal('backup_not_found')
  })
  const withoutSecrets = { ...manifest, secrets: [] }
  const changedAt = backupTime(name)
  const entries = listParts(withoutSecrets).flatMap((part) =>
    part.entries.map(
      (entry): ArchiveEntry => ({
        path: join(name, part.folder, entry.name),
        changedAt,
        isCompressible: part.folder === '',
        open: () => openFile(join(path, part.folder, entry.name), requireRight),
      }),
    ),
  )
  entries.push({
    path: join(name, MANIFEST),
    changedAt,
    isCompressible: true,
    open: async () => Readable.from([manifestText(withoutSecrets)]),
  })
  return makeArchive(entries)
}

/** @throws Refusal `backup_not_found` */
export async function requireBackup(folder: string, name: string): Promise<string> {
  if (!isCompleteName(name)) throw new Refusal('backup_not_found')
  const path = join(folder, name)
  const stats = await lstat(path).catch(() => undefined)
  if (!stats?.isDirectory()) throw new Refusal('backup_not_found')
  return path
}

/** Does not follow links. */
async function openFile(path: string, requireRight: () => Promise<void>): Promise<Readable> {
  if (!(await lstat(path)).isFile()) throw new CopyProblem(`${path} is no file`)
  async function* readPieces() {
    for await (const piece of createReadStream(path)) {
      await requireRight()
      yield piece
    }
  }
  return Readable.from(readPieces(), { objectMode: false })
}
