// Fresh, migrated databases for store tests: `describeEachDatabase('…', (open) => …)`. On SQLite
// they run in `npm test`, on PostgreSQL in `npm run test:more`.
import { randomUUID } from 'node:crypto'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, test } from 'vitest'
import { openDatabase } from '#backend/database/database.ts'
import type { Database } from '#backend/database/schema.ts'
import { findMigratedSqlite, findPostgres } from './find-servers.ts'
import { MIGRATED } from './postgres.ts'

/** A database that is dropped at the end of its scope. `url` is undefined for SQLite. */
export type TestDatabase = AsyncDisposable & { db: Database; url: string | undefined }

export type OpenDatabase = () => Promise<TestDatabase>
export type DatabaseKind = 'SQLite' | 'PostgreSQL'

/** For whole blogs: `for (const [kind, tags] of DATABASES) test('…', { tags }, …)`. */
export const DATABASES: [kind: DatabaseKind, tags: string[], open: OpenDatabase][] = [
  ['SQLite', [], openSqlite],
  ['PostgreSQL', ['more'], openPostgres],
]

type OnDatabase<Result> = (open: OpenDatabase, kind: DatabaseKind) => Result

export function describeEachDatabase(subject: string, addTests: OnDatabase<void>): void {
  for (const [kind, tags, open] of DATABASES)
    describe(`${subject} on ${kind}`, { tags }, () => addTests(open, kind))
}

export function testEachDatabase(behaviour: string, run: OnDatabase<Promise<void>>): void {
  for (const [kind, tags, open] of DATABASES)
    test(`${behaviour} (${kind})`, { tags }, () => run(open, kind))
}

export async function openSqlite(): Promise<TestDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lamplight-db-'))
  await copyFile(await findMigratedSqlite(), join(dataDir, 'blog.sqlite'))
  const db = await openDatabase({ dataDir, databaseUrl: undefined })
  return {
    db,
    url: undefined,
    async [Symbol.asyncDispose]() {
      await db.destroy()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export async function openPostgres(): Promise<TestDatabase> {
  const { url, drop } = await makePostgresDatabase()
  // On a busy host many concurrent writers wait longer for a connection than the default allows.
  const limits = { connect: 60_000 }
  const db = await openDatabase({ dataDir: '', databaseUrl: url, limits })
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
  // The other strategy writes the whole copy to the write-ahead log.
  await run(`create database ${name} template ${template} strategy file_copy`)
  return { url: `${server}/${name}`, drop: () => run(`drop database ${name} with (force)`) }

  async function run(sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: `${server}/postgres` })
    await client.connect()
    await client.query(sql)
    await client.end()
  }
}

/** Resolves when this many transactions of a PostgreSQL database wait for a lock. */
export async function untilLockWaits(db: Database, transactions = 1): Promise<void> {
  const waiting = sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  for (;;) {
    const { rows } = await waiting.execute(db)
    if (Number(rows[0]?.count) >= transactions) return
  }
}
