// Moves a blog to another database, its files to another store, or both. The source is only read;
// secrets and previews stay in the data folder.
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobStore } from '../files/blob-store.ts'
import { syncPath } from '../files/disk.ts'
import { requireBucket } from '../files/s3.ts'
import {
  CopyProblem,
  chownToOwnerOf,
  copyBytes,
  hashKept,
  makePrivateAndDurable,
  STORED_NAME,
} from './backup-io.ts'
import {
  type BlobStores,
  findBytes,
  type NamedBytes,
  openBlobStores,
  PARTS,
  type PartName,
  SQLITE_FILE,
} from './blog-contents.ts'
import {
  beginAlone,
  copyRows,
  countCopied,
  hasSameRows,
  type Note,
  openAlone,
  requireAlone,
  requireEmpty,
  requireKnown,
} from './copy-rows.ts'
import { freeze, lockSqlite, passing, type Side } from './raw-database.ts'

/** In the data folder, while a move is under way. */
const STAGING = '.moving'
const MAX_CONCURRENT = 8

export type Moved = Awaited<ReturnType<typeof moveBlog>>
type FilesMoved = { copied: number; found: number; lost: string[] }
/** Finished files, or chunks of unfinished uploads. */
type Bytes = { part: PartName; named: NamedBytes[]; from: BlobStore; to: BlobStore }

/**
 * Moves from where `from` says to where `to` says. Both have the same data folder.
 *
 * @throws CopyProblem when anything speaks against it; the source never changes
 */
export async function moveBlog(from: BlobStores, to: BlobStores, note: Note) {
  const movesRows = from.databaseUrl !== to.databaseUrl
  const parts = PARTS.filter((part) => bucketOf(from, part) !== bucketOf(to, part))
  if (!movesRows && parts.length === 0) throw new CopyProblem('Everything is there already')
  if (to.s3) await requireBucket(to.s3)
  await using side = await openSource(from)
  // Killed after the rows had arrived, an earlier move left the rest to be done.
  const hasArrived = movesRows && (await hasAllRows(side, to))
  const bytes = await listBytes(side, from, to, parts)
  for (const one of bytes)
    if (one.part === 'files' || bucketOf(to, one.part)) await requireNoOthers(one)
  const files = bytes.length > 0 ? await moveBytes(bytes, to, note) : undefined
  const rows = movesRows ? await moveRows(side, from, to, { hasArrived, note }) : undefined
  await rm(join(to.dataDir, STAGING), { recursive: true, force: true })
  return { rows, files }
}

/**
 * Whether the target has exactly the rows of the source.
 *
 * @throws CopyProblem when it has others
 */
async function hasAllRows(source: Side, { dataDir, databaseUrl }: BlobStores): Promise<boolean> {
  if (databaseUrl !== undefined) {
    await using side = await openAlone(databaseUrl)
    await freeze(side)
    if (await hasSameRows(source, side)) return true
    await requireEmpty(side)
    return false
  }
  const path = join(dataDir, SQLITE_FILE)
  if (!existsSync(path)) return false
  await using side = lockSqlite(path)
  if (await hasSameRows(source, side)) return true
  throw new CopyProblem(`${path} is there already, with other rows: move it away first`)
}

/** Each step can be repeated. @returns how many rows there are */
async function moveRows(
  side: Side,
  from: BlobStores,
  { dataDir, databaseUrl }: BlobStores,
  { hasArrived, note }: { hasArrived: boolean; note: Note },
): Promise<number> {
  const folder = join(dataDir, STAGING)
  // A server that has connected to PostgreSQL meanwhile would keep using the old database.
  const requireUnused = async () => {
    if (from.databaseUrl !== undefined) await requireAlone(side, from.databaseUrl)
  }
  if (hasArrived) await requireUnused()
  const rows = hasArrived
    ? await countCopied(side)
    : await copyRows(side, { folder, databaseUrl }, note, requireUnused)
  if (databaseUrl !== undefined) return rows
  const made = join(folder, SQLITE_FILE)
  const path = join(dataDir, SQLITE_FILE)
  if (!hasArrived) {
    await makePrivateAndDurable(made)
    await chownToOwnerOf(dataDir, made)
    await rename(made, path)
  }
  await syncPath(dataDir)
  return rows
}

/** The bucket that a part is in; undefined when it is in the data folder. */
function bucketOf({ s3, databaseUrl }: BlobStores, part: PartName): string | undefined {
  return s3 && (part === 'files' || databaseUrl) ? `${s3.endpoint} ${s3.bucket}` : undefined
}

async function openSource({ dataDir, databaseUrl }: BlobStores): Promise<Side> {
  const path = join(dataDir, SQLITE_FILE)
  const opened = databaseUrl === undefined ? lockSqlite(path) : await openAlone(databaseUrl)
  return await passing(opened, async (side) => {
    if ((await requireKnown(side)).missing.length > 0)
      throw new CopyProblem('The tables are of an older program: start this one once, and stop it')
    if (databaseUrl === undefined) await freeze(side)
    else await beginAlone(side, 'begin isolation level repeatable read')
    // If this process is killed, the server must be able to open the files next to the database.
    await chownToOwnerOf(dataDir, `${path}-wal`).catch(() => {})
  })
}

async function listBytes(side: Side, from: BlobStores, to: BlobStores, parts: PartName[]) {
  const named = await findBytes(side)
  const own = openBlobStores(from)
  return parts.map((part): Bytes => {
    // The staging folder holds bytes until they are sent to S3.
    const dataDir = bucketOf(to, part) ? join(to.dataDir, STAGING) : to.dataDir
    return {
      part,
      named: named[part],
      from: own[part],
      to: openBlobStores({ ...to, dataDir })[part],
    }
  })
}

/** @throws CopyProblem when there are files that no row of the source names */
async function requireNoOthers({ named, to }: Bytes): Promise<void> {
  const known = new Set(named.map(({ name }) => name))
  for await (const { name } of to.list())
    if (STORED_NAME.test(name) && !known.has(name))
      throw new CopyProblem(
        `The new place for files is not empty: it has ${name}, which this blog does not know. Name an empty bucket, or move the contents of the folder "files" away`,
      )
}

async function moveBytes(bytes: Bytes[], to: BlobStores, note: Note) {
  // The rest of an attempt that was killed on its way to S3.
  await rm(join(to.dataDir, STAGING, 'uploads'), { recursive: true, force: true })
  // The server takes a missing folder for a disk that is not mounted.
  for (const { part } of bytes)
    await mkdir(join(to.dataDir, part), { recursive: true, mode: 0o700 })
  const moved: FilesMoved = { copied: 0, found: 0, lost: [] }
  const all = bytes.reduce((sum, { named }) => sum + named.length, 0)
  let done = 0
  for (const one of bytes)
    for (let at = 0; at < one.named.length; at += MAX_CONCURRENT) {
      const some = one.named.slice(at, at + MAX_CONCURRENT)
      await Promise.all(some.map((named) => bring(one, named, moved)))
      done += some.length
      note('files', done, all)
    }
  for (const { part } of bytes)
    await chownToOwnerOf(to.dataDir, join(to.dataDir, part)).catch(() => {})
  return moved
}

/** Correct bytes that are there already stay, so that a killed move can continue. */
async function bring({ from, to }: Bytes, { name, md5 }: NamedBytes, moved: FilesMoved) {
  const there = await hashKept(to, name)
  if (there && there.md5 === (md5 || (await hashKept(from, name))?.md5)) return void moved.found++
  const copied = await copyBytes(from, to, name)
  if (!copied) return void moved.lost.push(`${name} is missing`)
  if (md5 && copied.md5 !== md5) moved.lost.push(`${name} is damaged, and copied as it is`)
  moved.copied++
}
