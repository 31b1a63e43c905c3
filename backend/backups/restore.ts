// Restores a backup into an empty data folder and an empty database. Everything is verified before
// the first byte is written, and again before the data folder gets its contents.
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { openDatabase } from '../database/database.ts'
import { makeDisk, syncPath } from '../files/disk.ts'
import { RESTORE_MARKER } from '../process/secrets.ts'
import { findNewestUntil, listBackups } from './backup-folder.ts'
import { CopyProblem, chownToOwnerOf, copyBytes, listNames } from './backup-io.ts'
import { listSecrets, openBlobStores, SQLITE_FILE, type StorageConfig } from './blog-contents.ts'
import {
  copyRows,
  openExclusive,
  requireEmptyDatabase,
  requireKnownMigrations,
  rowsOf,
} from './copy-rows.ts'
import { listParts, MANIFEST, type Manifest, verifyBackup } from './manifest.ts'
import { lockSqlite, openSqlite } from './raw-database.ts'

/** A folder that some file systems create in their root. */
const LOST_AND_FOUND = 'lost+found'
/** The default folder of the server's backups. */
const BACKUPS = 'backups'
const BEFORE_RESTORE = 'before-restore-'

/**
 * Finds the backup at a path, which is a backup itself or a folder of backups. Of those, the newest
 * is used.
 *
 * @throws CopyProblem when there is none
 */
export async function findBackup(path: string): Promise<string> {
  if (!existsSync(path)) throw new CopyProblem(`There is no folder ${resolve(path)}`)
  if (existsSync(join(path, MANIFEST))) return resolve(path)
  const backups = await listBackups(path)
  const newest = findNewestUntil(backups, new Date()) ?? backups.at(-1)
  if (newest === undefined) throw new CopyProblem(`There is no backup in ${resolve(path)}`)
  return resolve(path, newest)
}

/**
 * Restores the backup `from`. With `isReplacing` (SQLite only), the contents of the data folder are
 * first moved into a folder inside it, except backups and secrets that the backup lacks.
 *
 * @throws CopyProblem when it cannot be restored; then nothing has changed
 */
export async function restoreBackup(
  storage: StorageConfig,
  from: string,
  { isReplacing = false } = {},
): Promise<Manifest> {
  const { dataDir, databaseUrl } = storage
  if ((await readdir(from)).includes('blog.dump'))
    throw new CopyProblem('It holds a dump of PostgreSQL: restore it with the version that made it')
  const { manifest, faults } = await verifyBackup(from)
  if (!manifest || faults.length > 0)
    throw new CopyProblem([`${from} is damaged, nothing was restored:`, ...faults].join('\n  '))
  if (manifest.filesAt === 'bucket' && !storage.s3)
    throw new CopyProblem('Its files stayed at the S3 server: set BLOG_S3_ENDPOINT and the rest')
  {
    await using database = openSqlite(join(from, SQLITE_FILE))
    await requireKnownMigrations(database)
  }
  if (!isReplacing) {
    await requireEmptyFolder(dataDir)
    return fillFolder(storage, from, manifest)
  }
  if (databaseUrl !== undefined)
    throw new CopyProblem('--replace is for SQLite: name an empty PostgreSQL database instead')
  if (!existsSync(dataDir))
    throw new CopyProblem(`There is no folder ${dataDir} to replace: BLOG_DATA_DIR names it`)
  await using aside = await moveContentsAside(dataDir, manifest)
  await fillFolder(storage, from, manifest)
  aside.commit()
  return manifest
}

async function fillFolder(
  storage: StorageConfig,
  from: string,
  manifest: Manifest,
): Promise<Manifest> {
  const { dataDir, databaseUrl } = storage
  if (databaseUrl !== undefined) {
    await using database = await openExclusive(databaseUrl)
    await requireEmptyDatabase(database)
  }
  const isCreated = (await mkdir(dataDir, { recursive: true, mode: 0o700 })) !== undefined
  const staging = join(dataDir, RESTORE_MARKER)
  try {
    await rm(staging, { recursive: true, force: true })
    await copyParts(storage, from, manifest, staging)
    if (databaseUrl !== undefined) await fillPostgres(staging, databaseUrl)
    await moveIntoPlace(staging, dataDir)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    if (isCreated) await rm(dataDir, { recursive: true, force: true })
    throw error
  }
  return manifest
}

/**
 * Moves the contents of a data folder into a folder inside it. Disposing the result moves them back
 * unless `commit` was called.
 *
 * @throws CopyProblem when a server uses the data folder
 */
async function moveContentsAside(dataDir: string, { secrets }: Manifest) {
  if (existsSync(join(dataDir, SQLITE_FILE))) {
    // Throws when another process has the database open.
    await using _lock = lockSqlite(join(dataDir, SQLITE_FILE))
  }
  const name = `${BEFORE_RESTORE}${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  const aside = join(dataDir, name)
  const restored = secrets.map((secret) => secret.name)
  const staying = (await listSecrets(dataDir)).filter((secret) => !restored.includes(secret))
  const names = (await listNames(dataDir)).filter(
    (entry) => !staying.includes(entry) && entry !== RESTORE_MARKER && entry !== LOST_AND_FOUND,
  )
  await mkdir(aside, { recursive: true, mode: 0o700 })
  const moved = names.filter((entry) => entry !== BACKUPS && !entry.startsWith(BEFORE_RESTORE))
  for (const entry of moved) await rename(join(dataDir, entry), join(aside, entry))
  await chownToOwnerOf(dataDir, aside)
  let isCommitted = false
  return {
    commit() {
      isCommitted = true
    },
    async [Symbol.asyncDispose]() {
      if (isCommitted) return
      for (const entry of moved) await rename(join(aside, entry), join(dataDir, entry))
      await rm(aside, { recursive: true })
    },
  }
}

async function requireEmptyFolder(dataDir: string): Promise<void> {
  const names = await listNames(dataDir)
  const first = names.find((name) => ![LOST_AND_FOUND, RESTORE_MARKER, BACKUPS].includes(name))
  if (first !== undefined)
    throw new CopyProblem(`${dataDir} is not empty (it has ${first}): name another folder`)
}

/** Skips bytes that the bucket has already: a stored name is never used for other bytes. */
async function copyParts(
  storage: StorageConfig,
  from: string,
  manifest: Manifest,
  staging: string,
) {
  const blobStores = { '': makeDisk(staging), ...openBlobStores({ ...storage, dataDir: staging }) }
  for (const { folder, entries } of listParts(manifest)) {
    await mkdir(join(staging, folder), { recursive: true, mode: 0o700 })
    const source = makeDisk(join(from, folder))
    const to = blobStores[folder]
    for (const { name, sha256 } of entries) {
      if (await to.has(name)) continue
      if ((await copyBytes(source, to, name))?.sha256 !== sha256)
        throw new CopyProblem(`${join(from, folder, name)} has changed since it was verified`)
    }
  }
  if (manifest.filesAt === 'backup') return
  for (const { name } of manifest.files)
    if (!(await blobStores.files.has(name)))
      throw new CopyProblem(`The bucket has no file ${name}, and the backup was made without files`)
}

/** Migrates the copy in the staging folder, and copies its rows to PostgreSQL. */
async function fillPostgres(staging: string, databaseUrl: string): Promise<void> {
  const migrated = await openDatabase({ dataDir: staging, databaseUrl: undefined })
  await migrated.destroy()
  const path = join(staging, SQLITE_FILE)
  {
    await using database = openSqlite(path)
    await copyRows(await rowsOf(database), { folder: staging, databaseUrl })
  }
  await rm(path)
}

/** Moves the database last: a folder without it is not taken for a blog. */
async function moveIntoPlace(staging: string, dataDir: string): Promise<void> {
  await chownToOwnerOf(dataDir, staging)
  const names = (await readdir(staging)).toSorted(
    (a, b) => Number(a === SQLITE_FILE) - Number(b === SQLITE_FILE),
  )
  for (const part of ['files', 'uploads', '.']) await syncPath(join(staging, part))
  const moved: string[] = []
  try {
    for (const name of names) {
      await rename(join(staging, name), join(dataDir, name))
      moved.push(name)
    }
  } catch (error) {
    for (const name of moved) await rm(join(dataDir, name), { recursive: true, force: true })
    throw error
  }
  await rm(staging, { recursive: true, force: true })
  await syncPath(dataDir)
}
