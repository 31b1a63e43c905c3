// What copies and the doctor read of a blog: its database, also one of an older program, its files,
// and the secrets in the data folder.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { listMigrations } from '../database/database.ts'
import { isOldMigration, isTooOld } from '../database/old-database.ts'
import { makeBlobStores } from '../files/blob-stores.ts'
import type { Config } from '../settings/config.ts'
import { listTables, openPostgres, openSqlite, type Row, type Side } from './raw-database.ts'

/** As the settings say. */
export type BlobStores = Pick<Config, 'dataDir' | 'databaseUrl' | 's3'>

export const SQLITE_FILE = 'blog.sqlite'
/** Finished files, and chunks of unfinished uploads: folders of the data folder. */
export const PARTS = ['files', 'uploads'] as const
export type PartName = (typeof PARTS)[number]
/** Files of the data folder that are no secrets: the database, and what is being written. */
const NO_SECRET = /^(?:blog\.sqlite.*|\..*|.*\.new)$/

/**
 * Opens the database for reading, whether a server writes it or not.
 *
 * @throws Error when it cannot be opened
 */
export async function openSide({ dataDir, databaseUrl }: BlobStores): Promise<Side> {
  return databaseUrl ? await openPostgres(databaseUrl) : openSqlite(join(dataDir, SQLITE_FILE))
}

/** @returns the names that a row still names */
export async function stillNamed(places: BlobStores, names: string[]): Promise<string[]> {
  if (names.length === 0) return []
  await using now = await openSide(places)
  const { files, uploads } = await findBytes(now)
  const named = new Set([...files, ...uploads].map(({ name }) => name))
  return names.filter((name) => named.has(name))
}

/** The stores of finished files, and of the chunks of unfinished uploads. */
export function openBlobStores({ dataDir, s3, databaseUrl }: BlobStores) {
  const places = makeBlobStores({ dataDir, s3, isShared: databaseUrl !== undefined })
  return { files: places.blobStore, uploads: places.chunks }
}

/** Names of the secrets, and of the other files in the data folder itself. */
export async function listSecrets(dataDir: string): Promise<string[]> {
  const entries = await readdir(dataDir, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !NO_SECRET.test(entry.name))
    .map(({ name }) => name)
    .toSorted()
}

/** Bytes that a row names; `md5` is empty where the row has none. */
export type NamedBytes = { name: string; md5: string }

/** Bytes of complete files, and chunks of unfinished uploads. */
export async function findBytes({ ask }: Side): Promise<Record<PartName, NamedBytes[]>> {
  const read = (rows: Row[]): NamedBytes[] =>
    rows.map((row) => ({ name: String(row.storedName), md5: String(row.signature ?? '') }))
  return {
    files: read(await ask(`select "storedName", "signature" from "file" where "isComplete" = 1`)),
    uploads: read(await ask(`select "storedName" from "fileChunk"`)),
  }
}

/** How much a backup will hold. */
export async function measureBlog({ major, ask }: Side) {
  const [database] = await ask(
    major === 0
      ? `select page_count * page_size as "bytes" from pragma_page_count(), pragma_page_size()`
      : `select pg_database_size(current_database()) as "bytes"`,
  )
  const [files] = await ask(`select coalesce(sum("sizeBytes"), 0) as "bytes" from "file"`)
  return { databaseBytes: Number(database?.bytes), filesBytes: Number(files?.bytes) }
}

export async function countRows({ ask }: Side, tables: readonly string[]) {
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const [row] = await ask(`select count(*) as "n" from "${table}"`)
    counts[table] = Number(row?.n)
  }
  return counts
}

/**
 * The last migration of a database, those of a newer program, those that are to come, and whether
 * an older version has to run on it before this one.
 */
export async function readMigrations(side: Side) {
  const hasAny = (await listTables(side)).includes('kysely_migration')
  const rows = hasAny ? await side.ask(`select "name" from "kysely_migration" order by "name"`) : []
  const had = rows.map(({ name }) => String(name))
  const own = listMigrations()
  const newer = had.filter((name) => !own.includes(name) && !isOldMigration(name))
  const missing = own.filter((name) => !had.includes(name))
  return { last: had.at(-1), newer, missing, isTooOld: isTooOld(had) }
}
