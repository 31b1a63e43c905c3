// Copies all rows of a database into another, empty one, and compares the copy with the source: for
// a move, for a backup of PostgreSQL, and for a restore into PostgreSQL.
import { hash } from 'node:crypto'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '../database/database.ts'
import { BASELINE, LAST_OLD_MIGRATION, makeOldDatabase, TOO_OLD } from '../database/old-database.ts'
import { syncPath } from '../files/disk.ts'
import { CopyProblem, chownToOwnerOf, makePrivateAndDurable } from './backup-io.ts'
import { countRows, readMigrations, SQLITE_FILE } from './blog-contents.ts'
import {
  closeOnError,
  listTables,
  openPostgres,
  openSqliteToFill,
  type RawDatabase,
  type Row,
  type Value,
} from './raw-database.ts'

/** Receives the progress of a copy: `copiedRows` of `total` rows or files. */
export type OnProgress = (
  phase: 'rows' | 'rows checked' | 'files',
  copiedRows: number,
  total: number,
) => void
/** What is copied: the rows of a database, or of an archive. */
export type RowSource = {
  /** In an order that foreign keys allow. */
  tables: readonly string[]
  /** The number of rows in all tables. */
  total: number
  lastMigration: string | undefined
  rows(table: string): AsyncGenerator<Row[]>
  /** The last `seq` that each table has given: `name` and `seq`. */
  readSequences(): Promise<Row[]>
}
/** A PostgreSQL database, or a new SQLite file in `folder`, which replaces an existing one. */
type Target = { folder: string; databaseUrl: string | undefined }

/**
 * The target has this unknown migration until the copy is complete, so that no server starts on it.
 */
const UNFINISHED = '9999-copy-is-not-finished'
/**
 * Tables that are not copied. Events for other processes and counts of rate limits are valid for
 * minutes; the next start rebuilds fingerprints of secrets, and the server fills the full-text
 * index in the background.
 */
const NOT_COPIED =
  /^(?:kysely_.*|search(?:Post|State)|public(?:List|Version)|cacheTag|change|rateCount|secretMark)$/
const IS_NO_SETUP_CODE = `name not like 'setupCode%'`
const CONNECTION_CHECKS_MAX = 10
const CONNECTION_CHECK_EVERY_MS = 100

/**
 * The rows of a database that a copy has. {@link beginSnapshot} must have been called on it.
 *
 * @throws CopyProblem as {@link requireKnownMigrations}
 */
export async function rowsOf(database: RawDatabase): Promise<RowSource> {
  const tables = await listCopiedTables(database)
  const counts = await countRows(database, tables)
  return {
    tables,
    total: Object.values(counts).reduce((sum, count) => sum + count, 0),
    lastMigration: (await requireKnownMigrations(database)).last,
    rows: database.rows,
    readSequences: () => readSequences(database),
  }
}

/**
 * Copies all rows of a source in one transaction, so that a killed copy leaves nothing behind.
 *
 * @param beforeCommit gets the digest of the rows ({@link digestRows}); if it throws, the target
 *   stays empty
 * @returns the number of rows
 * @throws CopyProblem when the target is not empty, refuses a row, or stores a different one
 */
export async function copyRows(
  from: RowSource,
  target: Target,
  onProgress: OnProgress = () => {},
  beforeCommit: (digest: string) => Promise<void> = async () => {},
): Promise<number> {
  const { tables, total } = from
  await using to = await openEmpty(target, from.lastMigration)
  let copiedRows = 0
  for (const table of tables)
    for await (const rows of from.rows(table)) {
      await insert(to, table, rows)
      copiedRows += rows.length
      onProgress('rows', copiedRows, total)
    }
  await setSequences(to, await from.readSequences())
  let checkedRows = 0
  const onChecked = (rows: number) => {
    checkedRows += rows
    onProgress('rows checked', checkedRows, 2 * total)
  }
  const checksums: Checksums = []
  for (const table of tables) {
    const checksum = await checksumOfTable(from, table, onChecked)
    if (checksum !== (await checksumOfTable(to, table, onChecked)))
      throw new CopyProblem(`The copy of the table "${table}" differs from the source`)
    checksums.push([table, checksum])
  }
  if (to.major > 0) await to.query('analyze')
  await beforeCommit(digestOf(checksums))
  await to.query(`delete from kysely_migration where name = '${UNFINISHED}'`)
  await to.query('commit')
  return total
}

/** Whether a database is a complete copy with the same rows. It must be a snapshot. */
export async function hasSameRows(from: RowSource, other: RawDatabase): Promise<boolean> {
  const existing = await listTables(other)
  if (from.tables.some((table) => !existing.includes(table))) return false
  const counts = await countRows(other, from.tables)
  if (Object.values(counts).reduce((sum, count) => sum + count, 0) !== from.total) return false
  const { last, newer } = await readMigrations(other)
  if (last !== from.lastMigration || newer.length > 0) return false
  for (const table of from.tables)
    if ((await checksumOfTable(from, table)) !== (await checksumOfTable(other, table))) return false
  return true
}

type Checksums = [table: string, checksum: bigint][]

/** The same for the same rows, in any order and on both databases. */
export async function digestRows({ tables, rows }: RowSource): Promise<string> {
  const checksums: Checksums = []
  for (const table of tables) checksums.push([table, await checksumOfTable({ rows }, table)])
  return digestOf(checksums)
}

function digestOf(checksums: Checksums): string {
  return hash('sha256', checksums.map(String).toSorted().join())
}

/** Removes all rows of a blog on PostgreSQL. No other process may use it. */
export async function clearPostgres(database: RawDatabase): Promise<void> {
  const tables = (await listTables(database)).filter(
    (table) => !/^(?:kysely_|cacheTag$)/.test(table),
  )
  await database.query('begin')
  // A trigger keeps Activity from being removed.
  await database.query('alter table activity disable trigger user')
  await database.query(`truncate ${tables.map((name) => `"${name}"`).join(', ')} restart identity`)
  await database.query('alter table activity enable trigger user')
  await database.query('commit')
}

/** The tables that are copied, in an order that foreign keys allow. */
async function listCopiedTables(database: RawDatabase): Promise<string[]> {
  const references = await database.query(
    database.major === 0
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
  for (const table of await listTables(database)) if (!NOT_COPIED.test(table)) add(table)
  return [...sorted]
}

/** @throws CopyProblem when a newer program, or one that is too old, has written the database */
export async function requireKnownMigrations(database: RawDatabase) {
  const { newer, isTooOld, ...known } = await readMigrations(database)
  if (isTooOld) throw new CopyProblem(TOO_OLD)
  if (newer.length === 0) return known
  throw new CopyProblem(
    `It was made by a newer program (with ${newer.join(', ')}): update this one`,
  )
}

/**
 * @throws CopyProblem when the server cannot be reached, or has other connections of the same user
 */
export async function openExclusive(url: string): Promise<RawDatabase> {
  const database = await openPostgres(url).catch((cause: unknown) => {
    throw new CopyProblem(`${nameOf(url)} cannot be reached`, { cause })
  })
  return await closeOnError(database, () => requireNoOtherConnections(database, url))
}

/** @throws CopyProblem when there are other connections of the same user */
export async function requireNoOtherConnections(database: RawDatabase, url: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await database.query('select pg_stat_clear_snapshot()')
    const [row] = await database.query(
      `select count(*) as "n" from pg_stat_activity where datname = current_database()
         and usename = current_user and pid <> pg_backend_pid()`,
    )
    if (Number(row?.n) === 0) return
    if (attempt === CONNECTION_CHECKS_MAX)
      throw new CopyProblem(
        `${nameOf(url)} is in use (${row?.n} connections of this user): stop every server`,
      )
    // A closed connection stays listed for a moment.
    await delay(CONNECTION_CHECK_EVERY_MS)
  }
}

function nameOf(url: string): string {
  const { hostname, pathname } = new URL(url)
  return `PostgreSQL at ${hostname || 'localhost'}${pathname}`
}

/**
 * Begins a transaction; on PostgreSQL no other connection can write to copied tables until it ends.
 */
export async function beginExclusive(database: RawDatabase, begin = 'begin'): Promise<void> {
  const tables = (await listCopiedTables(database)).map((name) => `"${name}"`).join(', ')
  await database.query(begin)
  if (database.major > 0) await database.query(`lock table ${tables} in exclusive mode`)
}

/** @throws CopyProblem when PostgreSQL has any table, or a blog whose tables are not all empty */
export async function requireEmptyDatabase(database: RawDatabase): Promise<void> {
  const table = await findFilledTable(database)
  if (table !== undefined)
    throw new CopyProblem(`The new database is not empty: it has the table "${table}"`)
}

/** A table with rows of a blog, or any table of another program; undefined if there is none. */
export async function findFilledTable(database: RawDatabase): Promise<string | undefined> {
  const tables = await listTables(database)
  if (!tables.includes('kysely_migration')) return tables[0]
  for (const table of await listCopiedTables(database)) {
    // A server that was started, but not set up, has only the code for that.
    const condition = table === 'siteValue' ? ` where ${IS_NO_SETUP_CODE}` : ''
    const rows = await database.query(`select 1 from "${table}"${condition} limit 1`)
    if (rows.length > 0) return table
  }
  return undefined
}

/** Opens the target with empty tables, inside the transaction that fills them. */
async function openEmpty({ folder, databaseUrl }: Target, upTo: string | undefined) {
  const path = join(folder, SQLITE_FILE)
  if (databaseUrl === undefined) {
    for (const end of ['', '-wal', '-shm']) await rm(path + end, { force: true })
    await mkdir(folder, { recursive: true, mode: 0o700 })
  } else {
    await using database = await openExclusive(databaseUrl)
    await requireEmptyDatabase(database)
    if ((await listTables(database)).includes('kysely_migration'))
      await database.query(`delete from kysely_migration where name = '${UNFINISHED}'`)
  }
  // A backup from before an older version's database was converted has the old tables.
  const isOld = upTo === LAST_OLD_MIGRATION
  const migrated = await openDatabase({
    dataDir: folder,
    databaseUrl,
    upTo: isOld ? BASELINE : upTo,
  })
  if (isOld) await makeOldDatabase(migrated)
  await migrated.destroy()
  const opened =
    databaseUrl === undefined ? openSqliteToFill(path) : await openExclusive(databaseUrl)
  return await closeOnError(opened, async (database) => {
    await database.query(
      `insert into kysely_migration (name, timestamp) values ('${UNFINISHED}', '')`,
    )
    await beginExclusive(database)
    if ((await listTables(database)).includes('siteValue'))
      await database.query('delete from "siteValue"')
  })
}

/**
 * Gives a complete copy its name in the data folder, which replaces a database there.
 *
 * @param beforeRename the copy is durable then
 */
export async function putInPlace(staged: string, dataDir: string, beforeRename = () => {}) {
  const path = join(dataDir, SQLITE_FILE)
  await makePrivateAndDurable(staged)
  await chownToOwnerOf(dataDir, staged)
  beforeRename()
  for (const end of ['-wal', '-shm']) await rm(path + end, { force: true })
  await rename(staged, path)
  await syncPath(dataDir)
}

async function insert(database: RawDatabase, table: string, rows: Row[]): Promise<void> {
  const columns = columnsOf(rows[0])
  const values = rows.flatMap((row) => columns.map((column) => row[column] ?? null))
  const placeholders = rows.map(
    (_, rowIndex) =>
      `(${columns.map((_, index) => `$${rowIndex * columns.length + index + 1}`).join(', ')})`,
  )
  // The copy keeps the values of `seq`.
  const overriding = database.major > 0 && columns.includes('seq') ? 'overriding system value' : ''
  const names = columns.map((name) => `"${name}"`).join(', ')
  const sql = `insert into "${table}" (${names}) ${overriding} values ${placeholders.join(', ')}`
  await database.query(sql, values).catch((cause: unknown) => {
    const first = values[0]
    const last = values.at(-columns.length)
    const range = `rows "${first}" to "${last}" of the table "${table}"`
    throw new CopyProblem(`The new database refuses ${range}`, { cause })
  })
}

/** All columns but the counter `likes`, which triggers update while the likes are copied. */
function columnsOf(row: Row | undefined): string[] {
  return Object.keys(row ?? {}).filter((name) => name !== 'likes')
}

/** The last `seq` that each table has given. */
export async function readSequences({ major, query }: RawDatabase): Promise<Row[]> {
  const sequences = await query(
    major === 0
      ? 'select name, seq from sqlite_sequence order by name'
      : `select table_name as name, pg_sequence_last_value(
             pg_get_serial_sequence(quote_ident(table_name), 'seq')::regclass) as seq
           from information_schema.columns
           where table_schema = current_schema() and column_name = 'seq' and is_identity = 'YES'`,
  )
  return sequences.filter(({ seq }) => Number(seq) > 0)
}

/** Makes the next row of each table get the same `seq` as it would in the source. */
async function setSequences(to: RawDatabase, sequences: Row[]): Promise<void> {
  for (const { name = '', seq = 0 } of sequences)
    if (to.major > 0)
      await to.query(`select setval(pg_get_serial_sequence('"${name}"', 'seq'), $1)`, [seq])
    else {
      await to.query('delete from sqlite_sequence where name = $1', [name])
      await to.query('insert into sqlite_sequence (name, seq) values ($1, $2)', [name, Number(seq)])
    }
}

/** A checksum of rows, independent of their order and of the database. */
async function checksumOfTable(
  database: Pick<RawDatabase, 'rows'>,
  table: string,
  onProgress: (rows: number) => void = () => {},
): Promise<bigint> {
  let sum = 0n
  for await (const rows of database.rows(table)) {
    for (const row of rows) {
      const values = columnsOf(row)
        .toSorted()
        .map((name) => textOf(row[name] ?? null))
      sum += BigInt(`0x${hash('sha256', JSON.stringify(values))}`)
    }
    onProgress(rows.length)
  }
  return sum
}

/** The same text for both databases: PostgreSQL returns some numbers as text. */
function textOf(value: Value): string | null {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return value === null ? null : String(value)
}
