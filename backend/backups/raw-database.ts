// A database of either kind for copies: queried with plain SQL, so that values stay as they are
// stored, and read while the server writes it.
import { existsSync } from 'node:fs'
import SqliteFile from 'better-sqlite3'
import { codeOf } from '../database/database-errors.ts'
import { CopyProblem, describeProblem } from './backup-io.ts'

export type Value = string | number | bigint | Uint8Array | null
export type Row = Record<string, Value>

export type Side = AsyncDisposable & {
  /** The server's version; 0 for SQLite. */
  major: number
  /** Parameters are in the SQL as `$1`, `$2`, … in this order. */
  ask(sql: string, parameters?: Value[]): Promise<Row[]>
  /** All rows of a table, a few at a time; on PostgreSQL in a transaction only. */
  rows(table: string): AsyncGenerator<Row[]>
  /** Writes the current state to a new file; SQLite only. */
  save?(path: string): Promise<void>
}

/** Without SQLite's own tables and the full-text index. */
const SQLITE_TABLES = `select name from pragma_table_list where schema = 'main' and type = 'table'
  and name not like 'sqlite\\_%' escape '\\' order by name`
const POSTGRES_TABLES =
  'select tablename as name from pg_tables where schemaname = current_schema() order by tablename'
const STEP_PAGES = 1000
/** Bodies may have a million characters each. */
const ROWS_BATCH_SIZE = 25
/** How long a start or a checkpoint of the server may hold the file. */
const BUSY_MS = 5000
const CONNECT_TIMEOUT_MS = 10_000

/**
 * Opens a file for reading, without a trace: when no other process has it open, the connection may
 * write only so that SQLite removes the companions `-wal` and `-shm` again that it makes.
 *
 * @throws Error when there is no such file, or it is no database
 */
export function openSqlite(path: string): Side {
  const options = { fileMustExist: true, timeout: BUSY_MS, readonly: existsSync(`${path}-wal`) }
  return sqliteSide(new SqliteFile(path, options), ['query_only = on'])
}

/**
 * A database file to read, that no other process can open meanwhile. Nothing can be written to it.
 *
 * @throws CopyProblem when another process has it open, or there is none
 */
export function lockSqlite(path: string): Side {
  try {
    const file = new SqliteFile(path, { fileMustExist: true, timeout: 0 })
    // Set before the first access, it locks the file itself: against readers, too.
    return sqliteSide(file, ['locking_mode = exclusive', 'query_only = on', 'schema_version'])
  } catch (cause) {
    if (!codeOf(cause).startsWith('SQLITE_BUSY'))
      throw new CopyProblem(`There is no database ${path} that can be opened`, { cause })
    throw new CopyProblem(`${path} is in use: stop the server and all else that has it open`)
  }
}

export async function listTables({ major, ask }: Side): Promise<string[]> {
  const rows = await ask(major === 0 ? SQLITE_TABLES : POSTGRES_TABLES)
  return rows.map(({ name }) => String(name))
}

/** Closes a database again if the check fails. */
export async function passing(side: Side, check: (side: Side) => Promise<unknown>): Promise<Side> {
  try {
    await check(side)
    return side
  } catch (error) {
    await side[Symbol.asyncDispose]()
    throw error
  }
}

/** A file to be filled; an incomplete one is discarded, so that it needs no journal. */
export function openSqliteToFill(path: string): Side {
  return sqliteSide(new SqliteFile(path), ['journal_mode = off', 'synchronous = off'])
}

/** From here on this connection reads the state of this moment, and cannot write. */
export async function freeze(side: Side): Promise<void> {
  await side.ask(side.major === 0 ? 'begin' : 'begin isolation level repeatable read read only')
  // A transaction reads the state of its first read.
  await listTables(side)
}

function sqliteSide(file: SqliteFile.Database, pragmas: string[]): Side {
  try {
    for (const pragma of pragmas) file.pragma(pragma)
    file.prepare(SQLITE_TABLES)
  } catch (error) {
    file.close()
    throw error
  }
  return {
    major: 0,
    async ask(text, parameters = []) {
      const statement = file.prepare<Value[]>(text.replaceAll(/\$\d+/g, '?'))
      if (statement.reader) return statement.all(...parameters) as Row[]
      statement.run(...parameters)
      return []
    },
    async *rows(table) {
      let some: Row[] = []
      for (const row of file.prepare<Value[], Row>(`select * from "${table}"`).iterate()) {
        if (some.push(row) < ROWS_BATCH_SIZE) continue
        yield some
        some = []
      }
      if (some.length > 0) yield some
    },
    async save(path) {
      // Writers go on: the open read keeps the copy from starting over with each of their changes.
      await file.backup(path, { progress: () => STEP_PAGES })
      const copy = new SqliteFile(path)
      // One file that needs no companions to be read.
      copy.pragma('journal_mode = delete')
      copy.close()
    },
    [Symbol.asyncDispose]: async () => void file.close(),
  }
}

/** @throws Error when it cannot be reached */
export async function openPostgres(url: string): Promise<Side> {
  const { default: pg } = await import('pg')
  const limits = { connectionTimeoutMillis: CONNECT_TIMEOUT_MS }
  const client = new pg.Client({ connectionString: url, ...limits })
  // The query that needs a broken connection fails.
  client.on('error', () => {})
  await client.connect()
  const ask: Side['ask'] = async (sql, parameters) => (await client.query(sql, parameters)).rows
  const side: Side = {
    major: 0,
    ask,
    async *rows(table) {
      await ask(`declare copied no scroll cursor for select * from "${table}"`)
      for (;;) {
        const rows = await ask(`fetch ${ROWS_BATCH_SIZE} from copied`)
        if (rows.length === 0) break
        yield rows
      }
      await ask('close copied')
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
  return await passing(side, async () => {
    // The transaction lasts as long as the copy.
    await ask('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    const [version] = await ask('show server_version_num')
    side.major = Math.trunc(Number(version?.server_version_num) / 10_000)
  })
}

/** Reads all of a database. @returns what is wrong, a line for each, with the names of tables */
export async function findDamages(side: Side): Promise<string[]> {
  const { major, ask } = side
  const isSqlite = major === 0
  /** @returns lines; none when what is asked for is sound */
  const check = async (sql: string): Promise<string[]> => {
    try {
      return (await ask(sql)).map(({ line }) => String(line)).filter((line) => line !== 'ok')
    } catch (error) {
      return [describeProblem(error)]
    }
  }
  const integrity = 'select integrity_check as line from pragma_integrity_check'
  const found = isSqlite ? await check(integrity) : []
  if (isSqlite && found.length === 0) {
    const orphans = await ask('select distinct "table" from pragma_foreign_key_check')
    return orphans.map(({ table }) => `rows of "${table}" refer to rows that are missing`)
  }
  const damaged: string[] = []
  for (const table of await listTables(side)) {
    const read = `select 'ok' as line, sum(length(row::text)) from "${table}" as row`
    const [line] = await check(isSqlite ? `${integrity}('${table}')` : read)
    if (line !== undefined) damaged.push(`the table "${table}" is damaged (${line})`)
  }
  return damaged.length > 0 ? damaged : found
}
