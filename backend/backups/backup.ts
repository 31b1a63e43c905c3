// Makes one backup: a consistent copy of database, files and secrets while the blog is used. It has
// a temporary name until it is complete, verified and on the disk (threat-model.md §10).
import { mkdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import {
  type BlogPlaces,
  kindOf,
  listSecrets,
  openKeepers,
  openSnapshot,
  type Snapshot,
} from './blog-data.ts'
import { copyFile, giveToOwnerOf, hashFile, settleFile, syncPath } from './bytes.ts'
import { type Collection, collect, collectListed, keepNamed } from './collect-bytes.ts'
import {
  completeName,
  listBackups,
  lockFolder,
  partialName,
  removeLeftovers,
  removeOldest,
} from './folders.ts'
import {
  type DatabaseKind,
  type Entry,
  type Manifest,
  readManifest,
  writeManifest,
} from './manifest.ts'
import { BackupProblem } from './problem.ts'
import { readProgramVersion } from './program-version.ts'
import {
  countRows,
  findChunkBytes,
  findFileBytes,
  findMigrations,
  hasName,
  type NamedBytes,
} from './rows-store.ts'
import { verifyBackup } from './verify.ts'

export const DATABASE_FILES: Record<DatabaseKind, string> = {
  sqlite: 'blog.sqlite',
  postgres: 'blog.dump',
}
/** How often a file may be added and removed again in the moment of the snapshot. */
const SNAPSHOTS_MAX = 10
/** Rounds for files that come while others are copied; the rest waits for the snapshot. */
const ROUNDS_MAX = 5

export type BackupOptions = {
  now: () => Date
  /** False: files of an S3 server stay there alone. */
  withFiles: boolean
  /** How many backups stay, the new one included; older ones go once it is complete. */
  keep?: number
}
export type MadeBackup = {
  path: string
  manifest: Manifest
  figures: Collection['figures']
}

/**
 * Makes a backup in `folder`, beside those that are there. Files that the newest of them has take
 * no room again.
 *
 * @throws BackupProblem when another one is being made, or the copy turns out unsound
 */
export async function makeBackup(
  places: BlogPlaces,
  folder: string,
  options: BackupOptions,
): Promise<MadeBackup> {
  if (resolve(folder) === places.dataDir)
    throw new BackupProblem('Backups cannot be in the data folder itself: name another folder')
  using _lock = await lockFolder(folder)
  await removeLeftovers(folder)
  const now = options.now()
  const partial = join(folder, partialName(now))
  const path = join(folder, completeName(now))
  await mkdir(partial, { mode: 0o700 })
  try {
    const made = await fill(places, folder, partial, options)
    await verifyOwnCopy(partial)
    for (const part of ['files', 'uploads', '.']) await syncPath(join(partial, part))
    await giveToOwnerOf(folder, partial)
    await rename(partial, path)
    await syncPath(folder)
    if (options.keep !== undefined) await removeOldest(folder, options.keep, completeName(now))
    return { path, ...made }
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  }
}

async function fill(
  places: BlogPlaces,
  folder: string,
  partial: string,
  { now, withFiles }: BackupOptions,
): Promise<Omit<MadeBackup, 'path'>> {
  const createdAt = now().toISOString()
  const files = await startCollection(places, 'files', folder, partial)
  const uploads = await startCollection(places, 'uploads', folder, partial)
  const staysInBucket = places.s3 !== undefined && !withFiles
  const collections = staysInBucket ? [uploads] : [files, uploads]
  const taken = await takeDatabase(places, collections, join(partial, databaseFile(places)))
  const keptFiles = staysInBucket
    ? { entries: taken.files.map(({ name }) => ({ name, sizeBytes: 0, sha256: '' })), lost: [] }
    : await keepNamed(files, taken.files)
  const keptUploads = await keepNamed(uploads, taken.chunks)
  const manifest = await writeManifest(partial, {
    program: await readProgramVersion(),
    createdAt,
    database: { ...taken.database, kind: kindOf(places) },
    filesAt: staysInBucket ? 'bucket' : 'backup',
    files: keptFiles.entries,
    uploads: keptUploads.entries,
    secrets: await copySecrets(places.dataDir, partial),
    lost: [...keptFiles.lost, ...keptUploads.lost],
  })
  const figures = {
    linkedFiles: files.figures.linkedFiles + uploads.figures.linkedFiles,
    copiedFiles: files.figures.copiedFiles + uploads.figures.copiedFiles,
    copiedBytes: files.figures.copiedBytes + uploads.figures.copiedBytes,
  }
  return { manifest, figures }
}

function databaseFile(places: BlogPlaces): string {
  return DATABASE_FILES[kindOf(places)]
}

async function startCollection(
  places: BlogPlaces,
  part: 'files' | 'uploads',
  folder: string,
  partial: string,
): Promise<Collection> {
  await mkdir(join(partial, part), { mode: 0o700 })
  const newest = (await listBackups(folder)).at(-1)
  // A damaged one is of no use here; whoever verifies it is told.
  const manifest = newest && (await readManifest(join(folder, newest)).catch(() => undefined))
  return {
    keeper: openKeepers(places)[part],
    folder: join(partial, part),
    earlier:
      newest && manifest
        ? {
            folder: join(folder, newest, part),
            entries: new Map(manifest[part].map((entry) => [entry.name, entry])),
          }
        : undefined,
    collected: new Map(),
    unreadable: new Set(),
    figures: { linkedFiles: 0, copiedFiles: 0, copiedBytes: 0 },
  }
}

type Taken = {
  database: Omit<Manifest['database'], 'kind'>
  files: NamedBytes[]
  chunks: NamedBytes[]
}

/**
 * Copies the bytes first, then the database, then what came between. Bytes that were added and
 * removed again just then are in the copy of the database and nowhere else: it is taken anew.
 */
async function takeDatabase(
  places: BlogPlaces,
  collections: Collection[],
  path: string,
): Promise<Taken> {
  for (let attempt = 1; attempt <= SNAPSHOTS_MAX; attempt++) {
    for (const collection of collections)
      for (let round = 1; round <= ROUNDS_MAX; round++)
        if ((await collectListed(collection)) === 0) break
    await using snapshot = await openSnapshot(places)
    const files = await findFileBytes(snapshot.ask)
    const chunks = await findChunkBytes(snapshot.ask)
    if (!(await collectNamed(snapshot, collections, [files, chunks]))) continue
    const dumpMajor = await snapshot.save(path)
    await settleFile(path)
    return { database: { dumpMajor, ...(await describeDatabase(snapshot, path)) }, files, chunks }
  }
  throw new BackupProblem('Files came and went too fast for a consistent copy: try again later')
}

/** @returns false when bytes have gone since the snapshot, together with their row */
async function collectNamed(
  { askNow }: Snapshot,
  collections: Collection[],
  named: [files: NamedBytes[], chunks: NamedBytes[]],
): Promise<boolean> {
  // Without files there is only the collection of uploads, which comes last.
  const ofCollections = named.slice(-collections.length)
  for (const [index, collection] of collections.entries())
    for (const { name } of ofCollections[index] ?? [])
      if (!(await collect(collection, name)) && !(await hasName(askNow, name))) return false
  return true
}

async function describeDatabase(
  { ask, tables }: Snapshot,
  path: string,
): Promise<Omit<Taken['database'], 'dumpMajor'>> {
  const rows = await countRows(ask, tables)
  const migrations = await findMigrations(ask, tables)
  return { ...(await describeFile(path)), migrations, rows }
}

async function describeFile(path: string): Promise<Entry> {
  const hashes = await hashFile(path)
  if (!hashes) throw new BackupProblem(`${path} has vanished while the backup was made`)
  const { sizeBytes, sha256 } = hashes
  return { name: path.slice(path.lastIndexOf('/') + 1), sizeBytes, sha256 }
}

async function copySecrets(dataDir: string, partial: string): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const name of await listSecrets(dataDir)) {
    const hashes = await copyFile(join(dataDir, name), join(partial, name))
    if (hashes) entries.push({ name, sizeBytes: hashes.sizeBytes, sha256: hashes.sha256 })
  }
  return entries
}

async function verifyOwnCopy(partial: string): Promise<void> {
  const { faults } = await verifyBackup(partial)
  if (faults.length > 0)
    throw new BackupProblem(`The backup is unsound and was removed: ${faults.join('; ')}`)
}
