// Reads the contents of a blog for backups, moves and the doctor: its database, which an older
// program may have written, its files, and the secrets in the data folder.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { listMigrations } from '../database/database.ts'
import { isOldMigration, isTooOld } from '../database/old-database.ts'
import { makeBlobStores } from '../files/blob-stores.ts'
import type { Config } from '../settings/config.ts'
import { listTables, openPostgres, openSqlite, type RawDatabase, type Row } from './raw-database.ts'

/** Where a blog stores its data, according to its settings. */
export type StorageConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 's3'>

export const SQLITE_FILE = 'blog.sqlite'
/** The folders of complete files, and of chunks of unfinished uploads, in the data folder. */
export const FILE_FOLDERS = ['files', 'uploads'] as const
export type FileFolder = (typeof FILE_FOLDERS)[number]
/** Files of the data folder that are not secrets: the database, and files being written. */
const NOT_SECRET = /^(?:blog\.sqlite.*|\..*|.*\.new)$/

/**
 * Opens the database for reading, even while a server writes to it.
 *
 * @throws Error when it cannot be opened
 */
export async function openRawDatabase({
  dataDir,
  databaseUrl,
}: StorageConfig): Promise<RawDatabase> {
  return databaseUrl ? await openPostgres(databaseUrl) : openSqlite(join(dataDir, SQLITE_FILE))
}

/** @returns which of these stored names a row refers to now */
export async function findNamesInUse(storage: StorageConfig, names: string[]): Promise<string[]> {
  if (names.length === 0) return []
  await using database = await openRawDatabase(storage)
  const { files, uploads } = await findBytes(database)
  const usedNames = new Set([...files, ...uploads].map(({ name }) => name))
  return names.filter((name) => usedNames.has(name))
}

/** The stores of complete files, and of the chunks of unfinished uploads. */
export function openBlobStores({ dataDir, s3, databaseUrl }: StorageConfig) {
  const stores = makeBlobStores({ dataDir, s3, isShared: databaseUrl !== undefined })
  return { files: stores.blobStore, uploads: stores.chunks }
}

/** The names of the secrets: of all files directly in the data folder but those of the database. */
export async function listSecrets(dataDir: string): Promise<string[]> {
  const entries = await readdir(dataDir, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !NOT_SECRET.test(entry.name))
    .map(({ name }) => name)
    .toSorted()
}

/** A name of stored bytes, from a row; `md5` is empty if the row has none. */
export type NamedBytes = { name: string; md5: string }

/** The stored names of complete files, and of the chunks of unfinished uploads. */
export async function findBytes({ query }: RawDatabase): Promise<Record<FileFolder, NamedBytes[]>> {
  const read = (rows: Row[]): NamedBytes[] =>
    rows.map((row) => ({ name: String(row.storedName), md5: String(row.signature ?? '') }))
  return {
    files: read(await query(`select "storedName", "signature" from "file" where "isComplete" = 1`)),
    uploads: read(await query(`select "storedName" from "fileChunk"`)),
  }
}

/** The size of the database, and the total size of all files according to their rows. */
export async function measureBlog({ major, query }: RawDatabase) {
  const [database] = await query(
    major === 0
      ? `select page_count * page_size as "bytes" from pragma_page_count(), pragma_page_size()`
      : `select pg_database_size(current_database()) as "bytes"`,
  )
  const [files] = await query(`select coalesce(sum("sizeBytes"), 0) as "bytes" from "file"`)
  return { databaseBytes: Number(database?.bytes), filesBytes: Number(files?.bytes) }
}

export async function countRows({ query }: RawDatabase, tables: readonly string[]) {
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const [row] = await query(`select count(*) as "n" from "${table}"`)
    counts[table] = Number(row?.n)
  }
  return counts
}

/**
 * The last migration that ran on a database, migrations of a newer program (`newer`), migrations
 * that have not run yet (`missing`), and whether an older version has to run on it first.
 */
export async function readMigrations(database: RawDatabase) {
  const hasAny = (await listTables(database)).includes('kysely_migration')
  const rows = hasAny
    ? await database.query(`select "name" from "kysely_migration" order by "name"`)
    : []
  const applied = rows.map(({ name }) => String(name))
  const known = listMigrations()
  const newer = applied.filter((name) => !known.includes(name) && !isOldMigration(name))
  const missing = known.filter((name) => !applied.includes(name))
  return { last: applied.at(-1), newer, missing, isTooOld: isTooOld(applied) }
}
