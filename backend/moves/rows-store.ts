// Rows of both sides of a move: read by key a batch at a time, written with how far it has come,
// counted, and summed up.
import { createHash } from 'node:crypto'
import { MoveProblem } from './problem.ts'
import type { Row, Side, Value } from './side-store.ts'
import { MOVED_TABLES, type MovedTable, movedColumns } from './tables.ts'

/** In a database that a move is filling, until it is whole. */
export const PROGRESS = 'moveProgress'
/** Among the migrations meanwhile: no server starts on a database that has one it does not know. */
const UNFINISHED = '9999-move-is-not-finished'
const SUM_BITS = 256
/** What is read of the source when it is looked at. */
export type Counts = Record<string, number>

/** Rows of a table in the order of its key, from behind `after` on. */
export async function* readBatches(
  side: Side,
  { name, key, rowsAtOnce }: MovedTable,
  after: Value[] | undefined,
  columns?: string[],
): AsyncGenerator<Row[]> {
  const selected = list(columns ?? movedColumns(name, await side.columns(name)))
  const by = list(key)
  const marks = key.map((_, at) => side.mark(at + 1)).join(', ')
  for (let last = after; ; ) {
    const from = last ? `where (${by}) > (${marks})` : ''
    const rows = await side.ask(
      `select ${selected} from "${name}" ${from} order by ${by} limit ${rowsAtOnce}`,
      last ?? [],
    )
    const end = rows.at(-1)
    if (!end) return
    yield rows
    if (rows.length < rowsAtOnce) return
    last = keyOf(key, end)
  }
}

function keyOf(key: readonly string[], row: Row): Value[] {
  return key.map((column) => row[column] ?? null)
}

function list(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}

/** @throws MoveProblem when the other database refuses a row */
export async function writeBatch(side: Side, table: MovedTable, rows: Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const last = rows.at(-1)
  if (!last) return
  const marks = rows.map(
    (_, at) => `(${columns.map((_, of) => side.mark(at * columns.length + of + 1)).join(', ')})`,
  )
  // The numbers of rows stay what they are.
  const own = side.isPostgres && table.isCounted ? 'overriding system value' : ''
  await inOne(side, async () => {
    await side
      .ask(
        `insert into "${table.name}" (${list(columns)}) ${own} values ${marks.join(', ')}`,
        rows.flatMap((row) => columns.map((column) => row[column] ?? null)),
      )
      .catch((cause: unknown) => {
        const [first, end] = [rows[0] ?? last, last].map((row) => keyOf(table.key, row).join(' '))
        const range = `rows "${first}" to "${end}" of the table "${table.name}"`
        throw new MoveProblem(`The new database refuses ${range}`, { cause })
      })
    await side.ask(
      `insert into "${PROGRESS}" (name, value) values (${side.mark(1)}, ${side.mark(2)})
         on conflict (name) do update set value = excluded.value`,
      [table.name, JSON.stringify(keyOf(table.key, last))],
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

/** A table that has rows before anything was moved. */
export async function findFilled(side: Side, tables: string[]): Promise<string | undefined> {
  for (const { name } of MOVED_TABLES) {
    if (!tables.includes(name)) continue
    if ((await side.ask(`select 1 as one from "${name}" limit 1`)).length > 0) return name
  }
  return undefined
}

/** From here on the database is one that a move is filling, from this source. */
export async function beginFilling(side: Side, source: string): Promise<void> {
  await inOne(side, async () => {
    await side.ask(`create table "${PROGRESS}" (name text primary key, value text not null)`)
    await side.ask(`insert into "${PROGRESS}" (name, value) values ('source', ${side.mark(1)})`, [
      source,
    ])
    await side.ask(`insert into kysely_migration (name, timestamp) values ('${UNFINISHED}', '')`)
  })
}

/** The database is whole: a server may start on it. Numbers of rows go on behind the source's. */
export async function endFilling(side: Side, highest: Counts): Promise<void> {
  if (side.isPostgres) {
    await side.ask('set synchronous_commit = on')
    await side.ask('analyze')
  }
  await inOne(side, async () => {
    for (const [table, seq] of Object.entries(highest)) await continueSeq(side, table, seq)
    await side.ask(`delete from kysely_migration where name = '${UNFINISHED}'`)
    await side.ask(`drop table "${PROGRESS}"`)
  })
}

async function continueSeq(side: Side, table: string, seq: number): Promise<void> {
  if (seq === 0) return
  if (side.isPostgres)
    return void (await side.ask(`select setval(pg_get_serial_sequence('"${table}"', 'seq'), $1)`, [
      seq,
    ]))
  await side.ask('delete from sqlite_sequence where name = ?', [table])
  await side.ask('insert into sqlite_sequence (name, seq) values (?, ?)', [table, seq])
}

/** The highest number that each table that counts has given out, to rows that are gone, too. */
export async function readHighest(side: Side): Promise<Counts> {
  const highest: Counts = {}
  for (const { name, isCounted } of MOVED_TABLES) {
    if (!isCounted) continue
    const [row] = await side.ask(`select max(seq) as "seq" from "${name}"`)
    const given = side.isPostgres
      ? await side.ask(
          `select coalesce(pg_sequence_last_value(pg_get_serial_sequence('"${name}"', 'seq')::regclass), 0) as "seq"`,
        )
      : await side.ask('select seq from sqlite_sequence where name = ?', [name])
    highest[name] = Math.max(Number(row?.seq ?? 0), Number(given[0]?.seq ?? 0))
  }
  return highest
}

export async function countAll(side: Side): Promise<Counts> {
  const counts: Counts = {}
  for (const { name } of MOVED_TABLES) {
    const [row] = await side.ask(`select count(*) as "n" from "${name}"`)
    counts[name] = Number(row?.n)
  }
  return counts
}

/** Is another one as soon as the blog has been used. */
export async function readFingerprint(side: Side, counts: Counts): Promise<string> {
  const [newest] = await side.ask(
    `select (select max("updatedAt") from post) as "post", (select max("lastUsedAt") from session) as "session",
       (select max("accessedAt") from "user") as "user", (select sum("count") from "postRead") as "reads"`,
  )
  const parts = [counts, await readHighest(side), Object.values(newest ?? {}).map(String)]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

export async function readMigrations(side: Side): Promise<string[]> {
  if (!(await side.tables()).includes('kysely_migration')) return []
  const rows = await side.ask('select name from kysely_migration')
  return rows.map(({ name }) => String(name)).filter((name) => name !== UNFINISHED)
}

/**
 * A checksum of the rows of a table, the same in whatever order and by whichever database they are
 * read.
 */
export async function sumUp(
  side: Side,
  table: MovedTable,
  note: (rows: number) => void,
): Promise<{ rows: number; sum: string }> {
  let [count, sum] = [0, 0n]
  for await (const rows of readBatches(side, table, undefined)) {
    for (const row of rows) sum = BigInt.asUintN(SUM_BITS, sum + digestOf(row))
    count += rows.length
    note(rows.length)
  }
  return { rows: count, sum: sum.toString(16) }
}

function digestOf(row: Row): bigint {
  const values = Object.keys(row)
    .toSorted()
    .map((name) => textOf(row[name] ?? null))
  return BigInt(`0x${createHash('sha256').update(JSON.stringify(values)).digest('hex')}`)
}

/** Numbers come as text from one of the two. */
function textOf(value: Value): string | null | [string] {
  if (value === null) return null
  return value instanceof Uint8Array ? [Buffer.from(value).toString('base64')] : String(value)
}

/** How many posts count other likes than they have. */
export async function countMiscounted(side: Side): Promise<number> {
  const [row] = await side.ask(
    `select count(*) as "n" from post left join
       (select "postId", count(*) as "total" from "postLike" group by "postId") as "counted"
       on "postId" = "id" where "likes" <> coalesce("total", 0)`,
  )
  return Number(row?.n)
}

/** Of these stored names those that no row names. Names are ones that the server made. */
export async function findUnnamed(
  side: Side,
  table: 'file' | 'fileChunk',
  names: string[],
): Promise<string[]> {
  const marks = names.map((_, at) => side.mark(at + 1)).join(', ')
  const rows = await side.ask(
    `select "storedName" from "${table}" where "storedName" in (${marks})`,
    names,
  )
  const known = new Set(rows.map(({ storedName }) => storedName))
  return names.filter((name) => !known.has(name))
}
