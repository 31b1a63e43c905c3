// The highlighted code of a post's body, kept so that it is made once, like the other texts of its
// row.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('postText').addColumn('codeDigest', 'text').execute()
  await db.schema.alterTable('postText').addColumn('code', 'text').execute()
}
