// Fingerprints of the secrets that all processes on one PostgreSQL must share. SQLite has one data
// folder, and these lie in it.
import type { Kysely } from 'kysely'
import { isShared } from '../dialect.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  if (!isShared(db)) return
  await db.schema
    .createTable('secretMark')
    .ifNotExists()
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('mark', 'text', (c) => c.notNull())
    .execute()
}
