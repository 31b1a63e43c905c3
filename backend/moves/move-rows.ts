// Copies all rows of one database into another, empty one, and holds the copy against the source.
// Killed at any moment, it goes on behind the last batch that was committed.
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type BlogPlaces, SQLITE_FILE } from '../backups/blog-data.ts'
import { giveToOwnerOf, settleFile, syncPath } from '../backups/bytes.ts'
import { listMigrations, openDatabase } from '../database/database.ts'
import { MoveProblem } from './problem.ts'
import {
  beginFilling,
  type Counts,
  countMiscounted,
  endFilling,
  findFilled,
  PROGRESS,
  readBatches,
  readHighest,
  readMigrations,
  readProgress,
  sumUp,
  writeBatch,
} from './rows-store.ts'
import { openPostgres, openSqliteToFill, type Side } from './side-store.ts'
import { KNOWN_TABLES, MOVED_TABLES } from './tables.ts'

/** Hears how far a move has come. */
export type Note = (phase: 'rows' | 'rows checked' | 'files', done: number, all: number) => void

/** What is read: as it was when the move began. */
export type Source = { side: Side; counts: Counts; fingerprint: string }

/**
 * The database to fill, with its tables.
 *
 * @param staging where a new SQLite database grows, until it is whole
 * @throws MoveProblem when it has anything but what this move has left there
 */
export async function openTarget(
  { databaseUrl }: Pick<BlogPlaces, 'databaseUrl'>,
  staging: string,
  { fingerprint }: Source,
): Promise<Side> {
  const open = async () =>
    databaseUrl === undefined
      ? openSqliteToFill(join(staging, SQLITE_FILE))
      : await openPostgres(databaseUrl, { isSnapshot: false })
  if (databaseUrl === undefined) await mkdir(staging, { recursive: true, mode: 0o700 })
  let side = await open()
  try {
    const progress = await readProgress(side)
    if (progress) {
      await requireOwn(side, progress, fingerprint)
      return side
    }
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

async function requireOwn(
  side: Side,
  progress: Map<string, string>,
  fingerprint: string,
): Promise<void> {
  if (progress.get('source') !== fingerprint)
    throw new MoveProblem(
      'There is a move that was not finished, and the blog has been used since, or it was another one: begin again with an empty database (for SQLite remove the folder .moving of the data folder)',
    )
  const migrations = await readMigrations(side)
  if (String(migrations.toSorted()) !== String(listMigrations().toSorted()))
    throw new MoveProblem(
      'There is a move that another version of this program has begun: begin again with an empty database',
    )
}

async function requireEmpty(side: Side): Promise<void> {
  const tables = await side.tables()
  const foreign = tables.find(
    (name) => !KNOWN_TABLES.includes(name) && !name.startsWith('kysely_') && name !== PROGRESS,
  )
  const filled = foreign ?? (await findFilled(side, tables))
  if (filled !== undefined)
    throw new MoveProblem(
      `The new database is not empty (it has the table "${filled}"): make another one`,
    )
}

/** Copies what is not there yet. @returns how many rows this run has copied */
export async function copyRows({ side, counts }: Source, to: Side, note: Note): Promise<number> {
  const progress = (await readProgress(to)) ?? new Map<string, string>()
  const all = sumOf(counts)
  let [done, copied] = [0, 0]
  for (const table of MOVED_TABLES) {
    const after = progress.get(table.name)
    if (after !== undefined) done += await countThere(to, table.name)
    const last = after === undefined ? undefined : (JSON.parse(after) as string[])
    for await (const rows of readBatches(side, table, last)) {
      await writeBatch(to, table, rows)
      done += rows.length
      copied += rows.length
      note('rows', done, all)
    }
  }
  return copied
}

async function countThere(side: Side, table: string): Promise<number> {
  const [row] = await side.ask(`select count(*) as "n" from "${table}"`)
  return Number(row?.n)
}

function sumOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** @throws MoveProblem when a table of the copy has other rows than the source */
export async function checkRows({ side, counts }: Source, to: Side, note: Note): Promise<void> {
  const all = 2 * sumOf(counts)
  let done = 0
  const count = (rows: number) => {
    done += rows
    note('rows checked', done, all)
  }
  for (const table of MOVED_TABLES) {
    const [then, now] = [await sumUp(side, table, count), await sumUp(to, table, count)]
    if (then.rows !== now.rows)
      throw new MoveProblem(
        `The copy of the table "${table.name}" has ${now.rows} rows instead of ${then.rows}: begin again with an empty database`,
      )
    if (then.sum !== now.sum)
      throw new MoveProblem(
        `The copy of the table "${table.name}" differs from the source: begin again with an empty database`,
      )
  }
  const miscounted = await countMiscounted(to)
  if (miscounted > 0)
    throw new MoveProblem(`In the copy ${miscounted} posts count other likes than they have`)
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
  const [from, path] = [join(staging, SQLITE_FILE), join(dataDir, SQLITE_FILE)]
  await settleFile(from)
  await giveToOwnerOf(dataDir, from)
  await rename(from, path)
  await syncPath(dataDir)
}
