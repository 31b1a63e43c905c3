// Opens the database that the settings name and brings its tables up to date.
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import * as peoplePostsFiles from './migrations/0001-people-posts-files.ts'
import * as refreshTokens from './migrations/0002-refresh-tokens.ts'
import * as moderation from './migrations/0006-moderation.ts'
import type { Database, Tables } from './schema.ts'

// Imported statically and in order; a released one is never edited.
const MIGRATIONS = {
  '0001-people-posts-files': peoplePostsFiles,
  '0002-refresh-tokens': refreshTokens,
  '0006-moderation': moderation,
}

/** Names of all migrations that this program knows, in order. */
export function listMigrations(): string[] {
  return Object.keys(MIGRATIONS)
}

const POSTGRES_CONNECTIONS = 10

export type Opening = { dataDir: string; databaseUrl: string | undefined }

/**
 * Opens SQLite in the data folder or PostgreSQL, and migrates.
 *
 * @throws Error with a clear message when the database is newer than this program or a migration
 *   fails
 */
export async function openDatabase({ dataDir, databaseUrl }: Opening): Promise<Database> {
  const db = databaseUrl
    ? await openPostgres(databaseUrl)
    : await openSqlite(join(dataDir, 'blog.sqlite'))
  try {
    await migrate(db)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return db
}

async function openSqlite(path: string): Promise<Database> {
  const { makeSqliteDialect, openSqliteFile } = await import('./sqlite-dialect.ts')
  return new Kysely<Tables>({ dialect: makeSqliteDialect(openSqliteFile(path)) })
}

async function openPostgres(connectionString: string): Promise<Database> {
  const { default: pg } = await import('pg')
  pg.types.setTypeParser(pg.types.builtins.INT8, Number)
  const pool = new pg.Pool({ connectionString, max: POSTGRES_CONNECTIONS })
  // A dropped idle connection is replaced by the next query; without a listener it would end the
  // process.
  pool.on('error', () => {})
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

async function migrate(db: Database): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error)
    throw new Error(
      'The database could not be brought up to date. Is it newer than this program?',
      { cause: error },
    )
}

/** Whether the database answers at all. */
export async function isReachable(db: Database): Promise<boolean> {
  try {
    await sql`select 1`.execute(db)
    return true
  } catch {
    return false
  }
}
