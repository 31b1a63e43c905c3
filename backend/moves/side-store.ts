// One side of a move: a database of either kind, asked with plain SQL, so that bytes and numbers
// come and go as they are stored.
import { setTimeout as delay } from 'node:timers/promises'
import SqliteFile from 'better-sqlite3'
import { MoveProblem } from './problem.ts'

export type Value = string | number | bigint | Uint8Array | null
export type Row = Record<string, Value>

export type Side = AsyncDisposable & {
  isPostgres: boolean
  /** Parameters stand in the SQL as `mark(1)`, `mark(2)`, … in this order. */
  ask(sql: string, parameters?: Value[]): Promise<Row[]>
  mark(place: number): string
  tables(): Promise<string[]>
  columns(table: string): Promise<string[]>
}

const CONNECT_TIMEOUT_MS = 10_000
const LOOKS = 10
const LOOK_EVERY_MS = 100

/**
 * A database file to read, that no other process can open meanwhile. Nothing can be written to it.
 *
 * @throws MoveProblem when another process has it open, or there is none
 */
export function lockSqlite(path: string): Side {
  let file: SqliteFile.Database
  try {
    file = new SqliteFile(path, { fileMustExist: true, timeout: 0 })
  } catch (error) {
    throw new MoveProblem(`There is no database ${path} that can be opened`, { cause: error })
  }
  try {
    // Set before the first access, it locks the file itself: against readers, too.
    file.pragma('locking_mode = exclusive')
    file.pragma('query_only = on')
    file.exec('begin')
    file.prepare('select count(*) from sqlite_master').get()
  } catch (error) {
    file.close()
    const isBusy = error instanceof SqliteFile.SqliteError && error.code.startsWith('SQLITE_BUSY')
    if (!isBusy) throw error
    throw new MoveProblem(
      `${path} is in use: stop the server, and whatever else has it open, before the move`,
    )
  }
  return sqliteSide(file)
}

/** A new database file, or one that a move left. */
export function openSqliteToFill(path: string): Side {
  const file = new SqliteFile(path, { timeout: 0 })
  file.pragma('foreign_keys = on')
  // After a crash the last batches may be missing, and are copied again.
  file.pragma('synchronous = normal')
  return sqliteSide(file)
}

function sqliteSide(file: SqliteFile.Database): Side {
  const prepared = new Map<string, SqliteFile.Statement<Value[]>>()
  const prepare = (sql: string) => {
    const known = prepared.get(sql) ?? file.prepare<Value[]>(sql)
    prepared.set(sql, known)
    return known
  }
  return {
    isPostgres: false,
    async ask(sql, parameters = []) {
      const statement = prepare(sql)
      if (statement.reader) return statement.all(...parameters) as Row[]
      statement.run(...parameters)
      return []
    },
    mark: () => '?',
    async tables() {
      // The index of words has tables of its own.
      const rows = file.prepare(
        `select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'
           and name not like 'postSearch%'`,
      )
      return rows.pluck().all() as string[]
    },
    async columns(table) {
      return file.prepare('select name from pragma_table_info(?)').pluck().all(table) as string[]
    },
    async [Symbol.asyncDispose]() {
      file.close()
    },
  }
}

/**
 * @param options `isSnapshot`: everything is read as it was at one moment, and nothing can be
 *   written; `ownOthers`: how many connections of the move itself there are already
 * @throws MoveProblem when it cannot be reached, or others are connected as the same user
 */
export async function openPostgres(
  url: string,
  { isSnapshot, ownOthers = 0 }: { isSnapshot: boolean; ownOthers?: number },
): Promise<Side> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  // A connection that breaks is told of by the query that needed it.
  client.on('error', () => {})
  const { hostname, pathname } = new URL(url)
  const name = `PostgreSQL at ${hostname || 'localhost'}${pathname}`
  try {
    await client.connect()
  } catch (error) {
    throw new MoveProblem(`${name} cannot be reached`, { cause: error })
  }
  const ask: Side['ask'] = async (sql, parameters = []) =>
    (await client.query(sql, parameters)).rows
  try {
    await ask('set statement_timeout = 0')
    await ask('set idle_in_transaction_session_timeout = 0')
    const others = await countOthers(ask, ownOthers)
    if (others > 0)
      throw new MoveProblem(
        `${name} is in use (${others} other connections of the same user): stop every server on it before the move`,
      )
    // After a crash the last batches may be missing, and are copied again.
    await ask('set synchronous_commit = off')
    if (isSnapshot) await ask('begin isolation level repeatable read read only')
  } catch (error) {
    await client.end()
    throw error
  }
  return {
    isPostgres: true,
    ask,
    mark: (place) => `$${place}`,
    tables: async () => {
      const rows = await ask('select tablename from pg_tables where schemaname = current_schema()')
      return rows.map(({ tablename }) => String(tablename))
    },
    columns: async (table) => {
      const rows = await ask(
        `select column_name from information_schema.columns
           where table_schema = current_schema() and table_name = $1`,
        [table],
      )
      return rows.map((row) => String(row.column_name))
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}

/** Connections that have just been closed take a moment to be gone. */
async function countOthers(ask: Side['ask'], own: number): Promise<number> {
  for (let look = 1; ; look++) {
    const [row] = await ask(
      `select count(*) as "n" from pg_stat_activity where datname = current_database()
         and usename = current_user and pid <> pg_backend_pid()`,
    )
    const others = Number(row?.n) - own
    if (others <= 0 || look === LOOKS) return others
    await delay(LOOK_EVERY_MS)
  }
}
