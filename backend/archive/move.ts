// Moves a blog to another database, its files to another store, or both. The source does not
// change; secrets and previews stay in the data folder.
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  CopyProblem,
  chownToOwnerOf,
  copyBytes,
  hashStored,
  makePrivateAndDurable,
  STORED_NAME,
} from '../backups/backup-io.ts'
import {
  FILE_FOLDERS,
  type FileFolder,
  findBytes,
  type NamedBytes,
  openBlobStores,
  readMigrations,
  SQLITE_FILE,
  type StorageConfig,
} from '../backups/blog-contents.ts'
import {
  beginExclusive,
  clearPostgres,
  copyRows,
  digestRows,
  hasSameRows,
  type OnProgress,
  openExclusive,
  putInPlace,
  type RowSource,
  requireEmptyDatabase,
  requireKnownMigrations,
  requireNoOtherConnections,
  rowsOf,
} from '../backups/copy-rows.ts'
import {
  beginSnapshot,
  closeOnError,
  lockSqlite,
  type RawDatabase,
} from '../backups/raw-database.ts'
import type { BlobStore } from '../files/blob-store.ts'
import { syncPath } from '../files/disk.ts'
import { requireBucket } from '../files/s3.ts'
import { unlessCode } from '../process/secrets.ts'

/** A folder inside the data folder that exists only during a move. */
const STAGING = '.moving'
/** In it, what an unfinished move has copied: the digest of the rows. */
const DIGEST = 'digest'
const MAX_CONCURRENT = 8

export type Moved = Awaited<ReturnType<typeof moveBlog>>
type FilesMoved = { copied: number; present: number; problems: string[] }
/** The files, or the chunks of uploads, that have to be moved. */
type FolderMove = { part: FileFolder; blobs: NamedBytes[]; from: BlobStore; to: BlobStore }

/** After these a move may be killed; repeated, it ends the same. A test kills it at each. */
export const MOVE_STEPS = [
  'files copied',
  'rows copied',
  'rows committed',
  'database durable',
  'database in place',
  'staging removed',
] as const
export type MoveOptions = {
  onProgress: OnProgress
  onStep?: (step: (typeof MOVE_STEPS)[number]) => void
}

/**
 * Moves a blog from one storage configuration to another; both have the same data folder.
 *
 * @throws CopyProblem when the blog cannot be moved; the source never changes
 */
export async function moveBlog(from: StorageConfig, to: StorageConfig, options: MoveOptions) {
  const { onStep = () => {} } = options
  const movesRows = from.databaseUrl !== to.databaseUrl
  const parts = FILE_FOLDERS.filter((part) => bucketOf(from, part) !== bucketOf(to, part))
  if (!movesRows && parts.length === 0) throw new CopyProblem('Everything is there already')
  if (to.s3) await requireBucket(to.s3)
  await using database = await openSource(from)
  const source = await rowsOf(database)
  // An earlier move that was killed after its commit has copied all rows already.
  const target = movesRows ? await inspectTarget(source, to) : 'same'
  const moves = await planMoves(database, from, to, parts)
  for (const move of moves)
    if (move.part === 'files' || bucketOf(to, move.part)) await requireNoOtherFiles(move)
  const files = moves.length > 0 ? await moveFiles(moves, to, options.onProgress) : undefined
  onStep('files copied')
  // A server that connected to PostgreSQL meanwhile would still write to the old database.
  const requireUnused = async () => {
    if (from.databaseUrl !== undefined) await requireNoOtherConnections(database, from.databaseUrl)
  }
  if (target === 'same') await requireUnused()
  else await moveRows(source, to, { ...options, requireUnused, isOutdated: target === 'outdated' })
  await rm(join(to.dataDir, STAGING), { recursive: true, force: true })
  await syncPath(to.dataDir)
  onStep('staging removed')
  return { rows: movesRows ? source.total : undefined, files }
}

/** `outdated`: it has what an unfinished move copied, and the source has changed since. */
type TargetState = 'empty' | 'same' | 'outdated'

/** @throws CopyProblem when the target has rows that no unfinished move has copied */
async function inspectTarget(
  source: RowSource,
  { dataDir, databaseUrl }: StorageConfig,
): Promise<TargetState> {
  const path = join(dataDir, SQLITE_FILE)
  if (databaseUrl === undefined && !existsSync(path)) return 'empty'
  await using database =
    databaseUrl === undefined ? lockSqlite(path) : await openExclusive(databaseUrl)
  if (databaseUrl !== undefined) await beginSnapshot(database)
  if (await hasSameRows(source, database)) return 'same'
  if (await isUnfinishedMove(database, dataDir)) return 'outdated'
  if (databaseUrl === undefined)
    throw new CopyProblem(`${path} is there already, with other rows: move it away first`)
  await requireEmptyDatabase(database)
  return 'empty'
}

/** Whether nothing has changed a database since an unfinished move has copied its rows there. */
async function isUnfinishedMove(database: RawDatabase, dataDir: string): Promise<boolean> {
  const digest = await readFile(join(dataDir, STAGING, DIGEST), 'utf8').catch(unlessCode('ENOENT'))
  if (digest === undefined || (await readMigrations(database)).newer.length > 0) return false
  return digest === (await digestRows(await rowsOf(database)))
}

type RowsOptions = MoveOptions & { requireUnused: () => Promise<void>; isOutdated: boolean }

/** Every step can be repeated after a crash. */
async function moveRows(
  source: RowSource,
  { dataDir, databaseUrl }: StorageConfig,
  { requireUnused, isOutdated, onProgress, onStep }: RowsOptions,
): Promise<void> {
  const folder = join(dataDir, STAGING)
  if (isOutdated && databaseUrl !== undefined) {
    await using database = await openExclusive(databaseUrl)
    await clearPostgres(database)
  }
  await copyRows(source, { folder, databaseUrl }, onProgress, async (digest) => {
    await requireUnused()
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(join(folder, DIGEST), digest)
    await makePrivateAndDurable(join(folder, DIGEST))
    onStep?.('rows copied')
  })
  onStep?.('rows committed')
  if (databaseUrl !== undefined) return
  await putInPlace(join(folder, SQLITE_FILE), dataDir, () => onStep?.('database durable'))
  onStep?.('database in place')
}

/** The bucket of the files or the chunks; undefined when they are in the data folder. */
function bucketOf({ s3, databaseUrl }: StorageConfig, part: FileFolder): string | undefined {
  return s3 && (part === 'files' || databaseUrl) ? `${s3.endpoint} ${s3.bucket}` : undefined
}

async function openSource({ dataDir, databaseUrl }: StorageConfig): Promise<RawDatabase> {
  const path = join(dataDir, SQLITE_FILE)
  const opened = databaseUrl === undefined ? lockSqlite(path) : await openExclusive(databaseUrl)
  return await closeOnError(opened, async (database) => {
    if ((await requireKnownMigrations(database)).missing.length > 0)
      throw new CopyProblem(
        'The tables were made by an older version: start this one once, and stop it',
      )
    if (databaseUrl === undefined) await beginSnapshot(database)
    else await beginExclusive(database, 'begin isolation level repeatable read')
    // The server must be able to open these files, even if this process is killed.
    await chownToOwnerOf(dataDir, `${path}-wal`).catch(() => {})
  })
}

async function planMoves(
  database: RawDatabase,
  from: StorageConfig,
  to: StorageConfig,
  parts: FileFolder[],
) {
  const blobs = await findBytes(database)
  // Pieces of imports and exports are stored with the chunks; backups leave them out.
  const pieces = await database.query('select "storedName" from "archivePiece"')
  blobs.uploads.push(...pieces.map(({ storedName }) => ({ name: String(storedName), md5: '' })))
  const stores = openBlobStores(from)
  return parts.map((part): FolderMove => {
    // The staging folder holds bytes until they are sent to S3.
    const dataDir = bucketOf(to, part) ? join(to.dataDir, STAGING) : to.dataDir
    return {
      part,
      blobs: blobs[part],
      from: stores[part],
      to: openBlobStores({ ...to, dataDir })[part],
    }
  })
}

/** @throws CopyProblem when the target has files that no row of the source names */
async function requireNoOtherFiles({ blobs, to }: FolderMove): Promise<void> {
  const known = new Set(blobs.map(({ name }) => name))
  for await (const { name } of to.list())
    if (STORED_NAME.test(name) && !known.has(name))
      throw new CopyProblem(
        `The new place for files is not empty: it has ${name}, which this blog does not know. Name an empty bucket, or move the contents of the folder "files" away`,
      )
}

async function moveFiles(moves: FolderMove[], to: StorageConfig, onProgress: OnProgress) {
  // An attempt that was killed while it sent to S3 may have left files here.
  await rm(join(to.dataDir, STAGING, 'uploads'), { recursive: true, force: true })
  // The server takes a missing folder for a disk that is not mounted.
  for (const { part } of moves)
    await mkdir(join(to.dataDir, part), { recursive: true, mode: 0o700 })
  const result: FilesMoved = { copied: 0, present: 0, problems: [] }
  const total = moves.reduce((sum, { blobs }) => sum + blobs.length, 0)
  let copiedCount = 0
  for (const move of moves)
    for (let at = 0; at < move.blobs.length; at += MAX_CONCURRENT) {
      const batch = move.blobs.slice(at, at + MAX_CONCURRENT)
      await Promise.all(batch.map((blob) => copyUnlessPresent(move, blob, result)))
      copiedCount += batch.length
      onProgress('files', copiedCount, total)
    }
  for (const { part } of moves)
    await chownToOwnerOf(to.dataDir, join(to.dataDir, part)).catch(() => {})
  return result
}

/** Skips bytes that the target has, so that a killed move can continue. */
async function copyUnlessPresent(
  { from, to }: FolderMove,
  { name, md5 }: NamedBytes,
  result: FilesMoved,
) {
  const present = await hashStored(to, name)
  if (present && present.md5 === (md5 || (await hashStored(from, name))?.md5))
    return void result.present++
  const copied = await copyBytes(from, to, name)
  if (!copied) return void result.problems.push(`${name} is missing`)
  if (md5 && copied.md5 !== md5) result.problems.push(`${name} is damaged, and copied as it is`)
  result.copied++
}
