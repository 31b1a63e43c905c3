// Opens the database that the settings name and brings its tables up to date.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Kysely, type KyselyConfig, PostgresDialect, type PostgresPool, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { type Log, makeLog } from '../process/log.ts'
import { POSTGRES_PROBE_EVERY_MS } from './circuit-breaker.ts'
import { describePostgresError, isConfigurationError } from './database-errors.ts'
import { isShared } from './dialect.ts'
import { runStatements } from './migration-steps.ts'
import {
  BASELINE,
  convertOldDatabase,
  isConvertible,
  isOldMigration,
  isTooOld,
  readApplied,
  TOO_OLD,
} from './old-database.ts'
import type { PostgresLimits } from './postgres-dialect.ts'
import type { Database, Tables } from './schema.ts'
import type { OnFatal } from './sqlite-write-queue.ts'

/** How long a start waits for a PostgreSQL that is away. */
export const POSTGRES_START_WAIT_MS = 60_000
/** How long a start waits for another process that migrates, and how often it checks. */
export const MIGRATION_WAIT_MS = 30 * 60_000
const MIGRATION_CHECK_EVERY_MS = 200

/**
 * One file each. A start applies all new ones in one transaction. A released one is never edited.
 */
const MIGRATIONS = new URL('migrations/', import.meta.url)

/** Names of all migrations that this program knows, in order. */
export function listMigrations(): string[] {
  const names = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.ts'))
  return names.map((name) => name.replace('.ts', '')).toSorted()
}

/** The number of the advisory lock, "lamp" in ASCII; each database has its own. */
const MIGRATION_LOCK = 0x6c616d70

export type DatabaseMetrics = {
  recordQuery(query: QueryTiming): void
  observePool(numbers: () => { open: number; idle: number; waiting: number }): void
}
/** One statement that has ended. */
export type QueryTiming = { ms: number; isDone: boolean }

export type OpenOptions = {
  dataDir: string
  databaseUrl: string | undefined
  /** The maximum number of connections to PostgreSQL. */
  connections?: number | undefined
  log?: Log
  /** Called when SQLite could not write or sync: the process must stop. */
  onFatal?: OnFatal
  /** The last migration to apply; by default all are applied. */
  upTo?: string | undefined
  /** Called before an existing database is migrated; if it throws, nothing is changed. */
  beforeChange?: (() => Promise<void>) | undefined
  /** Records every statement, and can read the state of the PostgreSQL pool. */
  metrics?: DatabaseMetrics | undefined
  /** Time limits of PostgreSQL; a test passes shorter ones. */
  limits?: Partial<PostgresLimits>
}

/**
 * Opens SQLite in the data folder or PostgreSQL, and brings the tables up to date.
 *
 * @throws Error with a clear message when PostgreSQL cannot be reached, the database is newer than
 *   this program or too old for it, or a migration fails
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { databaseUrl, log = makeLog('silent'), onFatal = () => {} } = options
  if (!databaseUrl) return await openSqlite(options, log, onFatal)
  const postgres = await import('./postgres-dialect.ts')
  await waitForPostgres(postgres.probePostgres, databaseUrl, log)
  await migratePostgres(options, postgres.makeMigrationPool(databaseUrl), log)
  return new Kysely<Tables>({
    dialect: postgres.makePostgresDialect({
      connectionString: databaseUrl,
      log,
      limits: options.limits,
      connections: options.connections,
      observePool: options.metrics?.observePool,
    }),
    ...queryLogging(options.metrics),
  })
}

function queryLogging(metrics: DatabaseMetrics | undefined): Partial<Pick<KyselyConfig, 'log'>> {
  if (!metrics) return {}
  return {
    log: ({ level, queryDurationMillis }) =>
      metrics.recordQuery({ ms: queryDurationMillis, isDone: level === 'query' }),
  }
}

export function sqlitePath(dataDir: string): string {
  return join(dataDir, 'blog.sqlite')
}

async function openSqlite(options: OpenOptions, log: Log, onFatal: OnFatal): Promise<Database> {
  const { dataDir, metrics } = options
  const path = sqlitePath(dataDir)
  const { makeSqliteDialect, openSqliteFiles } = await import('./sqlite-dialect.ts')
  const files = openSqliteFiles(path)
  const dialect = makeSqliteDialect(files, { onFatal })
  const db = new Kysely<Tables>({ dialect, ...queryLogging(metrics) })
  await migrate(db, log, options).catch(async (error: unknown) => {
    await db.destroy()
    throw error
  })
  // Puts statement journals into memory instead of a file. Only after the migrations, because these
  // may sort all posts.
  files.writer.pragma('temp_store = memory')
  return db
}

/** @throws Error that names the reason: at once when waiting cannot help, else after a minute */
async function waitForPostgres(
  probe: (url: string) => Promise<void>,
  url: string,
  log: Log,
): Promise<void> {
  const { hostname, port } = new URL(url)
  const name = `PostgreSQL at ${hostname || 'localhost'}:${port || 5432}`
  const giveUpAtMs = performance.now() + POSTGRES_START_WAIT_MS
  let loggedReason = ''
  for (;;) {
    try {
      await probe(url)
      if (loggedReason) log.warn({ event: 'database back' }, `${name} answers`)
      return
    } catch (error) {
      const reason = describePostgresError(error)
      if (isConfigurationError(error)) throw new Error(`${name} cannot be used: ${reason}`)
      if (performance.now() > giveUpAtMs)
        throw new Error(`${name} was away for ${POSTGRES_START_WAIT_MS / 1000} seconds: ${reason}`)
      if (reason !== loggedReason)
        log.warn({ event: 'database away', reason }, `waiting for ${name}: ${reason}`)
      loggedReason = reason
      await delay(POSTGRES_PROBE_EVERY_MS)
    }
  }
}

/** One process migrates at a time: the others wait. */
async function migratePostgres(options: OpenOptions, pool: PostgresPool, log: Log): Promise<void> {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    await lockMigrations(db, log)
    await migrate(db, log, options)
  } finally {
    // The lock ends with the connection.
    await db.destroy()
  }
}

/** @throws Error when another process holds the lock for too long */
async function lockMigrations(db: Database, log: Log): Promise<void> {
  const giveUpAtMs = performance.now() + MIGRATION_WAIT_MS
  for (let isLogged = false; ; ) {
    const { rows } = await sql<{ isMine: boolean }>`
      select pg_try_advisory_lock(${MIGRATION_LOCK}) as "isMine"`.execute(db)
    if (rows[0]?.isMine) return
    if (performance.now() > giveUpAtMs)
      throw new Error(
        `Another process has been changing the tables for ${MIGRATION_WAIT_MS / 1000} seconds`,
      )
    if (!isLogged) log.warn({ event: 'migration awaited' }, 'another process changes the tables')
    isLogged = true
    await delay(MIGRATION_CHECK_EVERY_MS)
  }
}

async function migrate(db: Database, log: Log, { upTo, beforeChange }: OpenOptions): Promise<void> {
  const applied = await readApplied(db)
  const known = listMigrations()
  // Most starts change nothing, and need not even load the migrations.
  if (isDeepStrictEqual(applied, known)) return
  if (isTooOld(applied)) throw new Error(TOO_OLD)
  const isOld = isConvertible(applied)
  const unknown = applied.filter((name) => !known.includes(name) && !isOldMigration(name))
  if (unknown.length > 0)
    throw new Error(
      `The database could not be brought up to date. Is it newer than this program? It has ${unknown.join(', ')}`,
    )
  if (applied.length > 0) await beforeChange?.()
  if (isOld) {
    log.warn({ event: 'migration', name: BASELINE }, 'the tables of an older version are converted')
    await convertOldDatabase(db)
  }
  const migrator = new Migrator({ db, provider: { getMigrations: loadMigrations } })
  const { error } =
    upTo === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(upTo)
  if (error) throw new Error('The database could not be brought up to date', { cause: error })
}

async function loadMigrations(): Promise<Record<string, Migration>> {
  const migrations: Record<string, Migration> = {}
  for (const name of listMigrations()) {
    const { statements }: MigrationFile = await import(new URL(`${name}.ts`, MIGRATIONS).href)
    migrations[name] = { up: (db) => runStatements(db, statements(isShared(db))) }
  }
  return migrations
}

type MigrationFile = { statements: (isPostgres: boolean) => string[] }
