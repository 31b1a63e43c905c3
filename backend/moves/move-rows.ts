// Copies all rows of one database into another, empty one, and holds the copy against the source.
// Killed at any moment, it goes on behind the last batch that was committed.
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type BlogPlaces, countRows, findMiscounted, SQLITE_FILE } from '../backups/blog-data.ts'
import { giveToOwnerOf, settleFile, syncPath } from '../backups/bytes.ts'
import { CopyProblem } from '../backups/problem.ts'
import { openPostgres, openSqliteToFill, type Side } from '../backups/side.ts'
import { openDatabase } from '../database/database.ts'
import {
  beginFilling,
  endFilling,
  readBatches,
  readHighest,
  readProgress,
  readState,
  sumUp,
  writeBatch,
} from './rows-store.ts'
import { KNOWN_TABLES, MOVED_NAMES, MOVED_TABLES } from './tables.ts'

/** Hears how far a move has come. */
export type Note = (phase: 'rows' | 'rows checked' | 'files', done: number, all: number) => void

const LOOKS = 10
const LOOK_EVERY_MS = 100

/**
 * @param own how many connections of the move itself there are already
 * @throws CopyProblem when it cannot be reached, or others are connected as the same user
 */
export async function openAlone(url: string, own = 0): Promise<Side> {
  const { hostname, pathname } = new URL(url)
  const name = `PostgreSQL at ${hostname || 'localhost'}${pathname}`
  const side = await openPostgres(url).catch((cause: unknown) => {
    throw new CopyProblem(`${name} cannot be reached`, { cause })
  })
  for (let look = 1; ; look++) {
    const [row] = await side.ask(
      `select count(*) as "n" from pg_stat_activity where datname = current_database()
         and usename = current_user and pid <> pg_backend_pid()`,
    )
    const others = Number(row?.n) - own
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
export async function openTarget(to: BlogPlaces, staging: string, fingerprint: string) {
  const { databaseUrl } = to
  const open = async (): Promise<Side> => {
    if (databaseUrl === undefined) return openSqliteToFill(join(staging, SQLITE_FILE))
    const side = await openAlone(databaseUrl)
    // After a crash the last batches may be missing, and are copied again.
    await side.ask('set synchronous_commit = off')
    return side
  }
  if (databaseUrl === undefined) await mkdir(staging, { recursive: true, mode: 0o700 })
  let side = await open()
  try {
    const progress = await readProgress(side)
    if (progress?.get('source') === fingerprint) return side
    if (progress)
      throw new CopyProblem(
        'There is a move that was not finished, and the blog has been used since, or it was another one: begin again with an empty database (for SQLite remove the folder .moving of the data folder)',
      )
    await requireEmpty(side)
    await side[Symbol.asyncDispose]()
    const migrated = await openDatabase({ dataDir: staging, databaseUrl })
    await migrated.destroy()
    side = await open()
    await beginFilling(side, fingerprint)
    return side
  } catch (error) {
    await side[Symbol.asyncDispose]()
    throw error
  }
}

async function requireEmpty(side: Side): Promise<void> {
  // The index of words has tables of its own.
  const tables = (await side.tables()).filter((name) => !/^(?:kysely_|postSearch)/.test(name))
  const counts = await countRows(side, tables)
  const filled = tables.find(
    (name) => !KNOWN_TABLES.includes(name) || (MOVED_NAMES.includes(name) && counts[name] !== 0),
  )
  if (filled !== undefined)
    throw new CopyProblem(
      `The new database is not empty (it has the table "${filled}"): make another one`,
    )
}

/** Copies what is not there yet. @returns how many rows this run has copied */
export async function copyRows(from: Side, to: Side, all: number, note: Note): Promise<number> {
  const progress = await readProgress(to)
  const { all: before } = await readState(to)
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
export async function finishRows(places: BlogPlaces, staging: string, from: Side, to: Side) {
  await endFilling(to, await readHighest(from))
  await to[Symbol.asyncDispose]()
  if (places.databaseUrl !== undefined) return
  const path = join(staging, SQLITE_FILE)
  await settleFile(path)
  await giveToOwnerOf(places.dataDir, path)
  await rename(path, join(places.dataDir, SQLITE_FILE))
  await syncPath(places.dataDir)
}
