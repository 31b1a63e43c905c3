// Rows of both sides of a move: read by key a batch at a time, written with how far it has come,
// and summed up.

import { createHash } from 'node:crypto'
import { countRows } from '../backups/blog-data.ts'
import { CopyProblem } from '../backups/problem.ts'
import type { Row, Side, Value } from '../backups/side.ts'
import { listMigrations } from '../database/database.ts'
import { MOVED_NAMES, MOVED_TABLES, type MovedTable } from './tables.ts'

/** In a database that a move is filling, until it is whole. */
const PROGRESS = 'moveProgress'
/** Among the migrations meanwhile: no server starts on a database that has one it does not know. */
const UNFINISHED = '9999-move-is-not-finished'
const SUM_BITS = 256

/** Rows of a table in the order of its key, from behind `after` on. */
export async function* readBatches(side: Side, table: MovedTable, after?: Value[]) {
  const { name, key, rowsAtOnce, filledByTriggers } = table
  const marks = key.map((_, at) => `$${at + 1}`).join(', ')
  for (let last = after; ; ) {
    const from = last ? `where (${list(key)}) > (${marks})` : ''
    const rows = await side.ask(
      `select * from "${name}" ${from} order by ${list(key)} limit ${rowsAtOnce}`,
      last ?? [],
    )
    if (rows.length === 0) return
    for (const row of rows) for (const column of filledByTriggers) delete row[column]
    yield rows
    last = keyOf(key, rows.at(-1))
  }
}

function keyOf(key: readonly string[], row: Row | undefined): Value[] {
  return key.map((column) => row?.[column] ?? null)
}

function list(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}

/** @throws CopyProblem when the other database refuses a row */
export async function writeBatch(side: Side, table: MovedTable, rows: Row[]): Promise<void> {
  const { name, key, isCounted } = table
  const columns = Object.keys(rows[0] ?? {})
  const values = rows.flatMap((row) => columns.map((column) => row[column] ?? null))
  const marks = rows.map(
    (_, at) => `(${columns.map((_, of) => `$${at * columns.length + of + 1}`).join(', ')})`,
  )
  // The numbers of rows stay what they are.
  const own = side.major > 0 && isCounted ? 'overriding system value' : ''
  await inOne(side, async () => {
    const insert = `insert into "${name}" (${list(columns)}) ${own} values ${marks.join(', ')}`
    await side.ask(insert, values).catch((cause: unknown) => {
      const [first, last] = [rows[0], rows.at(-1)].map((row) => keyOf(key, row).join(' '))
      const range = `rows "${first}" to "${last}" of the table "${name}"`
      throw new CopyProblem(`The new database refuses ${range}`, { cause })
    })
    await side.ask(
      `insert into "${PROGRESS}" (name, value) values ($1, $2)
         on conflict (name) do update set value = excluded.value`,
      [name, JSON.stringify(keyOf(key, rows.at(-1)))],
    )
  })
}

async function inOne(side: Side, work: () => Promise<void>): Promise<void> {
  await side.ask('begin')
  try {
    await work()
    await side.ask('commit')
  } catch (error) {
    // A connection that is gone has taken it back itself.
    await side.ask('rollback').catch(() => {})
    throw error
  }
}

/** The key of the last row of each table that has been copied, and `source`. */
export async function readProgress(side: Side): Promise<Map<string, string> | undefined> {
  if (!(await side.tables()).includes(PROGRESS)) return undefined
  const rows = await side.ask(`select name, value from "${PROGRESS}"`)
  return new Map(rows.map(({ name, value }) => [String(name), String(value)]))
}

/** From here on the database is one that a move is filling, from this source. */
export async function beginFilling(side: Side, source: string): Promise<void> {
  await inOne(side, async () => {
    await side.ask(`create table "${PROGRESS}" (name text primary key, value text not null)`)
    await side.ask(`insert into "${PROGRESS}" (name, value) values ('source', $1)`, [source])
    await side.ask(`insert into kysely_migration (name, timestamp) values ('${UNFINISHED}', '')`)
  })
}

/** The database is whole: a server may start on it. Numbers of rows go on behind the source's. */
export async function endFilling(side: Side, highest: Record<string, number>): Promise<void> {
  if (side.major > 0) await side.ask('set synchronous_commit = on; analyze')
  await inOne(side, async () => {
    for (const [table, seq] of Object.entries(highest)) {
      if (seq === 0) continue
      if (side.major > 0)
        await side.ask(`select setval(pg_get_serial_sequence('"${table}"', 'seq'), $1)`, [seq])
      else {
        await side.ask('delete from sqlite_sequence where name = $1', [table])
        await side.ask('insert into sqlite_sequence (name, seq) values ($1, $2)', [table, seq])
      }
    }
    await side.ask(`delete from kysely_migration where name = '${UNFINISHED}'`)
    await side.ask(`drop table "${PROGRESS}"`)
  })
}

/** The highest number that each table that counts has given out, to rows that are gone, too. */
export async function readHighest(side: Side): Promise<Record<string, number>> {
  const highest: Record<string, number> = {}
  for (const { name } of MOVED_TABLES.filter(({ isCounted }) => isCounted)) {
    const given =
      side.major > 0
        ? `pg_sequence_last_value(pg_get_serial_sequence('"${name}"', 'seq')::regclass)`
        : `(select seq from sqlite_sequence where name = '${name}')`
    const [row] = await side.ask(`select max(seq) as "seq", ${given} as "given" from "${name}"`)
    highest[name] = Math.max(Number(row?.seq ?? 0), Number(row?.given ?? 0))
  }
  return highest
}

/** Rows of each table, and a text that is another one as soon as the blog has been used. */
export async function readState(side: Side) {
  const counts = await countRows(side, MOVED_NAMES)
  const [newest] = await side.ask(
    `select (select max("updatedAt") from post) as "post", (select max("lastUsedAt") from session) as "session",
       (select max("accessedAt") from "user") as "user", (select sum("count") from "postRead") as "reads"`,
  )
  const times = Object.values(newest ?? {}).map(String)
  // What another version of the program has begun is not gone on with either.
  const parts = [listMigrations(), counts, await readHighest(side), times]
  const fingerprint = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  return { counts, fingerprint, all: Object.values(counts).reduce((sum, count) => sum + count, 0) }
}

/**
 * A checksum of the rows of a table, the same in whatever order and by whichever database they are
 * read.
 */
export async function sumUp(side: Side, table: MovedTable, note: (rows: number) => void) {
  let [count, sum] = [0, 0n]
  for await (const rows of readBatches(side, table)) {
    for (const row of rows) sum = BigInt.asUintN(SUM_BITS, sum + digestOf(row))
    count += rows.length
    note(rows.length)
  }
  return { rows: count, sum }
}

function digestOf(row: Row): bigint {
  const names = Object.keys(row).toSorted()
  const values = JSON.stringify(names.map((name) => textOf(row[name] ?? null)))
  return BigInt(`0x${createHash('sha256').update(values).digest('hex')}`)
}

/** Numbers come as text from one of the two. */
function textOf(value: Value): string | null | [string] {
  if (value === null) return null
  return value instanceof Uint8Array ? [Buffer.from(value).toString('base64')] : String(value)
}
