// Reads of posts in SQL (tables `postRead` and `deletedRead`). Knows no rule.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type SqlBool, sql } from 'kysely'
import { compiledOnce, rawIn } from '../database/compiled.ts'
import { isShared, lockedAsReference } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'

export const READS_SUMMED_AT_ONCE = 2000

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

export type ReadSums = {
  byDay: Map<string, number>
  /** The most read first. */
  posts: { id: string; title: string; reads: number; today: number }[]
}
type PostSum = { id: string; reads: number; today: number }
type Summed = { userId: string; days: readonly string[]; postsMax: number }

/** @param summed the last of `days` is today */
export async function sumReads(db: Database, summed: Summed): Promise<ReadSums> {
  const { byDay, most } = isShared(db)
    ? { byDay: await sumByDay(db, summed), most: await sumByPost(db, summed) }
    : await sumInTurns(db, summed)
  if (most.length === 0) return { byDay, posts: [] }
  const ids = most.map(({ id }) => id)
  const posts = await db.selectFrom('post').select(['id', 'title']).where('id', 'in', ids).execute()
  const titles = new Map(posts.map(({ id, title }) => [id, title]))
  return {
    byDay,
    posts: most.flatMap((one) => {
      const title = titles.get(one.id)
      return title === undefined ? [] : [{ ...one, title }]
    }),
  }
}

async function sumByDay(db: Database, { userId, days }: Summed): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('postRead')
    .select(['day', (eb) => eb.fn.sum<number>('count').as('reads')])
    .where('userId', '=', userId)
    .where('day', 'in', days)
    .groupBy('day')
    .execute()
  return new Map(rows.map(({ day, reads }) => [day, Number(reads)]))
}

async function sumByPost(db: Database, { userId, days, postsMax }: Summed): Promise<PostSum[]> {
  const ofToday = sql<number>`sum(case when day = ${days.at(-1)} then count else 0 end)`
  const rows = await db
    .selectFrom('postRead')
    .select(['postId as id', (eb) => eb.fn.sum<number>('count').as('reads'), ofToday.as('today')])
    .where('userId', '=', userId)
    .where('day', 'in', days)
    .groupBy('postId')
    .orderBy('reads', 'desc')
    .orderBy('postId')
    .limit(postsMax)
    .execute()
  return rows.map(({ id, reads, today }) => ({ id, reads: Number(reads), today: Number(today) }))
}

/**
 * On SQLite, where a statement stops everybody: somebody with very many posts has millions of rows
 * in these days. Others' turns come between some thousands of them.
 */
async function sumInTurns(
  db: Database,
  { userId, days, postsMax }: Summed,
): Promise<{ byDay: Map<string, number>; most: PostSum[] }> {
  const byDay = new Map<string, number>()
  const byPost = new Map<string, PostSum>()
  const today = days.at(-1)
  for (const day of days)
    for (let after: number | undefined = 0; after !== undefined; ) {
      const { rows } = await readSome(db, { userId, day, after })
      for (const { postId: id, count } of rows) {
        const sum = byPost.get(id) ?? { id, reads: 0, today: 0 }
        byPost.set(id, sum)
        sum.reads += count
        if (day === today) sum.today += count
        byDay.set(day, (byDay.get(day) ?? 0) + count)
      }
      after = rows.length === READS_SUMMED_AT_ONCE ? rows.at(-1)?.at : undefined
      if (after !== undefined) await nextTurn()
    }
  return { byDay, most: pickMost(byPost.values(), postsMax) }
}

const readSome = compiledOnce((db, asked: { userId: string; day: string; after: number }) =>
  rawIn(
    db,
    sql<{ at: number; postId: string; count: number }>`
      select rowid as at, "postId", count from "postRead"
      where "userId" = ${asked.userId} and day = ${asked.day} and rowid > ${asked.after}
      order by rowid limit ${sql.lit(READS_SUMMED_AT_ONCE)}`,
  ),
)

function pickMost(all: Iterable<PostSum>, max: number): PostSum[] {
  const most: PostSum[] = []
  for (const one of all) {
    const isBehind = (other: PostSum) =>
      other.reads < one.reads || (other.reads === one.reads && other.id > one.id)
    const place = most.findIndex(isBehind)
    if (place >= 0) most.splice(place, 0, one)
    else if (most.length < max) most.push(one)
    if (most.length > max) most.pop()
  }
  return most
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
