// What is made of a post's body, kept so that it is made once: rows that are missing or older than
// their body are made anew when the post is read.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('postText')
    .addColumn('postId', 'text', (c) => c.primaryKey().references('post.id').onDelete('cascade'))
    .addColumn('cleanDigest', 'text')
    .addColumn('cleaned', 'text')
    .addColumn('textsDigest', 'text')
    .addColumn('texts', 'text')
    .execute()
}
