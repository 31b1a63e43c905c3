// Moves a blog to another database, its files to another place, or both. What it moves from is only
// read; secrets and previews stay in the data folder.
import { access, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type BlogPlaces, openKeepers, SQLITE_FILE } from '../backups/blog-data.ts'
import { copyChecked, giveToOwnerOf, hashKept, STORED_NAME } from '../backups/bytes.ts'
import { CopyProblem } from '../backups/problem.ts'
import { findBytes, type NamedBytes } from '../backups/rows.ts'
import { lockSqlite, type Side } from '../backups/side.ts'
import { listMigrations } from '../database/database.ts'
import type { Keeper } from '../files/keeper.ts'
import { requireBucket } from '../files/s3.ts'
import { checkRows, copyRows, finishRows, type Note, openAlone, openTarget } from './move-rows.ts'
import { readMigrations, readState } from './rows-store.ts'

/** In the data folder, while a move is under way. */
const STAGING = '.moving'
const AT_ONCE = 8

export type Moved = Awaited<ReturnType<typeof moveBlog>>
/** Finished files, or chunks of unfinished uploads. */
type Bytes = { part: 'files' | 'uploads'; named: NamedBytes[]; from: Keeper; to: Keeper }

/**
 * Moves from where `from` says to where `to` says. Both have the same data folder.
 *
 * @throws CopyProblem when anything speaks against it; the source never changes
 */
export async function moveBlog(from: BlogPlaces, to: BlogPlaces, note: Note) {
  await requireOther(from, to)
  const staging = join(to.dataDir, STAGING)
  await using side = await openSource(from)
  await requireSameTables(side)
  const { counts, fingerprint } = await readState(side)
  const bytes = await listBytes(side, from, to, staging)
  for (const one of bytes) if (one.part === 'files' || isShared(to)) await requireNoOthers(one)
  const target =
    from.databaseUrl === to.databaseUrl ? undefined : await openTarget(to, staging, fingerprint)
  try {
    const files = bytes.length > 0 ? await moveBytes(bytes, { to, staging, note }) : undefined
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const copied = target && (await copyRows(side, target, all, note))
    if (target) await checkRows(side, target, all, note)
    await requireUnchanged(from, fingerprint, counts.post)
    if (target) await finishRows(to, staging, { source: side, to: target })
    await rm(staging, { recursive: true, force: true })
    return { rows: copied === undefined ? undefined : { all, copied }, files }
  } finally {
    await target?.[Symbol.asyncDispose]()
  }
}

async function requireOther(from: BlogPlaces, to: BlogPlaces): Promise<void> {
  if (from.databaseUrl === to.databaseUrl && !isOtherPlace(from, to))
    throw new CopyProblem('Everything is there already, as the settings say')
  const path = join(to.dataDir, SQLITE_FILE)
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (isThere && from.databaseUrl !== undefined && to.databaseUrl === undefined)
    throw new CopyProblem(`${path} is there already: move it away first`)
  if (to.s3) await requireBucket(to.s3)
}

function isOtherPlace(from: BlogPlaces, to: BlogPlaces): boolean {
  return from.s3?.endpoint !== to.s3?.endpoint || from.s3?.bucket !== to.s3?.bucket
}

async function openSource({ dataDir, databaseUrl }: BlogPlaces): Promise<Side> {
  if (databaseUrl !== undefined) return await openAlone(databaseUrl, { isSnapshot: true })
  const path = join(dataDir, SQLITE_FILE)
  const side = lockSqlite(path)
  // If this is killed, the server must be able to open what is left beside the database.
  await giveToOwnerOf(dataDir, `${path}-wal`).catch(() => {})
  return side
}

async function requireSameTables(side: Side): Promise<void> {
  const [migrations, own] = [await readMigrations(side), listMigrations()]
  const unknown = migrations.filter((name) => !own.includes(name))
  if (unknown.length > 0)
    throw new CopyProblem(`A newer program has written this blog (${unknown.join(', ')}): use that`)
  if (migrations.length < own.length)
    throw new CopyProblem(
      'The tables are not those of this program: start the blog once with it, and stop it again',
    )
}

/** Chunks are at the S3 server, too. */
function isShared({ s3, databaseUrl }: BlogPlaces): boolean {
  return s3 !== undefined && databaseUrl !== undefined
}

/** Files that go to another place, and chunks of uploads, which follow database and files. */
async function listBytes(
  side: Side,
  from: BlogPlaces,
  to: BlogPlaces,
  staging: string,
): Promise<Bytes[]> {
  const named = await findBytes(side)
  const isOther = isOtherPlace(from, to)
  const own = openKeepers(from)
  // What is sent to S3 lies in the staging folder until it is.
  const there = {
    files: openKeepers({ ...to, dataDir: to.s3 ? staging : to.dataDir }).files,
    uploads: openKeepers({ ...to, dataDir: isShared(to) ? staging : to.dataDir }).uploads,
  }
  const parts: Bytes['part'][] = isOther ? ['files'] : []
  if (isShared(from) !== isShared(to) || (isShared(to) && isOther)) parts.push('uploads')
  return parts.map((part) => ({ part, named: named[part], from: own[part], to: there[part] }))
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

type MoveBytes = { to: BlogPlaces; staging: string; note: Note }

async function moveBytes(bytes: Bytes[], { to, staging, note }: MoveBytes) {
  const spool = join(staging, 'uploads')
  await rm(spool, { recursive: true, force: true })
  await mkdir(spool, { recursive: true, mode: 0o700 })
  // A folder that is missing is taken for a disk that is not mounted.
  for (const { part } of bytes)
    await mkdir(join(to.dataDir, part), { recursive: true, mode: 0o700 })
  const moved = { copied: 0, found: 0, lost: [] as string[] }
  const all = bytes.reduce((sum, { named }) => sum + named.length, 0)
  let done = 0
  for (const one of bytes) {
    const waiting = one.named.values()
    const run = async () => {
      for (const named of waiting) {
        await bring(one, named, moved)
        note('files', ++done, all)
      }
    }
    const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, run))
    const failed = ended.find(({ status }) => status === 'rejected')
    if (failed) throw (failed as PromiseRejectedResult).reason
  }
  await rm(spool, { recursive: true, force: true })
  for (const { part } of bytes)
    await giveToOwnerOf(to.dataDir, join(to.dataDir, part)).catch(() => {})
  return moved
}

/** Bytes that are there already and are right stay: so it goes on after a kill. */
async function bring(
  { from, to }: Bytes,
  { name, md5 }: NamedBytes,
  moved: { copied: number; found: number; lost: string[] },
): Promise<void> {
  const there = await hashKept(to, name)
  if (there && there.md5 === (md5 || (await hashKept(from, name))?.md5)) return void moved.found++
  const copied = await copyChecked(from, to, name)
  if (!copied) return void moved.lost.push(`${name} is missing`)
  if (md5 !== '' && copied.md5 !== md5) moved.lost.push(`${name} is damaged, and copied as it is`)
  moved.copied++
}

/** Somebody may have started a server on PostgreSQL meanwhile; SQLite is locked. */
async function requireUnchanged(
  { databaseUrl }: BlogPlaces,
  fingerprint: string,
  posts: number | undefined,
): Promise<void> {
  if (databaseUrl === undefined) return
  await using now = await openAlone(databaseUrl, { isSnapshot: true, ownOthers: 1 })
  if ((await readState(now)).fingerprint === fingerprint) return
  throw new CopyProblem(
    `The blog was written to during the move (it had ${posts} posts when it began): stop every server, and begin again with an empty database`,
  )
}
