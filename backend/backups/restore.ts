// Restores a backup into an empty data folder and an empty database. Everything is verified before
// the first byte is written, and again before the data folder gets its contents.
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { openDatabase } from '../database/database.ts'
import { makeDisk, syncPath } from '../files/disk.ts'
import { RESTORE_MARKER } from '../process/secrets.ts'
import { listBackups, newestBy } from './backup-folder.ts'
import { CopyProblem, chownToOwnerOf, copyBytes, readNames } from './backup-io.ts'
import { type BlobStores, listSecrets, openBlobStores, SQLITE_FILE } from './blog-contents.ts'
import { copyRows, openAlone, requireEmpty, requireKnown } from './copy-rows.ts'
import { listParts, MANIFEST, type Manifest, verifyBackup } from './manifest.ts'
import { lockSqlite, openSqlite } from './raw-database.ts'

/** In an otherwise empty folder of some file systems. */
const OF_FILE_SYSTEM = 'lost+found'
/** Where the server makes backups unless another folder was chosen. */
const BACKUPS = 'backups'
const BEFORE_RESTORE = 'before-restore-'

/**
 * The backup that a path names: itself, or the newest complete one in it.
 *
 * @throws CopyProblem when it is neither
 */
export async function findBackup(path: string): Promise<string> {
  if (!existsSync(path)) throw new CopyProblem(`There is no folder ${resolve(path)}`)
  if (existsSync(join(path, MANIFEST))) return resolve(path)
  const backups = await listBackups(path)
  const newest = newestBy(backups, new Date()) ?? backups.at(-1)
  if (newest === undefined) throw new CopyProblem(`There is no backup in ${resolve(path)}`)
  return resolve(path, newest)
}

/**
 * Restores the backup `from`. With `isReplacing`, what the data folder holds is moved into a folder
 * of it first, except backups and the secrets that the backup does not hold; SQLite only.
 *
 * @throws CopyProblem when anything speaks against it; then nothing has changed
 */
export async function restoreBackup(
  places: BlobStores,
  from: string,
  { isReplacing = false } = {},
): Promise<Manifest> {
  const { dataDir, databaseUrl } = places
  if ((await readdir(from)).includes('blog.dump'))
    throw new CopyProblem('It holds a dump of PostgreSQL: restore it with the version that made it')
  const { manifest, faults } = await verifyBackup(from)
  if (!manifest || faults.length > 0)
    throw new CopyProblem([`${from} is damaged, nothing was restored:`, ...faults].join('\n  '))
  if (manifest.filesAt === 'bucket' && !places.s3)
    throw new CopyProblem('Its files stayed at the S3 server: set BLOG_S3_ENDPOINT and the rest')
  {
    await using side = openSqlite(join(from, SQLITE_FILE))
    await requireKnown(side)
  }
  if (!isReplacing) {
    await requireEmptyFolder(dataDir)
    return fillFolder(places, from, manifest)
  }
  if (databaseUrl !== undefined)
    throw new CopyProblem('--replace is for SQLite: name an empty PostgreSQL database instead')
  if (!existsSync(dataDir))
    throw new CopyProblem(`There is no folder ${dataDir} to replace: BLOG_DATA_DIR names it`)
  await using before = await moveAside(dataDir, manifest)
  await fillFolder(places, from, manifest)
  before.keepAside()
  return manifest
}

async function fillFolder(places: BlobStores, from: string, manifest: Manifest): Promise<Manifest> {
  const { dataDir, databaseUrl } = places
  if (databaseUrl !== undefined) {
    await using side = await openAlone(databaseUrl)
    await requireEmpty(side)
  }
  const isOwn = (await mkdir(dataDir, { recursive: true, mode: 0o700 })) !== undefined
  const staging = join(dataDir, RESTORE_MARKER)
  try {
    await rm(staging, { recursive: true, force: true })
    await copyParts(places, from, manifest, staging)
    if (databaseUrl !== undefined) await fillPostgres(staging, databaseUrl)
    await moveIntoPlace(staging, dataDir)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    if (isOwn) await rm(dataDir, { recursive: true, force: true })
    throw error
  }
  return manifest
}

/**
 * Moves what a data folder holds into a folder of it, and back again unless `keepAside` is called.
 *
 * @throws CopyProblem when a server uses it
 */
async function moveAside(dataDir: string, { secrets }: Manifest) {
  if (existsSync(join(dataDir, SQLITE_FILE))) {
    // Throws when another process has it open.
    await using _alone = lockSqlite(join(dataDir, SQLITE_FILE))
  }
  const name = `${BEFORE_RESTORE}${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  const aside = join(dataDir, name)
  const restored = secrets.map((secret) => secret.name)
  const staying = (await listSecrets(dataDir)).filter((one) => !restored.includes(one))
  const names = (await readNames(dataDir)).filter(
    (one) => !staying.includes(one) && one !== RESTORE_MARKER && one !== OF_FILE_SYSTEM,
  )
  await mkdir(aside, { recursive: true, mode: 0o700 })
  const moved = names.filter((one) => one !== BACKUPS && !one.startsWith(BEFORE_RESTORE))
  for (const one of moved) await rename(join(dataDir, one), join(aside, one))
  await chownToOwnerOf(dataDir, aside)
  let isBack = true
  return {
    keepAside() {
      isBack = false
    },
    async [Symbol.asyncDispose]() {
      if (!isBack) return
      for (const one of moved) await rename(join(aside, one), join(dataDir, one))
      await rm(aside, { recursive: true })
    },
  }
}

async function requireEmptyFolder(dataDir: string): Promise<void> {
  const names = await readNames(dataDir)
  const first = names.find((name) => ![OF_FILE_SYSTEM, RESTORE_MARKER, BACKUPS].includes(name))
  if (first !== undefined)
    throw new CopyProblem(`${dataDir} is not empty (it has ${first}): name another folder`)
}

/** Stored names are never used twice: bytes that the bucket has under one are the same. */
async function copyParts(places: BlobStores, from: string, manifest: Manifest, staging: string) {
  const blobStores = { '': makeDisk(staging), ...openBlobStores({ ...places, dataDir: staging }) }
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

/** From the copy in the staging folder, brought up to date there. */
async function fillPostgres(staging: string, databaseUrl: string): Promise<void> {
  const migrated = await openDatabase({ dataDir: staging, databaseUrl: undefined })
  await migrated.destroy()
  const path = join(staging, SQLITE_FILE)
  {
    await using side = openSqlite(path)
    await copyRows(side, { folder: staging, databaseUrl })
  }
  await rm(path)
}

/** The database is moved last: without it the folder does not count as a blog's. */
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
