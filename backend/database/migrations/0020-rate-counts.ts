// How many calls were made under each rate limit, counted together by all processes on the same
// PostgreSQL; SQLite's have a supervisor that counts. After a crash of PostgreSQL it is empty.
import { type Kysely, sql } from 'kysely'
import { isShared } from '../dialect.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  if (!isShared(db)) return
  await db.schema
    .createTable('rateCount')
    .modifyFront(sql`unlogged`)
    .ifNotExists()
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('endMs', 'bigint', (c) => c.notNull())
    .addColumn('calls', 'double precision', (c) => c.notNull())
    .execute()
}
