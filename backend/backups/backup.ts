// Makes one backup: a consistent copy of database, files and secrets while the blog runs. The
// folder has a temporary name until the backup is complete, verified and durable (threat-model.md
// §10).
import { createReadStream } from 'node:fs'
import { link, mkdir, rename, rm, statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { BlobSizeMismatch, type BlobStore } from '../files/blob-store.ts'
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
  countRows,
  FILE_FOLDERS,
  type FileFolder,
  findBytes,
  findNamesInUse,
  listSecrets,
  measureBlog,
  type NamedBytes,
  openBlobStores,
  openRawDatabase,
  SQLITE_FILE,
  type StorageConfig,
} from './blog-contents.ts'
import { copyRows, rowsOf } from './copy-rows.ts'
import { type Entry, type Manifest, readManifest, verifyBackup, writeManifest } from './manifest.ts'
import { beginSnapshot, listTables, openSqlite } from './raw-database.ts'

/** How many attempts a consistent copy has. One fails if a file is added and removed meanwhile. */
const SNAPSHOT_ATTEMPTS_MAX = 10
const MIB = 1024 * 1024

/** The disk of the backups has too little space for one more. */
export class NotEnoughSpace extends CopyProblem {}

export type BackupOptions = {
  now: () => Date
  /** If false, files on an S3 server are not copied. */
  withFiles: boolean
  /** How many backups the folder keeps, the new one included. Older ones are removed at the end. */
  keep?: number
  /** Receives how many bytes have been copied, and how many there are. */
  onProgress?: (doneBytes: number, totalBytes: number) => void
}

/** The files, or the chunks of uploads, while they are copied into a backup. */
type Part = {
  name: FileFolder
  blobStore: BlobStore
  folder: string
  /** The same folder in the previous backup. */
  previousFolder: string
  /** Names in the previous backup, with the checksums from its manifest. */
  previousChecksums: Map<string, string>
  /** Hashes of the copied bytes by name; undefined for bytes that exist but cannot be read. */
  collected: Map<string, Hashes | undefined>
  /** How many of the collected files are hard links. */
  linked: number
  onCollected: (bytes: number) => void
}

/**
 * Makes a backup in `folder`. Files that are already in the previous backup become hard links to
 * it, which take no space.
 *
 * @throws CopyProblem when another backup is being made there, or the copy is damaged
 */
export async function makeBackup(storage: StorageConfig, folder: string, options: BackupOptions) {
  if (resolve(folder) === storage.dataDir)
    throw new CopyProblem('Backups cannot be in the data folder itself: name another folder')
  using _lock = await lockFolder(folder)
  await removeLeftovers(folder)
  const name = completeName(options.now())
  const partial = join(folder, `${name}.partial`)
  const path = join(folder, name)
  await mkdir(partial, { mode: 0o700 })
  try {
    const content = await fillFolder(storage, folder, partial, options)
    const { faults } = await verifyBackup(partial)
    if (faults.length > 0)
      throw new CopyProblem(`The backup is unsound and was removed: ${faults.join('; ')}`)
    for (const part of ['files', 'uploads', '.']) await syncPath(join(partial, part))
    await chownToOwnerOf(folder, partial)
    await rename(partial, path)
    await syncPath(folder)
    if (options.keep !== undefined) await removeOldest(folder, options.keep, name)
    return { path, ...content }
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  }
}

async function fillFolder(
  storage: StorageConfig,
  folder: string,
  partial: string,
  options: BackupOptions,
) {
  const createdAt = options.now().toISOString()
  const filesAt = storage.s3 !== undefined && !options.withFiles ? 'bucket' : 'backup'
  const totalBytes = await requireSpace(storage, folder)
  let doneBytes = 0
  options.onProgress?.(doneBytes, totalBytes)
  const parts = await openParts(storage, folder, partial, (bytes) => {
    doneBytes += bytes
    options.onProgress?.(doneBytes, totalBytes)
  })
  const copied = parts.filter(({ name }) => name !== 'files' || filesAt === 'backup')
  const { database, namedBytes } = await copyDatabase(storage, copied, partial)
  const lost: Manifest['lost'] = []
  const entries: Record<FileFolder, Entry[]> = {
    files: namedBytes.files.map(({ name }) => ({ name, sizeBytes: 0, sha256: '' })),
    uploads: [],
  }
  for (const part of copied) entries[part.name] = await toEntries(part, namedBytes[part.name], lost)
  const secrets: Entry[] = []
  const from = makeDisk(storage.dataDir)
  const to = makeDisk(partial)
  for (const name of await listSecrets(storage.dataDir)) {
    const hashes = await copyBytes(from, to, name)
    if (hashes) secrets.push(entryOf(name, hashes))
  }
  const content = { createdAt, database, filesAt, ...entries, secrets, lost } as const
  const linkedFiles = copied.reduce((sum, { linked }) => sum + linked, 0)
  const files = copied.flatMap((part) => [...part.collected.values()]).filter(Boolean)
  const figures = { linkedFiles, copiedFiles: files.length - linkedFiles }
  return { manifest: await writeManifest(partial, content), figures }
}

/** Space that must stay free, because the blog may be on the same disk. */
const RESERVE_BYTES = 64 * 1024 * 1024

/**
 * Checks the free space: a backup that filled the disk of the blog would stop it.
 *
 * @returns the number of bytes that will be copied
 * @throws NotEnoughSpace
 */
async function requireSpace(storage: StorageConfig, folder: string): Promise<number> {
  await using source = await openRawDatabase(storage)
  const sizes = await measureBlog(source)
  const newest = (await listBackups(folder)).at(-1) ?? ''
  const manifest = await readManifest(join(folder, newest)).catch(() => undefined)
  const linkedBytes = manifest?.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) ?? 0
  const neededBytes = sizes.databaseBytes + Math.max(0, sizes.filesBytes - linkedBytes)
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < neededBytes + RESERVE_BYTES)
    throw new NotEnoughSpace(
      `The disk of ${resolve(folder)} has too little room: ${Math.ceil(neededBytes / MIB)} MiB are needed and ${Math.floor((bavail * bsize) / MIB)} MiB are free`,
    )
  return sizes.databaseBytes + sizes.filesBytes
}

async function openParts(
  storage: StorageConfig,
  folder: string,
  partial: string,
  onCollected: Part['onCollected'],
): Promise<Part[]> {
  const newest = (await listBackups(folder)).at(-1) ?? ''
  // Without a manifest nothing is linked; `verify` reports the damage.
  const manifest = await readManifest(join(folder, newest)).catch(() => undefined)
  const blobStores = openBlobStores(storage)
  for (const name of FILE_FOLDERS) await mkdir(join(partial, name), { mode: 0o700 })
  return FILE_FOLDERS.map((name) => ({
    name,
    blobStore: blobStores[name],
    folder: join(partial, name),
    previousFolder: join(folder, newest, name),
    previousChecksums: new Map(manifest?.[name].map((entry) => [entry.name, entry.sha256])),
    collected: new Map(),
    linked: 0,
    onCollected,
  }))
}

/**
 * Copies the bytes first, then takes a snapshot of the database and copies the bytes that were
 * added in between. If such bytes have been removed since the snapshot, everything is repeated.
 */
async function copyDatabase(storage: StorageConfig, parts: Part[], partial: string) {
  for (let attempt = 1; attempt <= SNAPSHOT_ATTEMPTS_MAX; attempt++) {
    for (const part of parts)
      for await (const { name } of part.blobStore.list())
        if (STORED_NAME.test(name)) await collect(part, name)
    await using snapshot = await openRawDatabase(storage)
    await beginSnapshot(snapshot)
    const namedBytes = await findBytes(snapshot)
    if (!(await collectNamed(storage, parts, namedBytes))) continue
    const path = join(partial, SQLITE_FILE)
    if (snapshot.save) await snapshot.save(path)
    else await copyRows(await rowsOf(snapshot), { folder: partial, databaseUrl: undefined })
    await makePrivateAndDurable(path)
    await using copy = openSqlite(path)
    const rows = await countRows(copy, await listTables(copy))
    const hashes = await hashAll(createReadStream(path))
    return { namedBytes, database: { ...entryOf(SQLITE_FILE, hashes), rows } }
  }
  throw new CopyProblem('Files came and went too fast for a consistent copy: try again later')
}

/** @returns false when bytes were removed together with their row since the snapshot */
async function collectNamed(
  storage: StorageConfig,
  parts: Part[],
  namedBytes: Record<FileFolder, NamedBytes[]>,
): Promise<boolean> {
  const missing: string[] = []
  for (const part of parts)
    for (const { name } of namedBytes[part.name])
      if (!(await collect(part, name))) missing.push(name)
  return (await findNamesInUse(storage, missing)).length === missing.length
}

/** Copies the bytes of one name. @returns false when they do not exist */
async function collect(part: Part, name: string): Promise<boolean> {
  const { collected, blobStore, folder } = part
  if (collected.has(name)) return true
  try {
    const linkedHashes = await linkToPrevious(part, name)
    const hashes = linkedHashes ?? (await copyBytes(blobStore, makeDisk(folder), name))
    if (hashes) {
      collected.set(name, hashes)
      part.onCollected(hashes.sizeBytes)
    }
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException
    // The disk has lost these bytes; the others are still backed up.
    const isLost = error instanceof BlobSizeMismatch || (syscall === 'read' && code === 'EIO')
    if (!isLost) throw error
    collected.set(name, undefined)
  }
  return collected.has(name)
}

/**
 * Links to the file in the previous backup. A link to the blog's own file would share its damage.
 */
async function linkToPrevious(part: Part, name: string): Promise<Hashes | undefined> {
  const path = join(part.previousFolder, name)
  const hashes = part.previousChecksums.has(name) ? await hashFile(path) : undefined
  if (!hashes || hashes.sha256 !== part.previousChecksums.get(name)) return undefined
  try {
    await link(path, join(part.folder, name))
  } catch {
    return undefined // The file system has no hard links.
  }
  part.linked++
  return hashes
}

/** Removes copied bytes that no row names. @returns the entries of the manifest */
async function toEntries(part: Part, namedBytes: NamedBytes[], lost: Manifest['lost']) {
  const { folder, collected } = part
  const names = new Set(namedBytes.map(({ name }) => name))
  for (const name of collected.keys())
    if (!names.has(name)) await rm(join(folder, name), { force: true })
  const entries: Entry[] = []
  for (const { name, md5 } of namedBytes) {
    const hashes = collected.get(name)
    if (!hashes || (md5 !== '' && hashes.md5 !== md5))
      lost.push({ name, problem: collected.has(name) ? 'damaged' : 'missing' })
    if (hashes) entries.push(entryOf(name, hashes))
  }
  return entries
}

function entryOf(name: string, { sizeBytes, sha256 }: Hashes): Entry {
  return { name, sizeBytes, sha256 }
}
