// How often posts are read, a row for each post and day. Deleted posts keep theirs, like likes.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('postRead')
    .ifNotExists()
    .addColumn('postId', 'text', (c) => c.notNull().references('post.id').onDelete('cascade'))
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('userId', 'text', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('postReadKey', ['postId', 'day'])
    .execute()
  await createIndex(db, 'postReadByUser', ['userId', 'day'])
  await createIndex(db, 'postReadByDay', ['day'])
  await db.schema
    .createTable('deletedRead')
    .ifNotExists()
    .addColumn('deletedId', 'text', (c) => c.notNull())
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('deletedReadKey', ['deletedId', 'day'])
    .execute()
}

async function createIndex(db: Kysely<unknown>, name: string, columns: string[]): Promise<void> {
  await db.schema.createIndex(name).ifNotExists().on('postRead').columns(columns).execute()
}
