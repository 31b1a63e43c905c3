// Reads of posts in SQL (tables `postRead` and `deletedRead`). Knows no rule.
import { type SqlBool, sql } from 'kysely'
import { lockedAsReference } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'

export type CountedReads = { postId: string; day: string; userId: string; count: number }

/** Of posts that are public; they and their authors stay until the transaction ends. */
export async function findReadPosts(
  tx: Database,
  postIds: string[],
): Promise<{ id: string; userId: string; prefs: string }[]> {
  const posts = await lockedAsReference(
    tx,
    tx
      .selectFrom('post')
      .select(['id', 'userId'])
      .where('id', 'in', postIds)
      .where('status', '=', 'active')
      .where('isHidden', '=', 0)
      .orderBy('id'),
  ).execute()
  const authors = [...new Set(posts.map(({ userId }) => userId))]
  if (authors.length === 0) return []
  const users = await lockedAsReference(
    tx,
    tx
      .selectFrom('user')
      .select(['id', 'prefs'])
      .where('id', 'in', authors)
      .where('isBlocked', '=', 0)
      .orderBy('id'),
  ).execute()
  const prefs = new Map(users.map((user) => [user.id, user.prefs]))
  return posts.flatMap((post) => {
    const own = prefs.get(post.userId)
    return own === undefined ? [] : [{ ...post, prefs: own }]
  })
}

export async function addReads(tx: Database, rows: CountedReads[]): Promise<void> {
  if (rows.length === 0) return
  await tx
    .insertInto('postRead')
    .values(rows)
    .onConflict((oc) =>
      oc.columns(['postId', 'day']).doUpdateSet((eb) => ({
        count: eb('postRead.count', '+', eb.ref('excluded.count')),
      })),
    )
    .execute()
}

export async function sumByDay(
  db: Database,
  userId: string,
  since: string,
): Promise<{ day: string; reads: number }[]> {
  const rows = await db
    .selectFrom('postRead')
    .select(['day', (eb) => eb.fn.sum<number>('count').as('reads')])
    .where('userId', '=', userId)
    .where('day', '>=', since)
    .groupBy('day')
    .execute()
  return rows.map(({ day, reads }) => ({ day, reads: Number(reads) }))
}

/** The most read first. */
export async function sumByPost(
  db: Database,
  userId: string,
  { since, today, limit }: { since: string; today: string; limit: number },
): Promise<{ id: string; title: string; reads: number; today: number }[]> {
  const ofToday = sql<number>`sum(case when day = ${today} then count else 0 end)`
  const sums = db
    .selectFrom('postRead')
    .select(['postId', (eb) => eb.fn.sum<number>('count').as('reads'), ofToday.as('today')])
    .where('userId', '=', userId)
    .where('day', '>=', since)
    .groupBy('postId')
    .orderBy('reads', 'desc')
    .orderBy('postId')
    .limit(limit)
  const rows = await db
    .selectFrom(sums.as('summed'))
    .innerJoin('post', 'post.id', 'summed.postId')
    .select(['post.id', 'post.title', 'summed.reads', 'summed.today'])
    .orderBy('summed.reads', 'desc')
    .orderBy('post.id')
    .execute()
  return rows.map((row) => ({ ...row, reads: Number(row.reads), today: Number(row.today) }))
}

/** In the order of days, from behind `after` on. */
export async function listReadsOf(
  db: Database,
  userId: string,
  { after, limit }: { after: { day: string; postId: string } | undefined; limit: number },
): Promise<{ day: string; postId: string; count: number }[]> {
  let query = db
    .selectFrom('postRead')
    .select(['day', 'postId', 'count'])
    .where('userId', '=', userId)
  if (after)
    // As a row value: with `or` each batch would go through all days again.
    query = query.where(sql<SqlBool>`(day, ${sql.ref('postId')}) > (${after.day}, ${after.postId})`)
  return await query.orderBy('day').orderBy('postId').limit(limit).execute()
}

/** Also those that deleted posts keep. */
export async function deleteReadsOf(tx: Database, userId: string): Promise<void> {
  await tx.deleteFrom('postRead').where('userId', '=', userId).execute()
  await tx
    .deleteFrom('deletedRead')
    .where('deletedId', 'in', (eb) =>
      eb.selectFrom('deletedPost').select('id').where('userId', '=', userId),
    )
    .execute()
}

/** Some of those before a day. @returns how many rows */
export async function deleteReadsBefore(
  db: Database,
  before: string,
  limit: number,
): Promise<number> {
  const over = db
    .selectFrom('postRead')
    .select(['postId', 'day'])
    .where('day', '<', before)
    .orderBy('day')
    .limit(limit)
  const rows = await over.execute()
  const days = [...new Set(rows.map(({ day }) => day))]
  if (days.length === 0) return 0
  const { numDeletedRows } = await db
    .deleteFrom('postRead')
    .where('day', 'in', days)
    .where('postId', 'in', [...new Set(rows.map(({ postId }) => postId))])
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export async function findPrefs(db: Database, userId: string): Promise<string | undefined> {
  const user = await db
    .selectFrom('user')
    .select('prefs')
    .where('id', '=', userId)
    .executeTakeFirst()
  return user?.prefs
}
