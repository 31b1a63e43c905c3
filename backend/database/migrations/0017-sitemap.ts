// Public posts in parts of 50,000 by their order of creation, in each part by the time of their
// last change: a file of the sitemap is one part, and its newest change is one row. The index holds
// all that a file says, so that no body is passed (decision 0043).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists ${sql.ref('postSitemap')} on post
    (((seq - 1) / 50000), ${sql.ref('updatedAt')}, seq, readers, ${sql.ref('userId')}, id, title)
    where status = 'active' and ${sql.ref('isHidden')} = 0`.execute(db)
}
