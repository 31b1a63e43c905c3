// What other processes on the same PostgreSQL hear of each other's changes. SQLite has one process.
import type { Kysely } from 'kysely'
import { isShared, withSequence } from '../dialect.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  if (!isShared(db)) return
  await withSequence(db, db.schema.createTable('change').ifNotExists())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('changeCreatedAt')
    .ifNotExists()
    .on('change')
    .column('createdAt')
    .execute()
}
