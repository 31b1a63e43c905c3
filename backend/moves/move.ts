// Moves a blog to another database, its files to another place, or both. What it moves from is only
// read; secrets and previews stay in the data folder.
import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type BlogPlaces,
  findBytes,
  findMigrations,
  type NamedBytes,
  openKeepers,
  SQLITE_FILE,
} from '../backups/blog-data.ts'
import { copyBytes, giveToOwnerOf, hashKept, STORED_NAME } from '../backups/bytes.ts'
import { CopyProblem } from '../backups/problem.ts'
import { freeze, lockSqlite, type Side } from '../backups/side.ts'
import { listMigrations } from '../database/database.ts'
import type { Keeper } from '../files/keeper.ts'
import { requireBucket } from '../files/s3.ts'
import { checkRows, copyRows, finishRows, type Note, openAlone, openTarget } from './move-rows.ts'
import { readState } from './rows-store.ts'

/** In the data folder, while a move is under way. */
const STAGING = '.moving'
const AT_ONCE = 8
const PARTS = ['files', 'uploads'] as const

export type Moved = Awaited<ReturnType<typeof moveBlog>>
type State = Awaited<ReturnType<typeof readState>>
type FilesMoved = { copied: number; found: number; lost: string[] }
/** Finished files, or chunks of unfinished uploads. */
type Bytes = { part: 'files' | 'uploads'; named: NamedBytes[]; from: Keeper; to: Keeper }

/**
 * Moves from where `from` says to where `to` says. Both have the same data folder.
 *
 * @throws CopyProblem when anything speaks against it; the source never changes
 */
export async function moveBlog(from: BlogPlaces, to: BlogPlaces, note: Note) {
  const movesRows = from.databaseUrl !== to.databaseUrl
  const parts = PARTS.filter((part) => bucketOf(from, part) !== bucketOf(to, part))
  if (!movesRows && parts.length === 0)
    throw new CopyProblem('Everything is there already, as the settings say')
  const path = join(to.dataDir, SQLITE_FILE)
  if (movesRows && to.databaseUrl === undefined && existsSync(path))
    throw new CopyProblem(`${path} is there already: move it away first`)
  if (to.s3) await requireBucket(to.s3)
  const staging = join(to.dataDir, STAGING)
  await using side = await openSource(from)
  const state = await readState(side)
  const { all } = state
  const bytes = await listBytes(side, from, to, parts)
  for (const one of bytes)
    if (one.part === 'files' || bucketOf(to, one.part)) await requireNoOthers(one)
  const target = movesRows ? await openTarget(to, staging, state.fingerprint) : undefined
  try {
    const files = bytes.length > 0 ? await moveBytes(bytes, to, note) : undefined
    const copied = target && (await copyRows(side, target, all, note))
    if (target) await checkRows(side, target, all, note)
    if (from.databaseUrl !== undefined) await requireUnchanged(from.databaseUrl, state)
    if (target) await finishRows(to, staging, side, target)
    await rm(staging, { recursive: true, force: true })
    return { rows: copied === undefined ? undefined : { all, copied }, files }
  } finally {
    await target?.[Symbol.asyncDispose]()
  }
}

/** The bucket that a part is in; undefined when it is in the data folder. */
function bucketOf({ s3, databaseUrl }: BlogPlaces, part: Bytes['part']): string | undefined {
  return s3 && (part === 'files' || databaseUrl) ? `${s3.endpoint} ${s3.bucket}` : undefined
}

async function openSource({ dataDir, databaseUrl }: BlogPlaces): Promise<Side> {
  const path = join(dataDir, SQLITE_FILE)
  const side = databaseUrl === undefined ? lockSqlite(path) : await openAlone(databaseUrl)
  try {
    await freeze(side)
    // If this is killed, the server must be able to open what is left beside the database.
    await giveToOwnerOf(dataDir, `${path}-wal`).catch(() => {})
    const [migrations, own] = [await findMigrations(side), listMigrations()]
    const unknown = migrations.filter((name) => !own.includes(name))
    if (unknown.length > 0)
      throw new CopyProblem(
        `A newer program has written this blog (${unknown.join(', ')}): use that`,
      )
    if (migrations.length < own.length)
      throw new CopyProblem(
        'The tables are not those of this program: start the blog once with it, and stop it again',
      )
    return side
  } catch (error) {
    await side[Symbol.asyncDispose]()
    throw error
  }
}

async function listBytes(side: Side, from: BlogPlaces, to: BlogPlaces, parts: Bytes['part'][]) {
  const [named, own] = [await findBytes(side), openKeepers(from)]
  return parts.map((part): Bytes => {
    // What is sent to S3 lies in the staging folder until it is.
    const dataDir = bucketOf(to, part) ? join(to.dataDir, STAGING) : to.dataDir
    return { part, named: named[part], from: own[part], to: openKeepers({ ...to, dataDir })[part] }
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

async function moveBytes(bytes: Bytes[], to: BlogPlaces, note: Note) {
  // What was on its way to S3 when another attempt was killed.
  await rm(join(to.dataDir, STAGING, 'uploads'), { recursive: true, force: true })
  // A folder that is missing is taken for a disk that is not mounted.
  for (const { part } of bytes)
    await mkdir(join(to.dataDir, part), { recursive: true, mode: 0o700 })
  const moved: FilesMoved = { copied: 0, found: 0, lost: [] }
  const all = bytes.reduce((sum, { named }) => sum + named.length, 0)
  let done = 0
  for (const one of bytes)
    for (let at = 0; at < one.named.length; at += AT_ONCE) {
      const some = one.named.slice(at, at + AT_ONCE)
      await Promise.all(some.map((named) => bring(one, named, moved)))
      done += some.length
      note('files', done, all)
    }
  for (const { part } of bytes)
    await giveToOwnerOf(to.dataDir, join(to.dataDir, part)).catch(() => {})
  return moved
}

/** Bytes that are there already and are right stay: so it goes on after a kill. */
async function bring({ from, to }: Bytes, { name, md5 }: NamedBytes, moved: FilesMoved) {
  const there = await hashKept(to, name)
  if (there && there.md5 === (md5 || (await hashKept(from, name))?.md5)) return void moved.found++
  const copied = await copyBytes(from, to, name)
  if (!copied) return void moved.lost.push(`${name} is missing`)
  if (md5 && copied.md5 !== md5) moved.lost.push(`${name} is damaged, and copied as it is`)
  moved.copied++
}

/** Somebody may have started a server on PostgreSQL meanwhile; SQLite is locked. */
async function requireUnchanged(url: string, { counts, fingerprint }: State): Promise<void> {
  await using now = await openAlone(url, 1)
  if ((await readState(now)).fingerprint !== fingerprint)
    throw new CopyProblem(
      `The blog was written to during the move (it had ${counts.post} posts when it began): stop every server, and begin again with an empty database`,
    )
}
