// Tags of posts, and those of deleted posts. Every step can be repeated, because SQLite may be
// stopped between two of them.
import type { Kysely } from 'kysely'
import { codePointTextType } from '../dialect.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('postTag')
    .ifNotExists()
    .addColumn('postSeq', 'bigint', (c) => c.notNull().references('post.seq').onDelete('cascade'))
    .addColumn('place', 'integer', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('key', codePointTextType(db), (c) => c.notNull())
    .addColumn('isFromText', 'integer', (c) => c.notNull())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('postTagKey', ['postSeq', 'place'])
    .execute()
  await db.schema
    .createIndex('postTagByTag')
    .ifNotExists()
    .on('postTag')
    .columns(['key', 'createdAt desc', 'postSeq'])
    .execute()
  const tables = await db.introspection.getTables()
  const deleted = tables.find(({ name }) => name === 'deletedPost')
  if (!deleted?.columns.some(({ name }) => name === 'tags'))
    await db.schema
      .alterTable('deletedPost')
      .addColumn('tags', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
}
