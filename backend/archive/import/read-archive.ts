// Reads an archive of this program, which anybody may have written: verifies its checksums, then
// gives its rows, each checked against the columns of the database.
import type { Readable } from 'node:stream'
import { brotliDecompressSync } from 'node:zlib'
import { isId } from '#contract/ids.ts'
import { SITE_VALUE_RULES } from '#contract/site-settings.ts'
import { CopyProblem, type Hashes, hashAll, STORED_NAME } from '../../backups/backup-io.ts'
import type { RowSource } from '../../backups/copy-rows.ts'
import { listTables, type RawDatabase, type Row, type Value } from '../../backups/raw-database.ts'
import { checkSiteValues } from '../../operator/site-values.ts'
import { isDetailName, readDetail } from '../../posts/post-details.ts'
import { arrangeLinks, LINKS } from '../../site/blog-links.ts'
import { DATA_TABLES, FILE_CHECKSUM, SEQUENCES, VALUES_OF_ONE_HOST } from '../data-tables.ts'
import {
  CHECKSUMS,
  DATA_FOLDER,
  FILES_FOLDER,
  MANIFEST,
  type Manifest,
  readManifest,
} from '../manifest.ts'
import type { FileTree } from '../sources/source.ts'
import { type Column, readColumns } from '../table-columns.ts'
import { type Line, readLines } from './read-lines.ts'

/** More than any row of this program has: a post has at most a million characters. */
const ROW_MAX_BYTES = 16 * 1024 * 1024
const CHECKSUM_LINE_MAX_BYTES = 8192
const CHECKSUM_LINE = /^([0-9a-f]{64}) {2}(.+)$/
/** Of its description, which has a line for each column. */
const SCHEMA_MAX_LINES = 100_000
/** Of the text of a version, once it is decompressed. */
const VERSION_MAX_BYTES = 8 * 1024 * 1024
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif']
/** Tables whose ids are parts of URLs. */
const WITH_IDS = ['user', 'post', 'file', 'comment']
const CHECKSUM_COLUMN: Column = {
  name: FILE_CHECKSUM,
  type: 'text',
  isNullable: true,
  isKey: false,
}
const SCHEMA = `${DATA_FOLDER}/schema.json`

/** An archive whose checksums are right. */
export type Archive = {
  manifest: Manifest
  tree: FileTree
  /** The last migration of the database that was exported. */
  lastMigration: string
  /** The files of its folder `data`. */
  names: string[]
  /** The hashes of its files by their SHA-256. */
  files: ReadonlyMap<string, Hashes>
}

/** @throws CopyProblem when it is damaged, or no archive with data that this program can read */
export async function openArchive(
  tree: FileTree,
  onProgress: (done: number, total: number) => void,
): Promise<Archive> {
  const manifest = await readManifest(await openFile(tree, MANIFEST))
  if (!manifest.parts.includes('data'))
    throw new CopyProblem('It has no data: export the blog with --data')
  const names: string[] = []
  const files = new Map<string, Hashes>()
  let done = 0
  await verifyChecksumsFile(tree, manifest)
  for await (const lines of readChecksums(tree))
    for (const { number, text } of lines) {
      const [, sha256 = '', path = ''] = CHECKSUM_LINE.exec(text) ?? []
      if (sha256 === '') throw new CopyProblem(`Line ${number} of ${CHECKSUMS} cannot be read`)
      const [folder, name = ''] = path.split('/')
      onProgress(++done, manifest.files.count)
      if (folder !== DATA_FOLDER && folder !== FILES_FOLDER) continue
      const hashes = await hashAll(await openFile(tree, path))
      if (hashes.sha256 !== sha256 || path !== `${folder}/${name}`)
        throw new CopyProblem(`${path} is damaged: its checksum is not that of line ${number}`)
      if (folder === DATA_FOLDER) names.push(name)
      else if (name === sha256) files.set(sha256, hashes)
    }
  if (done !== manifest.files.count) throw new CopyProblem(`${CHECKSUMS} is not complete`)
  return { manifest, tree, names, lastMigration: await readLastMigration(tree), files }
}

async function openFile(tree: FileTree, path: string): Promise<Readable> {
  const stream = await tree.open(path)
  if (!stream) throw new CopyProblem(`It has no file ${path}`)
  return stream
}

async function verifyChecksumsFile(tree: FileTree, { files }: Manifest): Promise<void> {
  const { sha256 } = await hashAll(await openFile(tree, CHECKSUMS))
  if (sha256 !== files.checksumsSha256)
    throw new CopyProblem(`${CHECKSUMS} is damaged: its checksum is not that of ${MANIFEST}`)
}

async function* readChecksums(tree: FileTree): AsyncGenerator<Line[]> {
  const options = { name: CHECKSUMS, maxBytes: CHECKSUM_LINE_MAX_BYTES }
  yield* readLines(await openFile(tree, CHECKSUMS), options)
}

/** @throws CopyProblem when it does not name a migration */
async function readLastMigration(tree: FileTree): Promise<string> {
  const pieces: string[] = []
  const options = { name: SCHEMA, maxBytes: CHECKSUM_LINE_MAX_BYTES }
  for await (const lines of readLines(await openFile(tree, SCHEMA), options)) {
    pieces.push(...lines.map(({ text }) => text))
    if (pieces.length > SCHEMA_MAX_LINES) break
  }
  const schema = parseJson(pieces.join('\n')) as { lastMigration?: unknown } | null
  if (typeof schema?.lastMigration === 'string') return schema.lastMigration
  throw new CopyProblem(`${SCHEMA} does not say of which version the rows are`)
}

/** The rows of an archive and the last `seq` of each table. */
export type ArchiveRows = RowSource & {
  /** Rows of `file`, as they are in the archive. */
  fileRows(): AsyncGenerator<Row[]>
}

/**
 * Reads and checks every row.
 *
 * @param database an empty one, with the tables of the version that was exported
 * @throws CopyProblem that names the line which is not as it must be
 */
export async function checkRows(archive: Archive, database: RawDatabase): Promise<ArchiveRows> {
  const { manifest, names, lastMigration } = archive
  const existing = await listTables(database)
  const tables = Object.entries(DATA_TABLES)
    .filter(
      ([table, { isOfPeople }]) => existing.includes(table) && (manifest.hasPeople || !isOfPeople),
    )
    .map(([table]) => table)
  requireFiles(names, tables)
  const columns = new Map<string, Column[]>()
  for (const table of tables) columns.set(table, await readColumns(database, table))
  const read = (table: string) => readRows(archive, table, columns.get(table) ?? [])
  let total = 0
  for (const table of tables) {
    let count = 0
    for await (const rows of read(table)) count += rows.length
    if (count !== manifest.counts.data?.[table])
      throw new CopyProblem(`${fileOf(table)} has ${count} rows, and ${MANIFEST} counts others`)
    total += count
  }
  const sequences = await readSequences(archive, tables)
  return {
    tables,
    total,
    lastMigration,
    async *rows(table) {
      const { derived = {} } = DATA_TABLES[table] ?? {}
      for await (const rows of read(table)) yield rows.map((row) => toDatabaseRow(row, derived))
    },
    readSequences: async () => sequences,
    fileRows: () => read('file'),
  }
}

function toDatabaseRow(row: Row, derived: Readonly<Record<string, string>>): Row {
  const { [FILE_CHECKSUM]: _checksum, ...columns } = row
  return { ...columns, ...derived }
}

function requireFiles(names: readonly string[], tables: readonly string[]): void {
  const expected = [...tables, SEQUENCES].map((table) => `${table}.jsonl`).concat('schema.json')
  const missing = expected.find((name) => !names.includes(name))
  if (missing !== undefined) throw new CopyProblem(`It has no file ${DATA_FOLDER}/${missing}`)
  const unknown = names.find((name) => !expected.includes(name))
  if (unknown !== undefined)
    throw new CopyProblem(`This program does not know its file ${DATA_FOLDER}/${unknown}`)
}

function fileOf(table: string): string {
  return `${DATA_FOLDER}/${table}.jsonl`
}

async function* readRows(
  archive: Archive,
  table: string,
  columns: readonly Column[],
): AsyncGenerator<Row[]> {
  const name = fileOf(table)
  const lines = readLines(await openFile(archive.tree, name), { name, maxBytes: ROW_MAX_BYTES })
  for await (const batch of lines)
    yield batch.map(({ number, text }) => {
      const row = parseRow(parseJson(text), table, columns)
      const problem = typeof row === 'string' ? row : findProblem(archive, table, row)
      if (typeof row !== 'string' && problem === undefined) return row
      throw new CopyProblem(`Line ${number} of ${name} cannot be read: ${problem}`)
    })
}

async function readSequences({ tree }: Archive, tables: readonly string[]): Promise<Row[]> {
  const sequences: Row[] = []
  const name = fileOf(SEQUENCES)
  const lines = readLines(await openFile(tree, name), { name, maxBytes: ROW_MAX_BYTES })
  for await (const batch of lines)
    for (const { number, text } of batch) {
      const row = parseJson(text) as Row | null
      const isKnown = tables.includes(String(row?.name)) && sequences.length < tables.length
      if (!row || !isKnown || !Number.isSafeInteger(row.seq))
        throw new CopyProblem(`Line ${number} of ${name} cannot be read`)
      sequences.push({ name: String(row.name), seq: Number(row.seq) })
    }
  return sequences
}

/** @returns undefined for a text that is no JSON */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @returns why it is no row */
function parseRow(value: unknown, table: string, columns: readonly Column[]): Row | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'it is no JSON object'
  const object = value as Record<string, unknown>
  const row: Row = {}
  const all = table === 'file' ? [...columns, CHECKSUM_COLUMN] : columns
  for (const column of all) {
    const parsed = parseValue(object[column.name], column)
    if (parsed === undefined) return `"${column.name}" is no ${column.type}`
    row[column.name] = parsed
  }
  const unknown = Object.keys(object).find((name) => !Object.hasOwn(row, name))
  return unknown === undefined ? row : `this program does not know the column "${unknown}"`
}

/** @returns undefined for a value of another type */
function parseValue(value: unknown, { type, isNullable }: Column): Value | undefined {
  if (value === null) return isNullable ? null : undefined
  if (type === 'integer') return Number.isSafeInteger(value) ? (value as number) : undefined
  if (typeof value !== 'string' || !value.isWellFormed()) return undefined
  if (type === 'text') return value
  const bytes = Buffer.from(value, 'base64')
  return bytes.toString('base64') === value ? bytes : undefined
}

/** What the server relies on, beyond the types of columns. @returns why a row must be refused */
function findProblem({ files }: Archive, table: string, row: Row): string | undefined {
  for (const name of DATA_TABLES[table]?.json ?? [])
    if (row[name] !== '' && parseJson(String(row[name])) === undefined)
      return `"${name}" is no JSON`
  if (WITH_IDS.includes(table) && !isId(row.id)) return '"id" is no id'
  const time = Object.keys(row).find((name) => name.endsWith('At') && !isTime(row[name]))
  if (time !== undefined) return `"${time}" is no time`
  if (table === 'postDetails' && !areDetails(String(row.details))) return '"details" are none'
  if (table === 'siteValue' && !isSiteValue(row)) return `"${row.name}" has no such value`
  if (table === 'siteValue' && VALUES_OF_ONE_HOST.includes(String(row.name)))
    return `"${row.name}" belongs to one host`
  if (table === 'postVersion' && !isVersion(row)) return '"body" is no compressed text'
  if (table !== 'file') return undefined
  if (!STORED_NAME.test(String(row.storedName))) return '"storedName" is no name of bytes'
  if (!IMAGE_TYPES.includes(String(row.mimeType))) return '"mimeType" is no image'
  if (row.isComplete !== 1) return 'it is not complete'
  const checksum = row[FILE_CHECKSUM]
  const hashes = files.get(String(checksum))
  if (checksum === null || (hashes?.md5 === row.signature && hashes?.sizeBytes === row.sizeBytes))
    return undefined
  return hashes ? `its bytes are not those of ${checksum}` : `there is no file ${checksum}`
}

/** A path of the blog, or an address. */
const LINK = /^(?:https?:\/\/|\/(?![/\\]))/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

function isTime(value: Value | undefined): boolean {
  if (typeof value !== 'string' || value === '') return true
  return TIME.test(value) && !Number.isNaN(Date.parse(value))
}

function areDetails(json: string): boolean {
  try {
    const details = Object.entries(JSON.parse(json || '{}'))
    return details.every(([name, value]) => isDetailName(name) && readDetail(name, value) !== '')
  } catch {
    return false
  }
}

/** Values that pages show must be as operators may set them. */
function isSiteValue({ name, value }: Row): boolean {
  const text = String(value)
  if (name === 'logo') return /^[\w.-]{0,64}$/.test(text)
  try {
    if (name === LINKS) return arrangeLinks(text, []).every(({ to }) => LINK.test(to))
    if (!Object.hasOwn(SITE_VALUE_RULES, String(name))) return true
    checkSiteValues({ [String(name)]: text })
    return true
  } catch {
    return false
  }
}

/** A text that would fill the memory is refused. */
function isVersion({ body, textBytes }: Row): boolean {
  try {
    const text = brotliDecompressSync(body as Buffer, { maxOutputLength: VERSION_MAX_BYTES })
    return text.length === textBytes
  } catch {
    return false
  }
}
