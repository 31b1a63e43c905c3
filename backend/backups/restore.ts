// Restores a backup into an empty data folder and an empty database. Everything is checked before
// the first byte is written, and again before the data folder gets its contents.
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { listMigrations } from '../database/database.ts'
import type { Keeper } from '../files/keeper.ts'
import { RESTORING } from '../process/secrets.ts'
import { type BlogPlaces, kindOf, openKeepers, SQLITE_FILE, sharesChunks } from './blog-data.ts'
import { copyFile, giveToOwnerOf, hashFile, isMissing, syncPath } from './bytes.ts'
import { listBackups, newestBy } from './folders.ts'
import { type Entry, MANIFEST, type Manifest } from './manifest.ts'
import { findPgProgram, type Program, runPgProgram } from './pg-programs.ts'
import { openPostgresReader } from './postgres-store.ts'
import { BackupProblem } from './problem.ts'
import { countRows } from './rows-store.ts'
import { checkSqlite, openSqliteReader } from './sqlite-store.ts'
import { verifyBackup } from './verify.ts'

/** What a file system itself keeps in an empty folder. */
const OF_FILE_SYSTEM = 'lost+found'

export type Restored = { from: string; manifest: Manifest }

/**
 * The backup that a path names: itself, or the newest complete one in it.
 *
 * @throws BackupProblem when it is neither
 */
export async function findBackup(path: string): Promise<string> {
  const names = await readdir(path).catch((error: unknown) => {
    if (isMissing(error)) throw new BackupProblem(`There is no folder ${resolve(path)}`)
    throw error
  })
  if (names.includes(MANIFEST)) return resolve(path)
  const backups = await listBackups(path)
  const newest = newestBy(backups, new Date()) ?? backups.at(-1)
  if (newest === undefined) throw new BackupProblem(`There is no backup in ${resolve(path)}`)
  return resolve(path, newest)
}

/**
 * Restores the backup `from`.
 *
 * @throws BackupProblem when anything speaks against it; then nothing has changed
 */
export async function restoreBackup(places: BlogPlaces, from: string): Promise<Restored> {
  const manifest = await requireSound(from)
  requireKnown(from, manifest)
  requireSameKind(places, manifest)
  await requireEmptyFolder(places.dataDir)
  const program =
    places.databaseUrl === undefined
      ? undefined
      : await requireEmptyPostgres(places.databaseUrl, manifest)
  const isOwn = await makeFolder(places.dataDir)
  const staging = join(places.dataDir, RESTORING)
  try {
    await rm(staging, { recursive: true, force: true })
    await copyEverything(places, from, manifest, staging)
    await checkCopy(staging, manifest)
    if (program && places.databaseUrl !== undefined)
      await restorePostgres(program, places.databaseUrl, from, manifest)
    await moveIntoPlace(staging, places.dataDir)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    if (isOwn) await rm(places.dataDir, { recursive: true, force: true })
    throw error
  }
  return { from, manifest }
}

async function requireSound(from: string): Promise<Manifest> {
  const { manifest, faults } = await verifyBackup(from)
  if (faults.length === 0 && manifest) return manifest
  throw new BackupProblem(
    `The backup ${from} is damaged, nothing was restored:\n${faults.map((line) => `  ${line}`).join('\n')}`,
  )
}

function requireKnown(from: string, { database, program }: Manifest): void {
  const known = listMigrations()
  const unknown = database.migrations.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new BackupProblem(
      `The backup ${from} was made by a newer program (${program}, with ${unknown.join(', ')}): update this one first`,
    )
}

function requireSameKind(places: BlogPlaces, { database, filesAt }: Manifest): void {
  if (database.kind !== kindOf(places))
    throw new BackupProblem(
      database.kind === 'sqlite'
        ? 'The backup is of an SQLite database: restore it without BLOG_DATABASE_URL'
        : 'The backup is of a PostgreSQL database: set BLOG_DATABASE_URL to an empty one',
    )
  if (filesAt === 'bucket' && !places.s3)
    throw new BackupProblem(
      'The backup was made without its files, which stayed at the S3 server: set BLOG_S3_ENDPOINT and the rest',
    )
}

async function requireEmptyFolder(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw new BackupProblem(`The data folder ${dataDir} cannot be read`, { cause: error })
  })
  const [first] = names.filter((name) => name !== OF_FILE_SYSTEM && name !== RESTORING)
  if (first !== undefined)
    throw new BackupProblem(
      `The data folder ${dataDir} is not empty (it has ${first}): name another one in BLOG_DATA_DIR, or move this one away`,
    )
}

/** @returns the pg_restore to use */
async function requireEmptyPostgres(url: string, { database }: Manifest): Promise<Program> {
  await using reader = await openPostgresReader(url, { isSnapshot: false })
  const [table] = await reader.tables()
  if (table !== undefined)
    throw new BackupProblem(
      `The database of BLOG_DATABASE_URL is not empty (it has the table "${table}"): make a new one`,
    )
  return await findPgProgram('pg_restore', Math.max(reader.major, database.dumpMajor))
}

/** @returns whether it was made just now */
async function makeFolder(dataDir: string): Promise<boolean> {
  const made = await mkdir(dataDir, { recursive: true, mode: 0o700 })
  return made !== undefined
}

async function copyEverything(
  places: BlogPlaces,
  from: string,
  { database, files, uploads, secrets, filesAt }: Manifest,
  staging: string,
): Promise<void> {
  for (const part of ['', 'files', 'uploads']) await mkdir(join(staging, part), { mode: 0o700 })
  for (const { name } of secrets) await copyFrom(join(from, name), join(staging, name))
  if (database.kind === 'sqlite')
    await copyFrom(join(from, database.name), join(staging, SQLITE_FILE))
  const { files: bucket, uploads: chunks } = openKeepers({ ...places, dataDir: staging })
  for (const entry of uploads)
    if (sharesChunks(places)) await bringToBucket(chunks, join(from, 'uploads'), entry, 'backup')
    else await copyFrom(join(from, 'uploads', entry.name), join(staging, 'uploads', entry.name))
  if (!places.s3) {
    for (const { name } of files)
      await copyFrom(join(from, 'files', name), join(staging, 'files', name))
    return
  }
  for (const entry of files) await bringToBucket(bucket, join(from, 'files'), entry, filesAt)
}

async function copyFrom(from: string, to: string): Promise<void> {
  if (!(await copyFile(from, to))) throw new BackupProblem(`${from} has vanished`)
}

/** Stored names are never used twice: what the bucket has under one is the same. */
async function bringToBucket(
  bucket: Keeper,
  folder: string,
  { name, sizeBytes }: Entry,
  filesAt: Manifest['filesAt'],
): Promise<void> {
  if (await bucket.has(name)) return
  if (filesAt === 'bucket')
    throw new BackupProblem(`The bucket has no file ${name}, and the backup was made without files`)
  await bucket.put(name, createReadStream(join(folder, name)), sizeBytes)
}

/** Reads what was written: the disk may lie. */
async function checkCopy(staging: string, manifest: Manifest): Promise<void> {
  const { database, files, uploads, secrets } = manifest
  const isOnDisk = async (part: string) => (await readdir(join(staging, part))).length > 0
  const copies: [path: string, entry: Entry][] = [
    ...secrets.map((entry): [string, Entry] => [entry.name, entry]),
    ...((await isOnDisk('files')) ? files : []).map((entry): [string, Entry] => [
      join('files', entry.name),
      entry,
    ]),
    ...((await isOnDisk('uploads')) ? uploads : []).map((entry): [string, Entry] => [
      join('uploads', entry.name),
      entry,
    ]),
  ]
  if (database.kind === 'sqlite') copies.push([SQLITE_FILE, database])
  for (const [path, { sha256 }] of copies)
    if ((await hashFile(join(staging, path)))?.sha256 !== sha256)
      throw new BackupProblem(`The copy of ${path} differs from the backup: is the disk sound?`)
  if (database.kind !== 'sqlite') return
  using reader = await openSqliteReader(join(staging, SQLITE_FILE), { isSnapshot: true })
  const [fault] = checkSqlite(reader)
  if (fault) throw new BackupProblem(`The copy of the database is unsound: ${fault}`)
}

/** In one transaction: it is restored whole or not at all. */
async function restorePostgres(
  program: Program,
  url: string,
  from: string,
  { database }: Manifest,
): Promise<void> {
  const args = ['--exit-on-error', '--single-transaction', '--no-owner', '--no-privileges']
  await runPgProgram(program, [...args, join(from, database.name)], url)
  await using reader = await openPostgresReader(url, { isSnapshot: true })
  const counts = await countRows(reader.ask, await reader.tables())
  for (const [table, count] of Object.entries(database.rows))
    if (counts[table] !== count)
      throw new BackupProblem(
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
