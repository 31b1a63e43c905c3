// Fresh, migrated databases for store tests: `describe.each(DATABASES)('… on %s', (_name, open) =>
// …)`.
import { randomUUID } from 'node:crypto'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { openDatabase } from '#backend/database/database.ts'
import type { Database } from '#backend/database/schema.ts'
import { MIGRATED } from './postgres.ts'
import { findMigratedSqlite, findPostgres } from './servers-of-run.ts'

/** A database that is gone when its scope ends. `url` is undefined for SQLite. */
export type TestDatabase = AsyncDisposable & { db: Database; url: string | undefined }

export const DATABASES: [name: string, open: () => Promise<TestDatabase>][] = [
  ['SQLite', openSqlite],
  ['PostgreSQL', openPostgres],
]

/** As {@link DATABASES}, as the migrations up to this one leave them. */
export function databasesUpTo(upTo: string): typeof DATABASES {
  return [
    ['SQLite', () => openSqlite({ upTo })],
    ['PostgreSQL', () => openPostgres({ upTo })],
  ]
}

export type DatabaseKind = 'SQLite' | 'PostgreSQL'
/**
 * For whole blogs: `for (const [kind, tags] of BLOG_DATABASES) test('…', { tags }, …)`. What
 * differs between databases is tested in the stores, on both each time; the rest of a blog meets
 * PostgreSQL in `npm run test:more`.
 */
export const BLOG_DATABASES: [kind: DatabaseKind, tags: string[]][] = [
  ['SQLite', []],
  ['PostgreSQL', ['more']],
]

/** Without `upTo` with all migrations. */
type Migrated = { upTo?: string | undefined }

export async function openSqlite({ upTo }: Migrated = {}): Promise<TestDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lamplight-db-'))
  if (upTo === undefined) await copyFile(await findMigratedSqlite(), join(dataDir, 'blog.sqlite'))
  const db = await openDatabase({ dataDir, databaseUrl: undefined, upTo })
  return {
    db,
    url: undefined,
    async [Symbol.asyncDispose]() {
      await db.destroy()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function openPostgres({ upTo }: Migrated = {}): Promise<TestDatabase> {
  const { url, drop } = await makePostgresDatabase({ isEmpty: upTo !== undefined })
  const db = await openDatabase({ dataDir: '', databaseUrl: url, upTo })
  return {
    db,
    url,
    async [Symbol.asyncDispose]() {
      await db.destroy()
      await drop()
    },
  }
}

/** A database on the test server, migrated unless it is to be empty. */
export async function makePostgresDatabase({
  isEmpty = false,
} = {}): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = await findPostgres()
  const template = isEmpty ? 'template1' : MIGRATED
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // The other strategy writes all of it to the log first.
  await run(`create database ${name} template ${template} strategy file_copy`)
  return { url: `${server}/${name}`, drop: () => run(`drop database ${name} with (force)`) }

  async function run(sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: `${server}/postgres` })
    await client.connect()
    await client.query(sql)
    await client.end()
  }
}

/** Returns once so many transactions on this PostgreSQL database wait for locks of others. */
export async function untilLockWait(db: Database, transactions = 1): Promise<void> {
  const waiting = sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  for (;;) {
    const { rows } = await waiting.execute(db)
    if (Number(rows[0]?.count) >= transactions) return
  }
}
