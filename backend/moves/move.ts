// Moves a blog to another database, its files to another place, or both. What it moves from is only
// read; secrets and previews stay in the data folder.
import { access, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type BlogPlaces, openKeepers, SQLITE_FILE, sharesChunks } from '../backups/blog-data.ts'
import { giveToOwnerOf } from '../backups/bytes.ts'
import { listMigrations } from '../database/database.ts'
import { requireBucket } from '../files/s3.ts'
import { type Bytes, copyBytes, type FilesMoved, requireNoOthers } from './move-files.ts'
import { checkRows, copyRows, finishRows, type Note, openTarget, type Source } from './move-rows.ts'
import { MoveProblem } from './problem.ts'
import { countAll, readFingerprint, readMigrations } from './rows-store.ts'
import { lockSqlite, openPostgres, type Side } from './side-store.ts'

/** In the data folder, while a move is under way. */
const STAGING = '.moving'

export type Moved = {
  /** Undefined when they stay. */
  rows: { all: number; copied: number } | undefined
  files: FilesMoved | undefined
}

/**
 * Moves from where `from` says to where `to` says. Both have the same data folder.
 *
 * @throws MoveProblem when anything speaks against it; the source never changes
 */
export async function moveBlog(from: BlogPlaces, to: BlogPlaces, note: Note): Promise<Moved> {
  const movesRows = from.databaseUrl !== to.databaseUrl
  await requireOther(from, to)
  const staging = join(to.dataDir, STAGING)
  await using side = await openSource(from)
  const source = await readSource(side)
  const bytes = listBytes(from, to, staging)
  for (const one of bytes)
    if (one.table === 'file' || sharesChunks(to)) await requireNoOthers(side, one)
  const target = movesRows ? await openTarget(to, staging, source) : undefined
  try {
    const files =
      bytes.length > 0 ? await moveBytes(source, bytes, { to, staging, note }) : undefined
    let rows: Moved['rows']
    if (target) {
      const copied = await copyRows(source, target, note)
      await checkRows(source, target, note)
      await requireUnchanged(from, source)
      await finishRows(to, staging, { source: side, to: target })
      rows = { all: Object.values(source.counts).reduce((sum, n) => sum + n, 0), copied }
    } else await requireUnchanged(from, source)
    await rm(staging, { recursive: true, force: true })
    return { rows, files }
  } finally {
    await target?.[Symbol.asyncDispose]()
  }
}

async function requireOther(from: BlogPlaces, to: BlogPlaces): Promise<void> {
  const isSame =
    from.databaseUrl === to.databaseUrl &&
    from.s3?.endpoint === to.s3?.endpoint &&
    from.s3?.bucket === to.s3?.bucket
  if (isSame) throw new MoveProblem('Everything is there already, as the settings say')
  const path = join(to.dataDir, SQLITE_FILE)
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (isThere && from.databaseUrl !== undefined && to.databaseUrl === undefined)
    throw new MoveProblem(`${path} is there already: move it away first`)
  if (to.s3) await requireBucket(to.s3)
}

async function openSource({ dataDir, databaseUrl }: BlogPlaces): Promise<Side> {
  if (databaseUrl !== undefined) return await openPostgres(databaseUrl, { isSnapshot: true })
  const path = join(dataDir, SQLITE_FILE)
  const side = lockSqlite(path)
  // If this is killed, the server must be able to open what is left beside the database.
  await giveToOwnerOf(dataDir, `${path}-wal`).catch(() => {})
  return side
}

async function readSource(side: Side): Promise<Source> {
  const migrations = await readMigrations(side)
  const unknown = migrations.filter((name) => !listMigrations().includes(name))
  if (unknown.length > 0)
    throw new MoveProblem(`A newer program has written this blog (${unknown.join(', ')}): use that`)
  if (migrations.length < listMigrations().length)
    throw new MoveProblem(
      'The tables are not those of this program: start the blog once with it, and stop it again',
    )
  const counts = await countAll(side)
  return { side, counts, fingerprint: await readFingerprint(side, counts) }
}

/** Files that go to another place, and chunks of uploads, which follow database and files. */
function listBytes(from: BlogPlaces, to: BlogPlaces, staging: string): Bytes[] {
  const isOtherPlace = from.s3?.endpoint !== to.s3?.endpoint || from.s3?.bucket !== to.s3?.bucket
  const own = openKeepers(from)
  // What is sent to S3 lies in the staging folder until it is.
  const keepers = (isInBucket: boolean) =>
    openKeepers({ ...to, dataDir: isInBucket ? staging : to.dataDir })
  const bytes: Bytes[] = []
  if (isOtherPlace)
    bytes.push({ table: 'file', from: own.files, to: keepers(to.s3 !== undefined).files })
  const isShared = sharesChunks(to)
  if (sharesChunks(from) !== isShared || (isShared && isOtherPlace))
    bytes.push({ table: 'fileChunk', from: own.uploads, to: keepers(isShared).uploads })
  return bytes
}

async function moveBytes(
  { side, counts }: Source,
  bytes: Bytes[],
  { to, staging, note }: { to: BlogPlaces; staging: string; note: Note },
): Promise<FilesMoved> {
  const spool = join(staging, 'uploads')
  await rm(spool, { recursive: true, force: true })
  await mkdir(spool, { recursive: true, mode: 0o700 })
  // A folder that is missing is taken for a disk that is not mounted.
  for (const { table } of bytes) {
    const folder = table === 'file' ? 'files' : 'uploads'
    await mkdir(join(to.dataDir, folder), { recursive: true, mode: 0o700 })
  }
  const all = bytes.reduce((sum, { table }) => sum + (counts[table] ?? 0), 0)
  const moved: FilesMoved = { copied: 0, found: 0, lost: [] }
  let done = 0
  for (const one of bytes) {
    const { copied, found, lost } = await copyBytes(side, one, (rows) => {
      done += rows
      note('files', done, all)
    })
    moved.copied += copied
    moved.found += found
    moved.lost.push(...lost)
  }
  await rm(spool, { recursive: true, force: true })
  for (const folder of ['files', 'uploads'])
    await giveToOwnerOf(to.dataDir, join(to.dataDir, folder)).catch(() => {})
  return moved
}

/** Somebody may have started a server on PostgreSQL meanwhile; SQLite is locked. */
async function requireUnchanged(
  { databaseUrl }: BlogPlaces,
  { counts, fingerprint }: Source,
): Promise<void> {
  if (databaseUrl === undefined) return
  const now = await openPostgres(databaseUrl, { isSnapshot: true, ownOthers: 1 })
  try {
    if ((await readFingerprint(now, await countAll(now))) === fingerprint) return
  } finally {
    await now[Symbol.asyncDispose]()
  }
  throw new MoveProblem(
    `The blog was written to during the move (it had ${counts.post} posts when it began): stop every server, and begin again with an empty database`,
  )
}
