// Restores a backup into an empty data folder and an empty database. Everything is checked before
// the first byte is written, and again before the data folder gets its contents.
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { listMigrations } from '../database/database.ts'
import { makeDisk } from '../files/disk.ts'
import { RESTORING } from '../process/secrets.ts'
import { type BlogPlaces, countRows, openKeepers, SQLITE_FILE } from './blog-data.ts'
import { copyBytes, giveToOwnerOf, isMissing, syncPath } from './bytes.ts'
import { listBackups, newestBy } from './folders.ts'
import { listParts, MANIFEST, type Manifest } from './manifest.ts'
import { findPgProgram, runPgProgram } from './pg-programs.ts'
import { CopyProblem } from './problem.ts'
import { openPostgres, type Side } from './side.ts'
import { verifyBackup } from './verify.ts'

/** What a file system itself keeps in an empty folder. */
const OF_FILE_SYSTEM = 'lost+found'
/** In one transaction: the database is restored whole or not at all. */
const RESTORE = ['--exit-on-error', '--single-transaction', '--no-owner', '--no-privileges']

/**
 * The backup that a path names: itself, or the newest complete one in it.
 *
 * @throws CopyProblem when it is neither
 */
export async function findBackup(path: string): Promise<string> {
  const names = await readdir(path).catch((error: unknown) => {
    if (isMissing(error)) throw new CopyProblem(`There is no folder ${resolve(path)}`)
    throw error
  })
  if (names.includes(MANIFEST)) return resolve(path)
  const backups = await listBackups(path)
  const newest = newestBy(backups, new Date()) ?? backups.at(-1)
  if (newest === undefined) throw new CopyProblem(`There is no backup in ${resolve(path)}`)
  return resolve(path, newest)
}

/**
 * Restores the backup `from`.
 *
 * @throws CopyProblem when anything speaks against it; then nothing has changed
 */
export async function restoreBackup(places: BlogPlaces, from: string): Promise<Manifest> {
  const { dataDir, databaseUrl } = places
  const { manifest, faults } = await verifyBackup(from)
  if (!manifest || faults.length > 0)
    throw new CopyProblem(
      [`The backup ${from} is damaged, nothing was restored:`, ...faults].join('\n  '),
    )
  requireFit(places, from, manifest)
  await requireEmptyFolder(dataDir)
  await using side = databaseUrl ? await openPostgres(databaseUrl) : undefined
  const [table] = (await side?.tables()) ?? []
  if (table !== undefined)
    throw new CopyProblem(
      `The database of BLOG_DATABASE_URL is not empty (it has the table "${table}"): make a new one`,
    )
  const major = Math.max(side?.major ?? 0, manifest.database.dumpMajor)
  const program = side && (await findPgProgram('pg_restore', major))
  const isOwn = (await mkdir(dataDir, { recursive: true, mode: 0o700 })) !== undefined
  const staging = join(dataDir, RESTORING)
  try {
    await rm(staging, { recursive: true, force: true })
    await copyParts(places, from, manifest, staging)
    if (side && program && databaseUrl) {
      await runPgProgram(program, [...RESTORE, join(from, manifest.database.name)], databaseUrl)
      await checkRows(side, manifest)
    }
    await moveIntoPlace(staging, dataDir)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    if (isOwn) await rm(dataDir, { recursive: true, force: true })
    throw error
  }
  return manifest
}

function requireFit({ databaseUrl, s3 }: BlogPlaces, from: string, manifest: Manifest): void {
  const { database, program, filesAt } = manifest
  const known = listMigrations()
  const unknown = database.migrations.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new CopyProblem(
      `The backup ${from} was made by a newer program (${program}, with ${unknown.join(', ')}): update this one first`,
    )
  if ((database.kind === 'sqlite') !== (databaseUrl === undefined))
    throw new CopyProblem(
      database.kind === 'sqlite'
        ? 'The backup is of an SQLite database: restore it without BLOG_DATABASE_URL'
        : 'The backup is of a PostgreSQL database: set BLOG_DATABASE_URL to an empty one',
    )
  if (filesAt === 'bucket' && !s3)
    throw new CopyProblem(
      'The backup was made without its files, which stayed at the S3 server: set BLOG_S3_ENDPOINT and the rest',
    )
}

async function requireEmptyFolder(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch((cause: unknown) => {
    if (isMissing(cause)) return []
    throw new CopyProblem(`The data folder ${dataDir} cannot be read`, { cause })
  })
  const first = names.find((name) => name !== OF_FILE_SYSTEM && name !== RESTORING)
  if (first !== undefined)
    throw new CopyProblem(
      `The data folder ${dataDir} is not empty (it has ${first}): name another one in BLOG_DATA_DIR, or move this one away`,
    )
}

/** Stored names are never used twice: what the bucket has under one is the same. */
async function copyParts(places: BlogPlaces, from: string, manifest: Manifest, staging: string) {
  const keepers = { '': makeDisk(staging), ...openKeepers({ ...places, dataDir: staging }) }
  for (const { folder, entries } of listParts(manifest)) {
    await mkdir(join(staging, folder), { recursive: true, mode: 0o700 })
    const [source, to] = [makeDisk(join(from, folder)), keepers[folder]]
    for (const { name, sha256 } of entries) {
      if ((name === manifest.database.name && places.databaseUrl) || (await to.has(name))) continue
      if ((await copyBytes(source, to, name))?.sha256 !== sha256)
        throw new CopyProblem(`${join(from, folder, name)} has changed since it was verified`)
    }
  }
  if (manifest.filesAt === 'backup') return
  const [missing] = await keepers.files.findMissing(manifest.files.map(({ name }) => name))
  if (missing !== undefined)
    throw new CopyProblem(
      `The bucket has no file ${missing}, and the backup was made without files`,
    )
}

async function checkRows(side: Side, { database }: Manifest): Promise<void> {
  const counts = await countRows(side, await side.tables())
  for (const [table, count] of Object.entries(database.rows))
    if (counts[table] !== count)
      throw new CopyProblem(
        `The restored table "${table}" has ${counts[table] ?? 'no'} rows instead of ${count}: empty the database before the next attempt`,
      )
}

/** The database comes last: without it nothing takes the folder for a blog's. */
async function moveIntoPlace(staging: string, dataDir: string): Promise<void> {
  await giveToOwnerOf(dataDir, staging)
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
