// SQLite counts calls under rate limits as PostgreSQL does since 0020: for all processes.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rateCount')
    .ifNotExists()
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('endMs', 'bigint', (c) => c.notNull())
    .addColumn('calls', 'double precision', (c) => c.notNull())
    .execute()
}
