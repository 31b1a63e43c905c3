// Imports an archive into an empty blog, which becomes the same blog. All of the archive is checked
// before anything is written, and the rows come last, in one transaction: an import that is killed
// leaves the blog empty, and can be repeated.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CopyProblem, chownToOwnerOf, hashStored, putBytes } from '../../backups/backup-io.ts'
import {
  FILE_FOLDERS,
  openBlobStores,
  SQLITE_FILE,
  type StorageConfig,
} from '../../backups/blog-contents.ts'
import {
  copyRows,
  findFilledTable,
  openExclusive,
  putInPlace,
  requireEmptyDatabase,
} from '../../backups/copy-rows.ts'
import { lockSqlite, openSqlite, type Row } from '../../backups/raw-database.ts'
import { listMigrations, openDatabase } from '../../database/database.ts'
import type { BlobStore } from '../../files/blob-store.ts'
import { requireBucket } from '../../files/s3.ts'
import { FILE_CHECKSUM } from '../data-tables.ts'
import { FILES_FOLDER, type Manifest } from '../manifest.ts'
import type { FileTree } from '../sources/source.ts'
import { type Archive, type ArchiveRows, checkRows, openArchive } from './read-archive.ts'

/** A folder inside the data folder that exists only during an import. */
const STAGING = '.importing'

export type RestorePhase = 'archive checked' | 'files' | 'rows' | 'rows checked'
export type RestoreOptions = {
  onProgress(phase: RestorePhase, done: number, total: number): void
}

export type Restored = {
  manifest: Manifest
  /** Of an archive without people, they have no way to sign in. */
  operators: { name: string; email: string }[]
}

/**
 * Imports an archive of a whole blog into an empty one. No server may run meanwhile.
 *
 * @throws CopyProblem when the archive is damaged or not of this program, or the blog is not empty;
 *   then nothing has changed
 */
export async function restoreArchive(
  storage: StorageConfig,
  tree: FileTree,
  { onProgress }: RestoreOptions,
): Promise<Restored> {
  const archive = await openArchive(tree, (done, total) =>
    onProgress('archive checked', done, total),
  )
  if (archive.manifest.owner)
    throw new CopyProblem(`It has the posts of one person, ${archive.manifest.owner.name}`)
  const rows = await checkAllRows(archive)
  if (storage.s3) await requireBucket(storage.s3)
  const { dataDir } = storage
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await using _lock = await lockEmpty(storage)
  const staging = join(dataDir, STAGING)
  await rm(staging, { recursive: true, force: true })
  await copyFiles(archive, rows, storage, onProgress)
  await copyRows(rows, { folder: staging, databaseUrl: storage.databaseUrl }, onProgress)
  if (storage.databaseUrl === undefined) await putInPlace(join(staging, SQLITE_FILE), dataDir)
  await rm(staging, { recursive: true, force: true })
  return { manifest: archive.manifest, operators: await findOperators(rows) }
}

/** Checks the rows against an empty database of the version that was exported. */
async function checkAllRows(archive: Archive): Promise<ArchiveRows> {
  const { lastMigration } = archive
  if (!listMigrations().includes(lastMigration))
    throw new CopyProblem(
      `It was made by another version (with ${lastMigration}): update this program first`,
    )
  const folder = await mkdtemp(join(tmpdir(), 'lamplight-import-'))
  try {
    const empty = await openDatabase({
      dataDir: folder,
      databaseUrl: undefined,
      upTo: lastMigration,
    })
    await empty.destroy()
    await using database = openSqlite(join(folder, SQLITE_FILE))
    return await checkRows(archive, database)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Keeps other processes from the database until the result is disposed.
 *
 * @throws CopyProblem when it is in use, or not empty
 */
async function lockEmpty({ dataDir, databaseUrl }: StorageConfig): Promise<AsyncDisposable> {
  const stack = new AsyncDisposableStack()
  const path = join(dataDir, SQLITE_FILE)
  if (databaseUrl !== undefined) {
    await using database = await openExclusive(databaseUrl)
    await requireEmptyDatabase(database)
  } else if (existsSync(path)) {
    const database = stack.use(lockSqlite(path))
    const table = await findFilledTable(database)
    if (table === undefined) return stack
    await stack.disposeAsync()
    throw new CopyProblem(`The blog is not empty: it has the table "${table}"`)
  }
  return stack
}

/** Skips the files that an earlier attempt has copied. */
async function copyFiles(
  { tree, manifest }: Archive,
  rows: ArchiveRows,
  storage: StorageConfig,
  onProgress: RestoreOptions['onProgress'],
): Promise<void> {
  const { dataDir } = storage
  // The server takes a missing folder for a disk that is not mounted.
  for (const name of FILE_FOLDERS)
    if (name === 'uploads' || !storage.s3)
      await mkdir(join(dataDir, name), { recursive: true, mode: 0o700 })
  const to = openBlobStores(storage).files
  let done = 0
  for await (const batch of rows.fileRows())
    for (const row of batch) {
      if (row[FILE_CHECKSUM] !== null) await copyFile(tree, to, row)
      onProgress('files', ++done, manifest.counts.data?.file ?? 0)
    }
  for (const name of FILE_FOLDERS)
    await chownToOwnerOf(dataDir, join(dataDir, name)).catch(() => {})
}

async function copyFile(tree: FileTree, to: BlobStore, row: Row): Promise<void> {
  const name = String(row.storedName)
  const path = `${FILES_FOLDER}/${row[FILE_CHECKSUM]}`
  if ((await hashStored(to, name))?.sha256 === row[FILE_CHECKSUM]) return
  const bytes = await tree.open(path)
  if (!bytes) throw new CopyProblem(`${path} has been removed since it was checked`)
  if ((await putBytes(to, name, bytes)).sha256 !== row[FILE_CHECKSUM])
    throw new CopyProblem(`${path} has changed since it was checked`)
}

async function findOperators(rows: ArchiveRows): Promise<Restored['operators']> {
  const people: Restored['operators'] = []
  for await (const batch of rows.rows('user'))
    for (const { name, email, labels } of batch)
      if (String(labels).includes('"operator"'))
        people.push({ name: String(name), email: String(email) })
  return people
}
