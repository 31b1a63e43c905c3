// What is made of the text of a post is one row that is whole or not used: it names the text and
// the rules that it was made of. What there was is made anew, beside other work (decision 0064).
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('postText').ifExists().execute()
  await db.schema
    .createTable('postText')
    .addColumn('postId', 'text', (c) => c.primaryKey().references('post.id').onDelete('cascade'))
    .addColumn('rules', 'text', (c) => c.notNull())
    .addColumn('digest', 'text', (c) => c.notNull())
    .addColumn('words', 'integer', (c) => c.notNull())
    .addColumn('shownDigest', 'text', (c) => c.notNull())
    .addColumn('texts', 'text')
    .addColumn('cleaned', 'text')
    .addColumn('code', 'text')
    .execute()
}
