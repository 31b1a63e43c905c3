// Posts that the operator hides, and invitations. The index of the feed now holds all that decides
// who may read a post, so that hidden ones, and those of blocked people, are passed over without
// reading their rows, however many stand together.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('post')
    .addColumn('isHidden', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema.dropIndex('postFeed').execute()
  await db.schema
    .createIndex('postFeed')
    .on('post')
    .columns(['status', 'createdAt desc', 'seq', 'isHidden', 'readers', 'userId'])
    .execute()
  await db.schema
    .createTable('invitation')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('email', 'text', (c) => c.notNull().unique())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('secretHash', 'text', (c) => c.notNull().unique())
    .addColumn('isMailed', 'integer', (c) => c.notNull())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('expiresAt', 'text', (c) => c.notNull())
    .execute()
}
