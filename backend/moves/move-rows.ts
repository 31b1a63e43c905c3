// Copies all rows of one database into another, empty one, and holds the copy against the source.
// Killed at any moment, it goes on behind the last batch that was committed.
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type BlogPlaces, SQLITE_FILE } from '../backups/blog-data.ts'
import { giveToOwnerOf, settleFile, syncPath } from '../backups/bytes.ts'
import { CopyProblem } from '../backups/problem.ts'
import { countRows, findMiscounted } from '../backups/rows.ts'
import { openPostgres, openSqliteToFill, type Side } from '../backups/side.ts'
import { listMigrations, openDatabase } from '../database/database.ts'
import {
  beginFilling,
  endFilling,
  readBatches,
  readHighest,
  readMigrations,
  readProgress,
  sumUp,
  writeBatch,
} from './rows-store.ts'
import { KNOWN_TABLES, MOVED_TABLES } from './tables.ts'

/** Hears how far a move has come. */
export type Note = (phase: 'rows' | 'rows checked' | 'files', done: number, all: number) => void

const LOOKS = 10
const LOOK_EVERY_MS = 100

/**
 * @param options `ownOthers`: how many connections of the move itself there are already
 * @throws CopyProblem when it cannot be reached, or others are connected as the same user
 */
export async function openAlone(
  url: string,
  { isSnapshot, ownOthers = 0 }: { isSnapshot: boolean; ownOthers?: number },
): Promise<Side> {
  const { hostname, pathname } = new URL(url)
  const name = `PostgreSQL at ${hostname || 'localhost'}${pathname}`
  const side = await openPostgres(url, { isSnapshot }).catch((cause: unknown) => {
    throw new CopyProblem(`${name} cannot be reached`, { cause })
  })
  for (let look = 1; ; look++) {
    const [row] = await side.ask(
      `select count(*) as "n" from pg_stat_activity where datname = current_database()
         and usename = current_user and pid <> pg_backend_pid()`,
    )
    const others = Number(row?.n) - ownOthers
    if (others <= 0) return side
    if (look === LOOKS) {
      await side[Symbol.asyncDispose]()
      throw new CopyProblem(
        `${name} is in use (${others} other connections of the same user): stop every server on it before the move`,
      )
    }
    // Connections that have just been closed take a moment to be gone.
    await delay(LOOK_EVERY_MS)
  }
}

/**
 * The database to fill, with its tables.
 *
 * @param staging where a new SQLite database grows, until it is whole
 * @throws CopyProblem when it has anything but what this move has left there
 */
export async function openTarget(
  { databaseUrl }: BlogPlaces,
  staging: string,
  fingerprint: string,
): Promise<Side> {
  if (databaseUrl === undefined) await mkdir(staging, { recursive: true, mode: 0o700 })
  let side = await openToFill(databaseUrl, staging)
  try {
    const progress = await readProgress(side)
    if (progress) {
      await requireOwn(side, progress.get('source') === fingerprint)
      return side
    }
    await requireEmpty(side)
    await side[Symbol.asyncDispose]()
    const migrated = await openDatabase({ dataDir: staging, databaseUrl })
    await migrated.destroy()
    side = await openToFill(databaseUrl, staging)
    await beginFilling(side, fingerprint)
    return side
  } catch (error) {
    await side[Symbol.asyncDispose]()
    throw error
  }
}

async function openToFill(databaseUrl: string | undefined, staging: string): Promise<Side> {
  if (databaseUrl === undefined) return openSqliteToFill(join(staging, SQLITE_FILE))
  const side = await openAlone(databaseUrl, { isSnapshot: false })
  // After a crash the last batches may be missing, and are copied again.
  await side.ask('set synchronous_commit = off')
  return side
}

async function requireOwn(side: Side, isSameSource: boolean): Promise<void> {
  if (!isSameSource)
    throw new CopyProblem(
      'There is a move that was not finished, and the blog has been used since, or it was another one: begin again with an empty database (for SQLite remove the folder .moving of the data folder)',
    )
  const migrations = await readMigrations(side)
  if (String(migrations.toSorted()) !== String(listMigrations().toSorted()))
    throw new CopyProblem(
      'There is a move that another version of this program has begun: begin again with an empty database',
    )
}

async function requireEmpty(side: Side): Promise<void> {
  // The index of words has tables of its own.
  const tables = (await side.tables()).filter((name) => !/^(?:kysely_|postSearch)/.test(name))
  const counts = await countRows(side, tables)
  const moved = MOVED_TABLES.map(({ name }) => name)
  const filled = tables.find(
    (name) => !KNOWN_TABLES.includes(name) || (moved.includes(name) && counts[name] !== 0),
  )
  if (filled !== undefined)
    throw new CopyProblem(
      `The new database is not empty (it has the table "${filled}"): make another one`,
    )
}

/** Copies what is not there yet. @returns how many rows this run has copied */
export async function copyRows(from: Side, to: Side, all: number, note: Note): Promise<number> {
  const progress = await readProgress(to)
  const there = await countRows(
    to,
    MOVED_TABLES.map(({ name }) => name),
  )
  const before = Object.values(there).reduce((sum, count) => sum + count, 0)
  let copied = 0
  for (const table of MOVED_TABLES) {
    const after = progress?.get(table.name)
    for await (const rows of readBatches(from, table, after && JSON.parse(after))) {
      await writeBatch(to, table, rows)
      copied += rows.length
      note('rows', before + copied, all)
    }
  }
  return copied
}

/** @throws CopyProblem when a table of the copy has other rows than the source */
export async function checkRows(from: Side, to: Side, all: number, note: Note): Promise<void> {
  let done = 0
  const count = (rows: number) => {
    done += rows
    note('rows checked', done, 2 * all)
  }
  for (const table of MOVED_TABLES) {
    const [then, now] = [await sumUp(from, table, count), await sumUp(to, table, count)]
    const fault =
      then.rows !== now.rows
        ? `has ${now.rows} rows instead of ${then.rows}`
        : then.sum !== now.sum && 'differs from the source'
    if (fault)
      throw new CopyProblem(
        `The copy of the table "${table.name}" ${fault}: begin again with an empty database`,
      )
  }
  const miscounted = await findMiscounted(to)
  if (miscounted.length > 0)
    throw new CopyProblem(`In the copy ${miscounted.length} posts count other likes than they have`)
}

/** Lets a server start on the copy. */
export async function finishRows(
  { dataDir, databaseUrl }: BlogPlaces,
  staging: string,
  { source, to }: { source: Side; to: Side },
): Promise<void> {
  await endFilling(to, await readHighest(source))
  await to[Symbol.asyncDispose]()
  if (databaseUrl !== undefined) return
  const from = join(staging, SQLITE_FILE)
  await settleFile(from)
  await giveToOwnerOf(dataDir, from)
  await rename(from, join(dataDir, SQLITE_FILE))
  await syncPath(dataDir)
}
