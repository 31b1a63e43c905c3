// Copies all rows of a database into another, empty one, and compares the copy with the source: for
// a move, for a backup of PostgreSQL, and for a restore into PostgreSQL.
import { hash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '../database/database.ts'
import { BASELINE, LAST_OLD_MIGRATION, makeOldDatabase, TOO_OLD } from '../database/old-database.ts'
import { CopyProblem } from './backup-io.ts'
import { countRows, readMigrations, SQLITE_FILE } from './blog-contents.ts'
import {
  listTables,
  openPostgres,
  openSqliteToFill,
  passing,
  type Row,
  type Side,
  type Value,
} from './raw-database.ts'

/** Called with the progress of a copy. */
export type Note = (phase: 'rows' | 'rows checked' | 'files', done: number, all: number) => void
/** A database on PostgreSQL, or a new SQLite file in `folder`, which replaces one of that name. */
type Target = { folder: string; databaseUrl: string | undefined }

/** Among the migrations until all rows are copied: no server starts with an unknown one. */
const UNFINISHED = '9999-copy-is-not-finished'
/**
 * Changes for other processes and counts of limits live for minutes; the next start makes
 * fingerprints of secrets again, and the server fills the full-text index in the background.
 */
const NOT_COPIED =
  /^(?:kysely_.*|search(?:Post|State)|public(?:List|Version)|cacheTag|change|rateCount|secretMark)$/
const LOOKS = 10
const LOOK_EVERY_MS = 100

/**
 * Copies the rows of a frozen source, in one transaction: a killed copy leaves nothing.
 *
 * @param beforeCommit if it throws, the target stays empty
 * @returns how many rows there are
 * @throws CopyProblem when the target is not empty, refuses a row, or keeps another
 */
export async function copyRows(
  from: Side,
  target: Target,
  note: Note = () => {},
  beforeCommit: () => Promise<void> = async () => {},
): Promise<number> {
  const tables = await listCopied(from)
  const all = await countCopied(from)
  await using to = await openEmpty(target, (await requireKnown(from)).last)
  let done = 0
  for (const table of tables)
    for await (const rows of from.rows(table)) {
      await insert(to, table, rows)
      done += rows.length
      note('rows', done, all)
    }
  await keepNumbers(from, to)
  let checked = 0
  const noteChecked = (rows: number) => {
    checked += rows
    note('rows checked', checked, 2 * all)
  }
  for (const table of tables)
    if ((await sumUp(from, table, noteChecked)) !== (await sumUp(to, table, noteChecked)))
      throw new CopyProblem(`The copy of the table "${table}" differs from the source`)
  if (to.major > 0) await to.ask('analyze')
  await beforeCommit()
  await to.ask(`delete from kysely_migration where name = '${UNFINISHED}'`)
  await to.ask('commit')
  return all
}

/** How many rows a copy has. */
export async function countCopied(from: Side): Promise<number> {
  const counts = await countRows(from, await listCopied(from))
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** Whether another database holds a finished copy of exactly these rows. Both are frozen. */
export async function hasSameRows(from: Side, other: Side): Promise<boolean> {
  const tables = await listCopied(from)
  const others = await listTables(other)
  if (tables.some((table) => !others.includes(table))) return false
  const counts = await countRows(from, tables)
  const otherCounts = await countRows(other, tables)
  if (tables.some((table) => counts[table] !== otherCounts[table])) return false
  const known = await readMigrations(from)
  const otherKnown = await readMigrations(other)
  if (known.last !== otherKnown.last || otherKnown.newer.length > 0) return false
  for (const table of tables)
    if ((await sumUp(from, table)) !== (await sumUp(other, table))) return false
  return true
}

/** The tables that are copied, in an order that foreign keys allow. */
async function listCopied(side: Side): Promise<string[]> {
  const references = await side.ask(
    side.major === 0
      ? `select m.name as "from", f."table" as "to"
           from sqlite_master m join pragma_foreign_key_list(m.name) f where m.type = 'table'`
      : `select f.relname as "from", t.relname as "to" from pg_constraint c
           join pg_class f on f.oid = conrelid join pg_class t on t.oid = confrelid
           where contype = 'f' and c.connamespace = current_schema()::regnamespace`,
  )
  const sorted = new Set<string>()
  const add = (table: string) => {
    for (const { from, to } of references) if (from === table && to !== table) add(String(to))
    sorted.add(table)
  }
  for (const table of await listTables(side)) if (!NOT_COPIED.test(table)) add(table)
  return [...sorted]
}

/** @throws CopyProblem when a newer program, or a too old one, has written the database */
export async function requireKnown(side: Side) {
  const { newer, isTooOld, ...known } = await readMigrations(side)
  if (isTooOld) throw new CopyProblem(TOO_OLD)
  if (newer.length === 0) return known
  throw new CopyProblem(
    `It was made by a newer program (with ${newer.join(', ')}): update this one`,
  )
}

/** @throws CopyProblem when it cannot be reached, or others are connected as the same user */
export async function openAlone(url: string): Promise<Side> {
  const side = await openPostgres(url).catch((cause: unknown) => {
    throw new CopyProblem(`${nameOf(url)} cannot be reached`, { cause })
  })
  return await passing(side, () => requireAlone(side, url))
}

/** @throws CopyProblem when others are connected as the same user */
export async function requireAlone(side: Side, url: string): Promise<void> {
  for (let look = 1; ; look++) {
    await side.ask('select pg_stat_clear_snapshot()')
    const [row] = await side.ask(
      `select count(*) as "n" from pg_stat_activity where datname = current_database()
         and usename = current_user and pid <> pg_backend_pid()`,
    )
    if (Number(row?.n) === 0) return
    if (look === LOOKS)
      throw new CopyProblem(
        `${nameOf(url)} is in use (${row?.n} connections of this user): stop every server`,
      )
    // Connections that have just been closed take a moment to disappear.
    await delay(LOOK_EVERY_MS)
  }
}

function nameOf(url: string): string {
  const { hostname, pathname } = new URL(url)
  return `PostgreSQL at ${hostname || 'localhost'}${pathname}`
}

/**
 * Begins a transaction; on PostgreSQL no other connection can write to these tables until it ends.
 */
export async function beginAlone(side: Side, begin = 'begin'): Promise<void> {
  const tables = (await listCopied(side)).map((name) => `"${name}"`).join(', ')
  await side.ask(begin)
  if (side.major > 0) await side.ask(`lock table ${tables} in exclusive mode`)
}

/** @throws CopyProblem when PostgreSQL has any table, or a blog whose tables are not all empty */
export async function requireEmpty(side: Side): Promise<void> {
  const tables = await listTables(side)
  const isBlog = tables.includes('kysely_migration')
  const counts = isBlog ? await countRows(side, await listCopied(side)) : {}
  const filled = tables.find((name) => !isBlog || (counts[name] ?? 0) > 0)
  if (filled !== undefined)
    throw new CopyProblem(`The new database is not empty: it has the table "${filled}"`)
}

/** The target with its tables, in the transaction that fills them. */
async function openEmpty({ folder, databaseUrl }: Target, upTo: string | undefined) {
  const path = join(folder, SQLITE_FILE)
  if (databaseUrl === undefined) {
    for (const end of ['', '-wal', '-shm']) await rm(path + end, { force: true })
    await mkdir(folder, { recursive: true, mode: 0o700 })
  } else {
    await using side = await openAlone(databaseUrl)
    await requireEmpty(side)
    if ((await listTables(side)).includes('kysely_migration'))
      await side.ask(`delete from kysely_migration where name = '${UNFINISHED}'`)
  }
  // Before a database of an older version is converted, its backup has the old tables.
  const isOld = upTo === LAST_OLD_MIGRATION
  const migrated = await openDatabase({
    dataDir: folder,
    databaseUrl,
    upTo: isOld ? BASELINE : upTo,
  })
  if (isOld) await makeOldDatabase(migrated)
  await migrated.destroy()
  const opened = databaseUrl === undefined ? openSqliteToFill(path) : await openAlone(databaseUrl)
  return await passing(opened, async (side) => {
    await side.ask(`insert into kysely_migration (name, timestamp) values ('${UNFINISHED}', '')`)
    await beginAlone(side)
  })
}

async function insert(side: Side, table: string, rows: Row[]): Promise<void> {
  const columns = columnsOf(rows[0])
  const values = rows.flatMap((row) => columns.map((column) => row[column] ?? null))
  const marks = rows.map(
    (_, at) => `(${columns.map((_, of) => `$${at * columns.length + of + 1}`).join(', ')})`,
  )
  // The rows keep their numbers.
  const own = side.major > 0 && columns.includes('seq') ? 'overriding system value' : ''
  const names = columns.map((name) => `"${name}"`).join(', ')
  const sql = `insert into "${table}" (${names}) ${own} values ${marks.join(', ')}`
  await side.ask(sql, values).catch((cause: unknown) => {
    const first = values[0]
    const last = values.at(-columns.length)
    const range = `rows "${first}" to "${last}" of the table "${table}"`
    throw new CopyProblem(`The new database refuses ${range}`, { cause })
  })
}

/** Triggers count the likes of posts and discussions as they are copied. */
function columnsOf(row: Row | undefined): string[] {
  return Object.keys(row ?? {}).filter((name) => name !== 'likes')
}

/** The next row of a table gets the number that it would get at the source. */
async function keepNumbers(from: Side, to: Side): Promise<void> {
  const given = await from.ask(
    from.major === 0
      ? 'select name, seq from sqlite_sequence'
      : `select table_name as name, pg_sequence_last_value(
             pg_get_serial_sequence(quote_ident(table_name), 'seq')::regclass) as seq
           from information_schema.columns
           where table_schema = current_schema() and column_name = 'seq' and is_identity = 'YES'`,
  )
  for (const { name = '', seq = 0 } of given.filter((row) => Number(row.seq) > 0))
    if (to.major > 0)
      await to.ask(`select setval(pg_get_serial_sequence('"${name}"', 'seq'), $1)`, [seq])
    else {
      await to.ask('delete from sqlite_sequence where name = $1', [name])
      await to.ask('insert into sqlite_sequence (name, seq) values ($1, $2)', [name, Number(seq)])
    }
}

/** A checksum of rows, independent of their order and of the database. */
async function sumUp(
  side: Side,
  table: string,
  note: (rows: number) => void = () => {},
): Promise<bigint> {
  let sum = 0n
  for await (const rows of side.rows(table)) {
    for (const row of rows) {
      const values = columnsOf(row)
        .toSorted()
        .map((name) => textOf(row[name] ?? null))
      sum += BigInt(`0x${hash('sha256', JSON.stringify(values))}`)
    }
    note(rows.length)
  }
  return sum
}

/** One of the two databases returns numbers as text. */
function textOf(value: Value): string | null {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return value === null ? null : String(value)
}
