// Makes one backup: a consistent copy of database, files and secrets while the blog runs. It has a
// temporary name until it is complete, verified and durable (threat-model.md §10).
import { createReadStream } from 'node:fs'
import { link, mkdir, rename, rm, statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type BlobStore, TruncatedBlob } from '../files/blob-store.ts'
import { makeDisk, syncPath } from '../files/disk.ts'
import {
  completeName,
  listBackups,
  lockFolder,
  removeLeftovers,
  removeOldest,
} from './backup-folder.ts'
import {
  CopyProblem,
  chownToOwnerOf,
  copyBytes,
  type Hashes,
  hashAll,
  hashFile,
  makePrivateAndDurable,
  STORED_NAME,
} from './backup-io.ts'
import {
  type BlobStores,
  countRows,
  findBytes,
  listSecrets,
  measureBlog,
  type NamedBytes,
  openBlobStores,
  openSide,
  PARTS,
  type PartName,
  SQLITE_FILE,
  stillNamed,
} from './blog-contents.ts'
import { copyRows } from './copy-rows.ts'
import { type Entry, type Manifest, readManifest, verifyBackup, writeManifest } from './manifest.ts'
import { freeze, listTables, openSqlite } from './raw-database.ts'

/** How often the snapshot is repeated because a file was added and removed during it. */
const SNAPSHOTS_MAX = 10
const MIB = 1024 * 1024

/** The disk of the backups has too little room for one more. */
export class NoRoom extends CopyProblem {}

export type BackupOptions = {
  now: () => Date
  /** False: files of an S3 server are not copied. */
  withFiles: boolean
  /** How many backups stay, the new one included; older ones are removed once it is complete. */
  keep?: number
  /** Hears how many bytes it holds by now, of how many. */
  onProgress?: (doneBytes: number, totalBytes: number) => void
}

/** Finished files or chunks of uploads, on their way into a backup. */
type Part = {
  name: PartName
  blobStore: BlobStore
  folder: string
  /** The same folder of the backup before, with the checksums of its manifest. */
  earlier: string
  entries: Map<string, string>
  /** What has been copied; undefined for bytes that exist and cannot be read. */
  collected: Map<string, Hashes | undefined>
  /** How many of them are hard links. */
  linked: number
  onCollected: (bytes: number) => void
}

/**
 * Makes a backup in `folder`. Files that the newest one there has are hard links, which take no
 * space.
 *
 * @throws CopyProblem when another one is being made, or the copy is unsound
 */
export async function makeBackup(places: BlobStores, folder: string, options: BackupOptions) {
  if (resolve(folder) === places.dataDir)
    throw new CopyProblem('Backups cannot be in the data folder itself: name another folder')
  using _lock = await lockFolder(folder)
  await removeLeftovers(folder)
  const name = completeName(options.now())
  const partial = join(folder, `${name}.partial`)
  const path = join(folder, name)
  await mkdir(partial, { mode: 0o700 })
  try {
    const made = await fill(places, folder, partial, options)
    const { faults } = await verifyBackup(partial)
    if (faults.length > 0)
      throw new CopyProblem(`The backup is unsound and was removed: ${faults.join('; ')}`)
    for (const part of ['files', 'uploads', '.']) await syncPath(join(partial, part))
    await chownToOwnerOf(folder, partial)
    await rename(partial, path)
    await syncPath(folder)
    if (options.keep !== undefined) await removeOldest(folder, options.keep, name)
    return { path, ...made }
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  }
}

async function fill(places: BlobStores, folder: string, partial: string, options: BackupOptions) {
  const createdAt = options.now().toISOString()
  const filesAt = places.s3 !== undefined && !options.withFiles ? 'bucket' : 'backup'
  const totalBytes = await requireRoom(places, folder)
  let doneBytes = 0
  options.onProgress?.(doneBytes, totalBytes)
  const parts = await openParts(places, folder, partial, (bytes) => {
    doneBytes += bytes
    options.onProgress?.(doneBytes, totalBytes)
  })
  const collected = parts.filter(({ name }) => name !== 'files' || filesAt === 'backup')
  const { database, named } = await takeDatabase(places, collected, partial)
  const lost: Manifest['lost'] = []
  const kept: Record<PartName, Entry[]> = {
    files: named.files.map(({ name }) => ({ name, sizeBytes: 0, sha256: '' })),
    uploads: [],
  }
  for (const part of collected) kept[part.name] = await keepNamed(part, named[part.name], lost)
  const secrets: Entry[] = []
  const from = makeDisk(places.dataDir)
  const to = makeDisk(partial)
  for (const name of await listSecrets(places.dataDir)) {
    const hashes = await copyBytes(from, to, name)
    if (hashes) secrets.push(entryOf(name, hashes))
  }
  const content = { createdAt, database, filesAt, ...kept, secrets, lost } as const
  const linkedFiles = collected.reduce((sum, { linked }) => sum + linked, 0)
  const files = collected.flatMap((part) => [...part.collected.values()]).filter(Boolean)
  const figures = { linkedFiles, copiedFiles: files.length - linkedFiles }
  return { manifest: await writeManifest(partial, content), figures }
}

/** Left free on the disk: the blog may be on it, too. */
const RESERVE_BYTES = 64 * 1024 * 1024

/**
 * A backup that fills the disk would stop the blog, if it is on the same one.
 *
 * @returns how much it will hold
 * @throws NoRoom
 */
async function requireRoom(places: BlobStores, folder: string): Promise<number> {
  await using side = await openSide(places)
  const sizes = await measureBlog(side)
  const newest = (await listBackups(folder)).at(-1) ?? ''
  const manifest = await readManifest(join(folder, newest)).catch(() => undefined)
  const linkedBytes = manifest?.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) ?? 0
  const neededBytes = sizes.databaseBytes + Math.max(0, sizes.filesBytes - linkedBytes)
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < neededBytes + RESERVE_BYTES)
    throw new NoRoom(
      `The disk of ${resolve(folder)} has too little room: ${Math.ceil(neededBytes / MIB)} MiB are needed and ${Math.floor((bavail * bsize) / MIB)} MiB are free`,
    )
  return sizes.databaseBytes + sizes.filesBytes
}

async function openParts(
  places: BlobStores,
  folder: string,
  partial: string,
  onCollected: Part['onCollected'],
): Promise<Part[]> {
  const newest = (await listBackups(folder)).at(-1) ?? ''
  // A damaged one is of no use here; `verify` reports it.
  const manifest = await readManifest(join(folder, newest)).catch(() => undefined)
  const blobStores = openBlobStores(places)
  for (const name of PARTS) await mkdir(join(partial, name), { mode: 0o700 })
  return PARTS.map((name) => ({
    name,
    blobStore: blobStores[name],
    folder: join(partial, name),
    earlier: join(folder, newest, name),
    entries: new Map(manifest?.[name].map((entry) => [entry.name, entry.sha256])),
    collected: new Map(),
    linked: 0,
    onCollected,
  }))
}

/**
 * Copies the bytes first, then the database, then bytes that were added in between. If bytes were
 * added and removed again meanwhile, only the copy of the database names them: it is repeated.
 */
async function takeDatabase(places: BlobStores, parts: Part[], partial: string) {
  for (let attempt = 1; attempt <= SNAPSHOTS_MAX; attempt++) {
    for (const part of parts)
      for await (const { name: listed } of part.blobStore.list())
        if (STORED_NAME.test(listed)) await collect(part, listed)
    await using snapshot = await openSide(places)
    await freeze(snapshot)
    const named = await findBytes(snapshot)
    if (!(await collectNamed(places, parts, named))) continue
    const path = join(partial, SQLITE_FILE)
    if (snapshot.save) await snapshot.save(path)
    else await copyRows(snapshot, { folder: partial, databaseUrl: undefined })
    await makePrivateAndDurable(path)
    await using copy = openSqlite(path)
    const rows = await countRows(copy, await listTables(copy))
    const hashes = await hashAll(createReadStream(path))
    return { named, database: { ...entryOf(SQLITE_FILE, hashes), rows } }
  }
  throw new CopyProblem('Files came and went too fast for a consistent copy: try again later')
}

/** @returns false when bytes were removed since the snapshot, together with their row */
async function collectNamed(
  places: BlobStores,
  parts: Part[],
  named: Record<PartName, NamedBytes[]>,
): Promise<boolean> {
  const missing: string[] = []
  for (const part of parts)
    for (const { name } of named[part.name]) if (!(await collect(part, name))) missing.push(name)
  return (await stillNamed(places, missing)).length === missing.length
}

/** Copies the bytes of one name. @returns false when they do not exist */
async function collect(part: Part, name: string): Promise<boolean> {
  const { collected, blobStore, folder } = part
  if (collected.has(name)) return true
  try {
    const earlier = await linkEarlier(part, name)
    const found = earlier ?? (await copyBytes(blobStore, makeDisk(folder), name))
    if (found) {
      collected.set(name, found)
      part.onCollected(found.sizeBytes)
    }
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException
    // The disk has lost these bytes; the others are still backed up.
    const isLost = error instanceof TruncatedBlob || (syscall === 'read' && code === 'EIO')
    if (!isLost) throw error
    collected.set(name, undefined)
  }
  return collected.has(name)
}

/** Never links to the blog's own file: damage to the one would damage the other. */
async function linkEarlier(part: Part, name: string): Promise<Hashes | undefined> {
  const path = join(part.earlier, name)
  const hashes = part.entries.has(name) ? await hashFile(path) : undefined
  if (!hashes || hashes.sha256 !== part.entries.get(name)) return undefined
  try {
    await link(path, join(part.folder, name))
  } catch {
    return undefined // The file system has no such names.
  }
  part.linked++
  return hashes
}

/** Removes bytes that no row names. @returns the entries of the manifest */
async function keepNamed(part: Part, named: NamedBytes[], lost: Manifest['lost']) {
  const { folder, collected } = part
  const names = new Set(named.map(({ name }) => name))
  for (const name of collected.keys())
    if (!names.has(name)) await rm(join(folder, name), { force: true })
  const entries: Entry[] = []
  for (const { name, md5 } of named) {
    const found = collected.get(name)
    if (!found || (md5 !== '' && found.md5 !== md5))
      lost.push({ name, problem: collected.has(name) ? 'damaged' : 'missing' })
    if (found) entries.push(entryOf(name, found))
  }
  return entries
}

function entryOf(name: string, { sizeBytes, sha256 }: Hashes): Entry {
  return { name, sizeBytes, sha256 }
}
