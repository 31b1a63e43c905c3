// Lists of posts are filtered and ordered in these indexes alone: SQLite would have to pass each
// whole body to reach a column behind it. Blocked people, who are few, are found without the
// others. Every step can be repeated, because SQLite may be stopped between two of them.
import type { Kysely } from 'kysely'

const FILTERED = ['id', 'title', 'featuredImage', 'updatedAt'] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('postFeed').ifExists().execute()
  await db.schema
    .createIndex('postFeed')
    .on('post')
    .columns(['status', 'createdAt desc', 'seq', 'isHidden', 'readers', 'userId', ...FILTERED])
    .execute()
  await db.schema.dropIndex('postByUser').ifExists().execute()
  await db.schema
    .createIndex('postByUser')
    .on('post')
    .columns(['userId', 'createdAt desc', 'seq', 'status', 'isHidden', 'readers', ...FILTERED])
    .execute()
  await db.schema
    .createIndex('userByBlock')
    .ifNotExists()
    .on('user')
    .columns(['isBlocked', 'id'])
    .execute()
}
