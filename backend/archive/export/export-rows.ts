// Writes the rows of one snapshot of the database as JSON lines, and their description. The same
// rows give the same bytes, whatever database they are in.
import { mkdir, open, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makePlaceholderEmail } from '../../accounts/placeholder-email.ts'
import { isRetired } from '../../accounts/users.ts'
import { CopyProblem, makePrivateAndDurable } from '../../backups/backup-io.ts'
import { readMigrations } from '../../backups/blog-contents.ts'
import { readSequences } from '../../backups/copy-rows.ts'
import type { RawDatabase, Row, Value } from '../../backups/raw-database.ts'
import {
  DATA_TABLES,
  FILE_CHECKSUM,
  NAME_COLUMN,
  NOT_IN_AN_ARCHIVE,
  SEQUENCES,
} from '../data-tables.ts'
import { DATA_FOLDER, FILES_FOLDER, FORMAT } from '../manifest.ts'
import { type Column, orderOf, readColumns } from '../table-columns.ts'
import { type RowSelections, selectRows } from './selected-rows-store.ts'

/** Lines are written together, unless they are long. */
const WRITE_CHARS = 256 * 1024

export type RowsTask = {
  folder: string
  hasPeople: boolean
  ownerId: string | undefined
  /** The checksum of each file by the name of its bytes; null if they are lost. */
  checksums: ReadonlyMap<string, string | null>
  onRows(count: number): void
}

/** The tables of an archive, in its order. */
export function listExportedTables(task: Pick<RowsTask, 'hasPeople' | 'ownerId'>) {
  const { hasTable } = selectRows(task)
  const isExported = (table: string) => task.hasPeople || !DATA_TABLES[table]?.isOfPeople
  return Object.keys(DATA_TABLES).filter((table) => hasTable(table) && isExported(table))
}

/** @returns the number of rows of each table */
export async function exportRows(
  database: RawDatabase,
  task: RowsTask,
): Promise<Record<string, number>> {
  const folder = join(task.folder, DATA_FOLDER)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true })
  const selections = selectRows(task)
  const counts: Record<string, number> = {}
  const described: Record<string, object> = {}
  for (const table of listExportedTables(task)) {
    const columns = await readColumns(database, table)
    const allColumns = [...columns, ...furtherColumns(table, task.ownerId)]
    const lines = linesOf(database, table, columns, allColumns, { task, selections })
    counts[table] = await writeLines(join(folder, `${table}.jsonl`), lines, task.onRows)
    described[table] = describeTable(table, allColumns)
  }
  const tables = Object.keys(counts)
  if (task.ownerId === undefined) {
    const sequences = (await readSequences(database))
      .map(({ name, seq }) => ({ name: String(name), seq: Number(seq) }))
      .filter(({ name }) => tables.includes(name))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const lines = sequences.map((sequence) => `${JSON.stringify(sequence)}\n`)
    await writeLines(join(folder, `${SEQUENCES}.jsonl`), lines, () => {})
  }
  const { last } = await readMigrations(database)
  const path = join(folder, 'schema.json')
  await writeFile(path, `${JSON.stringify(describe(last, described), null, 2)}\n`)
  await makePrivateAndDurable(path)
  return counts
}

type LinesOptions = { task: RowsTask; selections: RowSelections }

async function* linesOf(
  database: RawDatabase,
  table: string,
  columns: readonly Column[],
  allColumns: readonly Column[],
  { task, selections }: LinesOptions,
) {
  const selection = selections.of(table, orderOf(database, columns))
  for await (const rows of database.rows(table, selection)) {
    for (const row of rows) {
      if (table === 'user' && !task.hasPeople) hidePerson(row)
      if (table === 'file') row[FILE_CHECKSUM] = task.checksums.get(String(row.storedName)) ?? null
      yield `${JSON.stringify(toObject(table, allColumns, row))}\n`
    }
  }
}

/** Columns that are not in the database. */
function furtherColumns(table: string, ownerId: string | undefined): Column[] {
  const further = (name: string): Column[] => [
    { name, type: 'text', isNullable: true, isKey: false },
  ]
  if (table === 'file') return further(FILE_CHECKSUM)
  return ownerId !== undefined && ['comment', 'postLike'].includes(table)
    ? further(NAME_COLUMN)
    : []
}

/** An account stays as visible as it was, see `isPubliclyVisible` of accounts/users.ts. */
function hidePerson(row: Row): void {
  row.isVerified = Number(row.isVerified === 1 || row.passwordHash !== null)
  row.passwordHash = null
  row.passwordUpdatedAt = null
  row.passwordSetBy = ''
  if (!isRetired({ email: String(row.email) })) row.email = makePlaceholderEmail(String(row.id))
}

function toObject(table: string, columns: readonly Column[], row: Row) {
  const object: Record<string, string | number | null> = {}
  for (const column of columns)
    object[column.name] = toJson(table, column, row[column.name] ?? null)
  return object
}

/** PostgreSQL returns large integers as text. */
function toJson(table: string, { name, type }: Column, value: Value): string | number | null {
  if (value === null) return null
  if (type === 'bytes' && value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (type === 'text' && typeof value === 'string') return value
  const number = type === 'integer' ? Number(value) : Number.NaN
  if (Number.isSafeInteger(number)) return number
  throw new CopyProblem(`The table "${table}" has a row whose column "${name}" is no ${type}`)
}

async function writeLines(
  path: string,
  lines: AsyncIterable<string> | Iterable<string>,
  onRows: (count: number) => void,
): Promise<number> {
  await using file = await open(path, 'w', 0o600)
  let count = 0
  let waiting: string[] = []
  let waitingChars = 0
  const write = async () => {
    if (waiting.length === 0) return
    await file.writeFile(waiting.join(''))
    onRows(waiting.length)
    waiting = []
    waitingChars = 0
  }
  for await (const line of lines) {
    count++
    waiting.push(line)
    waitingChars += line.length
    if (waitingChars >= WRITE_CHARS) await write()
  }
  await write()
  await file.sync()
  return count
}

function describeTable(table: string, columns: readonly Column[]) {
  const { meaning, derived } = DATA_TABLES[table] ?? {}
  return {
    meaning,
    file: `${DATA_FOLDER}/${table}.jsonl`,
    columns: columns.map(({ name, type, isNullable, isKey }) => ({
      name,
      type,
      isNullable,
      isKey,
    })),
    leftOut: Object.keys(derived ?? {}),
  }
}

function describe(lastMigration: string | undefined, tables: Record<string, object>) {
  return {
    format: FORMAT,
    lastMigration,
    lines: 'Each file has a JSON object in each line, in the order of its key by bytes of UTF-8.',
    types: {
      text: 'A text. Times are ISO 8601 in UTC; an empty text is no time.',
      integer: 'A whole number; 0 and 1 for no and yes.',
      bytes: 'Base64.',
    },
    files: `The bytes of files are in the folder ${FILES_FOLDER}, named by their SHA-256.`,
    sequences: `${DATA_FOLDER}/${SEQUENCES}.jsonl has the last seq that each table has given.`,
    people: 'Without people, users have no password, and an address that no mail reaches.',
    tables,
    notInAnArchive: NOT_IN_AN_ARCHIVE,
  }
}
