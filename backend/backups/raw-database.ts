// A SQLite or PostgreSQL database for backups, moves and the doctor: queried with plain SQL, so
// that values stay as they are stored, and read while the server writes to it.
import { existsSync } from 'node:fs'
import SqliteFile from 'better-sqlite3'
import { codeOf } from '../database/database-errors.ts'
import { CopyProblem, describeProblem } from './backup-io.ts'

export type Value = string | number | bigint | Uint8Array | null
export type Row = Record<string, Value>

/** Parts of a query in SQL. By default it has all rows of a table, in any order. */
export type Selection = {
  columns?: readonly string[]
  where?: string | undefined
  orderBy?: string
}

export type RawDatabase = AsyncDisposable & {
  /** The major version of PostgreSQL; 0 for SQLite. */
  major: number
  /** Parameters are in the SQL as `$1`, `$2`, … in this order. */
  query(sql: string, parameters?: Value[]): Promise<Row[]>
  /** Rows of a table, a few at a time; on PostgreSQL in a transaction only. */
  rows(table: string, selection?: Selection): AsyncGenerator<Row[]>
  /** Writes the current state to a new file; SQLite only. */
  save?(path: string): Promise<void>
}

/** Without SQLite's own tables and the full-text index. */
const SQLITE_TABLES = `select name from pragma_table_list where schema = 'main' and type = 'table'
  and name not like 'sqlite\\_%' escape '\\' order by name`
const POSTGRES_TABLES =
  'select tablename as name from pg_tables where schemaname = current_schema() order by tablename'
const STEP_PAGES = 1000
/** Few rows at a time, because bodies may have a million characters each. */
const ROWS_BATCH_SIZE = 25
/** How long a start or a checkpoint of the server may lock the file. */
const BUSY_MS = 5000
const CONNECT_TIMEOUT_MS = 10_000

/**
 * Opens a file for reading and leaves no files behind: when no other process has it open, the
 * connection is writable, so that SQLite removes the files `-wal` and `-shm` that it creates.
 *
 * @throws Error when there is no such file, or it is not a database
 */
export function openSqlite(path: string): RawDatabase {
  const options = { fileMustExist: true, timeout: BUSY_MS, readonly: existsSync(`${path}-wal`) }
  return makeSqliteDatabase(new SqliteFile(path, options), ['query_only = on'])
}

/**
 * Opens a database file for reading, and locks it: no other process can open it meanwhile.
 *
 * @throws CopyProblem when another process has the file open, or it does not exist
 */
export function lockSqlite(path: string): RawDatabase {
  try {
    const file = new SqliteFile(path, { fileMustExist: true, timeout: 0 })
    // Set before the first access, this mode also locks the file against readers.
    return makeSqliteDatabase(file, [
      'locking_mode = exclusive',
      'query_only = on',
      'schema_version',
    ])
  } catch (cause) {
    if (!codeOf(cause).startsWith('SQLITE_BUSY'))
      throw new CopyProblem(`There is no database ${path} that can be opened`, { cause })
    throw new CopyProblem(`${path} is in use: stop the server and all else that has it open`)
  }
}

export async function listTables({ major, query }: RawDatabase): Promise<string[]> {
  const rows = await query(major === 0 ? SQLITE_TABLES : POSTGRES_TABLES)
  return rows.map(({ name }) => String(name))
}

/** Runs a check on an open database, and closes the database if the check throws. */
export async function closeOnError(
  database: RawDatabase,
  check: (database: RawDatabase) => Promise<unknown>,
): Promise<RawDatabase> {
  try {
    await check(database)
    return database
  } catch (error) {
    await database[Symbol.asyncDispose]()
    throw error
  }
}

/** Opens a new file for writing. It has no journal: an incomplete file is discarded. */
export function openSqliteToFill(path: string): RawDatabase {
  return makeSqliteDatabase(new SqliteFile(path), ['journal_mode = off', 'synchronous = off'])
}

/** From now on the connection reads the state of this moment, and cannot write. */
export async function beginSnapshot(database: RawDatabase): Promise<void> {
  await database.query(
    database.major === 0 ? 'begin' : 'begin isolation level repeatable read read only',
  )
  // The first read of a transaction sets the state that it sees.
  await listTables(database)
}

function makeSqliteDatabase(file: SqliteFile.Database, pragmas: string[]): RawDatabase {
  try {
    for (const pragma of pragmas) file.pragma(pragma)
    file.prepare(SQLITE_TABLES)
  } catch (error) {
    file.close()
    throw error
  }
  return {
    major: 0,
    async query(text, parameters = []) {
      const statement = file.prepare<Value[]>(text.replaceAll(/\$\d+/g, '?'))
      if (statement.reader) return statement.all(...parameters) as Row[]
      statement.run(...parameters)
      return []
    },
    async *rows(table, selection = {}) {
      let batch: Row[] = []
      const statement = file.prepare<Value[], Row>(toSelect(table, selection))
      for (const row of statement.iterate()) {
        if (batch.push(row) < ROWS_BATCH_SIZE) continue
        yield batch
        batch = []
      }
      if (batch.length > 0) yield batch
    },
    async save(path) {
      // The server may write meanwhile. The open read transaction keeps SQLite from restarting the
      // copy after each write.
      await file.backup(path, { progress: () => STEP_PAGES })
      const copy = new SqliteFile(path)
      // A single file, which can be read without `-wal` and `-shm`.
      copy.pragma('journal_mode = delete')
      copy.close()
    },
    [Symbol.asyncDispose]: async () => void file.close(),
  }
}

function toSelect(table: string, { columns = [], where, orderBy }: Selection): string {
  return [
    `select ${[`"${table}".*`, ...columns].join(', ')} from "${table}"`,
    ...(where === undefined ? [] : [`where ${where}`]),
    ...(orderBy === undefined ? [] : [`order by ${orderBy}`]),
  ].join(' ')
}

/** @throws Error when the server cannot be reached */
export async function openPostgres(url: string): Promise<RawDatabase> {
  const { default: pg } = await import('pg')
  const limits = { connectionTimeoutMillis: CONNECT_TIMEOUT_MS }
  const client = new pg.Client({ connectionString: url, ...limits })
  // A broken connection is reported by the query that uses it.
  client.on('error', () => {})
  await client.connect()
  const query: RawDatabase['query'] = async (sql, parameters) =>
    (await client.query(sql, parameters)).rows
  const database: RawDatabase = {
    major: 0,
    query,
    async *rows(table, selection = {}) {
      const select = toSelect(table, selection)
      await query(`declare copied no scroll cursor for ${select}`)
      for (;;) {
        const rows = await query(`fetch ${ROWS_BATCH_SIZE} from copied`)
        if (rows.length === 0) break
        yield rows
      }
      await query('close copied')
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
  return await closeOnError(database, async () => {
    // The copy runs in one transaction, which may take hours.
    await query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    const [version] = await query('show server_version_num')
    database.major = Math.trunc(Number(version?.server_version_num) / 10_000)
  })
}

/** Reads a whole database. @returns a line for each fault, with the name of the table */
export async function findDamage(database: RawDatabase): Promise<string[]> {
  const { major, query } = database
  const isSqlite = major === 0
  /** @returns a line for each fault */
  const check = async (sql: string): Promise<string[]> => {
    try {
      return (await query(sql)).map(({ line }) => String(line)).filter((line) => line !== 'ok')
    } catch (error) {
      return [describeProblem(error)]
    }
  }
  const integrity = 'select integrity_check as line from pragma_integrity_check'
  const faults = isSqlite ? await check(integrity) : []
  if (isSqlite && faults.length === 0) {
    const orphans = await query('select distinct "table" from pragma_foreign_key_check')
    return orphans.map(({ table }) => `rows of "${table}" refer to rows that are missing`)
  }
  const damaged: string[] = []
  for (const table of await listTables(database)) {
    const read = `select 'ok' as line, sum(length(row::text)) from "${table}" as row`
    const [line] = await check(isSqlite ? `${integrity}('${table}')` : read)
    if (line !== undefined) damaged.push(`the table "${table}" is damaged (${line})`)
  }
  return damaged.length > 0 ? damaged : faults
}
