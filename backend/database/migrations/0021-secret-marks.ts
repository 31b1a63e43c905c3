// Fingerprints of the secrets that all processes on one PostgreSQL must share. SQLite has one data
// folder, and these lie in it.
import type { Kysely } from 'kysely'
import { isShared } from '../dialect.ts'
import { runAll } from '../migration-steps.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  if (isShared(db))
    await runAll(db, [
      'create table if not exists "secretMark" (name text primary key, mark text not null)',
    ])
}
