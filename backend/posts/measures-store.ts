// How much there is of posts, for the prices of lists (list-cost.ts). Each step ends after a
// bounded number of rows.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { isOneOf, listParameter } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'
import { SHOWN } from './post-scope-store.ts'

/**
 * How many rows there are: up to `exactMax` as counted; above that as many as their numbers leave
 * room for, those that were deleted in between included.
 */
export async function countAll(
  db: Database,
  table: 'post' | 'postLike',
  exactMax: number,
): Promise<number> {
  const { first, last } = await db
    .selectFrom(table)
    .select((eb) => [
      eb.selectFrom(table).select('seq').orderBy('seq').limit(1).as('first'),
      eb.selectFrom(table).select('seq').orderBy('seq', 'desc').limit(1).as('last'),
    ])
    .limit(1)
    .executeTakeFirst()
    .then((row) => row ?? { first: 1, last: 0 })
  const room = Number(last) - Number(first) + 1
  const rows = sql`select 1 as one from ${sql.table(table)} limit ${exactMax + 1}`
  const counted = await countSome(db, rows)
  return counted > exactMax ? room : counted
}

async function countSome(db: Database, rows: ReturnType<typeof sql>): Promise<number> {
  const found = await sql<{ total: number }>`
    select count(*) as total from (${rows}) as counted`.execute(db)
  return Number(found.rows[0]?.total ?? 0)
}

/** How many posts these people have. Stops at `postsMax`. */
export async function countPostsOf(
  db: Database,
  { userIds, postsMax }: { userIds: string[]; postsMax: number },
): Promise<number> {
  return countSome(
    db,
    sql`select 1 as one from post where ${sql.ref('post.userId')} in (${sql.join(userIds)}) limit ${postsMax}`,
  )
}

/** How many posts of this person are theirs alone, or for few others. Stops at `postsMax`. */
export async function countUnshownOf(
  db: Database,
  userId: string,
  postsMax: number,
): Promise<number> {
  return countSome(
    db,
    sql`select 1 as one from post where ${sql.ref('post.userId')} = ${userId}
      and ${SHOWN} in ('verified', 'unverified', 'owner', 'draft', 'hidden') limit ${postsMax}`,
  )
}

/** How many likes these people have given. Stops at `likesMax`. */
export async function countLikesOf(
  db: Database,
  userIds: string[],
  likesMax: number,
): Promise<number> {
  if (userIds.length === 0) return 0
  return countSome(
    db,
    sql`select 1 as one from ${sql.table('postLike')}
      where ${sql.ref('userId')} in (${sql.join(userIds)}) limit ${likesMax}`,
  )
}

/** Posts whose bodies are measured at once. */
const BATCH = 2000

/**
 * How long all bodies are, without reading them, in turns with other requests. Stops at `postsMax`
 * posts, and once they are more than `bytesMax`.
 */
export async function measureContent(
  db: Database,
  { postsMax, bytesMax }: { postsMax: number; bytesMax: number },
): Promise<number> {
  let bytes = 0
  let seq = 0
  for (let posts = 0; posts < postsMax && bytes <= bytesMax; posts += BATCH) {
    const found = await sql<{ bytes: number | null; last: number | null }>`
      select sum(bytes) as bytes, max(seq) as last from (
        select seq, octet_length(content) as bytes from post where seq > ${seq} order by seq limit ${BATCH}
      ) as sized`.execute(db)
    const { last, ...batch } = found.rows[0] ?? { last: null, bytes: 0 }
    if (last === null) break
    bytes += Number(batch.bytes)
    seq = Number(last)
    await nextTurn()
  }
  return bytes
}

/** How long the bodies of these people are. Stops at `postsMax` posts. */
export async function measureContentOf(
  db: Database,
  userIds: string[],
  postsMax: number,
): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    select seq from post where ${sql.ref('userId')} in (${sql.join(userIds)}) limit ${postsMax}`.execute(
    db,
  )
  const seqs = listParameter(
    db,
    rows.map(({ seq }) => Number(seq)),
  )
  const found = await sql<{ bytes: number | null }>`
    select sum(octet_length(content)) as bytes from post where ${isOneOf(db, sql.ref('seq'), seqs)}`.execute(
    db,
  )
  return Number(found.rows[0]?.bytes ?? 0)
}

async function measureSome(
  db: Database,
  { table, column, postsMax }: { table: string; column: string; postsMax: number },
): Promise<{ bytes: number; rows: number }> {
  const found = await sql<{ bytes: number | null; rows: number }>`
    select sum(bytes) as bytes, count(*) as rows from (
      select octet_length(${sql.ref(column)}) as bytes from ${sql.table(table)} limit ${postsMax}
    ) as sized`.execute(db)
  const { bytes, rows } = found.rows[0] ?? { bytes: 0, rows: 0 }
  return { bytes: Number(bytes ?? 0), rows: Number(rows) }
}

/** How long a title is on average, by the first `postsMax`. */
export async function measureTitle(
  db: Database,
  { postsMax }: { postsMax: number },
): Promise<number> {
  const { bytes, rows } = await measureSome(db, { table: 'post', column: 'title', postsMax })
  return rows > 0 ? bytes / rows : 0
}

/** How long the attributes that are no role are together, if all are as the first `postsMax`. */
export async function measureOwn(
  db: Database,
  { postsMax, posts }: { postsMax: number; posts: number },
): Promise<number> {
  const sampled = { table: 'postExtra', column: 'attributes', postsMax }
  const { bytes, rows } = await measureSome(db, sampled)
  return rows < postsMax ? bytes : (bytes / rows) * posts
}
