// Attributes of posts beside those of the roles, the names that posts were written with, and what
// the API key declares of the collection: in tables of their own, as most posts have none. A status
// may be any word from now on: SQLite lets go of the old check only with its column. Every step can
// be repeated, because SQLite may be stopped between two of them.
import { type Kysely, sql } from 'kysely'
import { withSequence } from '../dialect.ts'

const FILTERED = ['id', 'title', 'featuredImage', 'updatedAt'] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  await freeStatus(db)
  await db.schema
    .createTable('postExtra')
    .ifNotExists()
    .addColumn('postId', 'text', (c) => c.primaryKey().references('post.id').onDelete('cascade'))
    .addColumn('attributes', 'text', (c) => c.notNull())
    .addColumn('spellings', 'text', (c) => c.notNull())
    .execute()
  const known = await columnsOf(db, 'deletedPost')
  for (const column of ['attributes', 'spellings'])
    if (!known.includes(column))
      await db.schema
        .alterTable('deletedPost')
        .addColumn(column, 'text', (c) => c.notNull().defaultTo(''))
        .execute()
  for (const table of ['declaredAttribute', 'declaredIndex'])
    await withSequence(db, db.schema.createTable(table).ifNotExists())
      .addColumn('key', 'text', (c) => c.notNull().unique())
      .addColumn('definition', 'text', (c) => c.notNull())
      .addColumn('isListed', 'integer', (c) => c.notNull())
      .addColumn('createdAt', 'text', (c) => c.notNull())
      .addColumn('updatedAt', 'text', (c) => c.notNull())
      .execute()
}

async function freeStatus(db: Kysely<unknown>): Promise<void> {
  for (const index of ['postFeed', 'postByUser'])
    await db.schema.dropIndex(index).ifExists().execute()
  const known = await columnsOf(db, 'post')
  if (known.includes('status')) {
    if (!known.includes('anyStatus'))
      await db.schema
        .alterTable('post')
        .addColumn('anyStatus', 'text', (c) => c.notNull().defaultTo('inactive'))
        .execute()
    await sql`update post set ${sql.ref('anyStatus')} = status`.execute(db)
    await db.schema.alterTable('post').dropColumn('status').execute()
  }
  await db.schema.alterTable('post').renameColumn('anyStatus', 'status').execute()
  await db.schema
    .createIndex('postFeed')
    .on('post')
    .columns(['status', 'createdAt desc', 'seq', 'isHidden', 'readers', 'userId', ...FILTERED])
    .execute()
  await db.schema
    .createIndex('postByUser')
    .on('post')
    .columns(['userId', 'createdAt desc', 'seq', 'status', 'isHidden', 'readers', ...FILTERED])
    .execute()
}

async function columnsOf(db: Kysely<unknown>, table: string): Promise<string[]> {
  const tables = await db.introspection.getTables()
  return tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? []
}
