// The version of what guests see of all posts, and of those of each author: one row for a feed or
// a list to be compared by. An author without a row has had no such change since this migration.
import type { Kysely } from 'kysely'
import { makeId } from '../../process/ids.ts'

type Tables = { publicList: { key: string; version: string; changedAt: string } }

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('publicList')
    .ifNotExists()
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('changedAt', 'text', (c) => c.notNull())
    .execute()
  const row = { key: '', version: makeId(), changedAt: new Date().toISOString() }
  await (db as Kysely<Tables>)
    .insertInto('publicList')
    .values(row)
    .onConflict((c) => c.column('key').doNothing())
    .execute()
}
