// An author's reads are read in batches, by day and post: the index holds them in this order.
// Every step can be repeated.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  const inOrder = db.schema.createIndex('postReadInOrder').ifNotExists()
  await inOrder.on('postRead').columns(['userId', 'day', 'postId']).execute()
  await db.schema.dropIndex('postReadByUser').ifExists().execute()
}
