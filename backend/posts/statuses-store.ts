// The statuses of all posts, in SQL: read in turns at a start that gives them others.
import { sql } from 'kysely'
import { locked } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'

/** In the order of creation, locked until the transaction ends. */
export async function listStatuses(
  tx: Database,
  { after, limit }: { after: number; limit: number },
) {
  const next = tx.selectFrom('post').select('seq').where('seq', '>', after)
  await locked(tx, next.orderBy('seq').limit(limit)).execute()
  const rows = await tx
    .selectFrom('post')
    .leftJoin('postExtra', 'postExtra.postId', 'post.id')
    .select(['post.seq', 'post.id', 'post.userId', 'post.status'])
    .select((eb) => [
      eb.fn.coalesce('postExtra.attributes', sql.lit('')).as('attributes'),
      eb.fn.coalesce('postExtra.spellings', sql.lit('')).as('spellings'),
    ])
    .where('post.seq', '>', after)
    .orderBy('post.seq')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }))
}
