// SQLite for backups: reads a database beside the server that writes it, copies it by SQLite's own
// backup, and checks a copy.
import { access } from 'node:fs/promises'
import SqliteFile from 'better-sqlite3'
import { settleFile } from './bytes.ts'
import type { Ask } from './rows-store.ts'

const STEP_PAGES = 1000
/** How long a start or a checkpoint of the server may hold the file. */
const BUSY_MS = 5000

/** Reads one database file, at one moment when `isSnapshot`. */
export type SqliteReader = Disposable & { ask: Ask; tables(): string[]; file: SqliteFile.Database }

/**
 * Opens for reading, without a trace: when no other process has the file open, the connection may
 * write only so that SQLite removes the companions `-wal` and `-shm` again that it makes.
 *
 * @throws Error when there is no such file, or it is no database
 */
export async function openSqliteReader(
  path: string,
  { isSnapshot }: { isSnapshot: boolean },
): Promise<SqliteReader> {
  const isOpenElsewhere = await access(`${path}-wal`).then(
    () => true,
    () => false,
  )
  const file = open(path, isOpenElsewhere)
  try {
    file.pragma('query_only = on')
    if (isSnapshot) {
      file.exec('begin')
      // The moment of a transaction is that of its first read.
      file.prepare('select count(*) from sqlite_master').get()
    }
  } catch (error) {
    file.close()
    throw error
  }
  const tables = file
    .prepare(
      `select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'
         and sql not like 'create virtual %' order by name`,
    )
    .pluck()
  return {
    file,
    ask: async (sql) => file.prepare(sql).all() as Record<string, unknown>[],
    tables: () => tables.all() as string[],
    [Symbol.dispose]: () => void file.close(),
  }
}

function open(path: string, isReadOnly: boolean): SqliteFile.Database {
  const options = { fileMustExist: true, timeout: BUSY_MS }
  try {
    return new SqliteFile(path, { ...options, readonly: isReadOnly })
  } catch (error) {
    if (isReadOnly) throw error
    return new SqliteFile(path, { ...options, readonly: true })
  }
}

/**
 * Copies the database as it was at the reader's moment. Writers go on meanwhile: the open read
 * keeps the copy from starting over with each of their changes.
 */
export async function copySqlite({ file }: SqliteReader, path: string): Promise<void> {
  await file.backup(path, { progress: () => STEP_PAGES })
  const copy = new SqliteFile(path)
  try {
    // One file that needs no companions to be read.
    copy.pragma('journal_mode = delete')
  } finally {
    copy.close()
  }
  await settleFile(path)
}

/** @returns what is wrong with the database, a line for each, with the names of tables */
export function checkSqlite(reader: SqliteReader): string[] {
  const { file } = reader
  const found = askIntegrity(file, '')
  if (found.length > 0) {
    const tables = damagedTables(reader)
    return tables.length > 0
      ? tables.map(([table, line]) => `the table "${table}" is damaged (${line})`)
      : found
  }
  const orphans = file.pragma('foreign_key_check') as { table: string }[]
  const tables = [...new Set(orphans.map(({ table }) => table))]
  return tables.map((table) => `rows of "${table}" refer to rows that are missing`)
}

/** @param table empty for the whole database. @returns lines; none when it is sound */
function askIntegrity(file: SqliteFile.Database, table: string): string[] {
  const scope = table === '' ? '' : `("${table.replaceAll('"', '""')}")`
  try {
    const found = file.pragma(`integrity_check${scope}`) as { integrity_check: string }[]
    return found.map((row) => row.integrity_check).filter((line) => line !== 'ok')
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

function damagedTables({ file, tables }: SqliteReader): [table: string, line: string][] {
  try {
    return tables().flatMap((table): [string, string][] => {
      const [line] = askIntegrity(file, table)
      return line === undefined ? [] : [[table, line]]
    })
  } catch {
    // The list of tables itself is what cannot be read.
    return []
  }
}
