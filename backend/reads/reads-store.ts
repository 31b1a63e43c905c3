// Reads of posts in SQL (tables `postRead` and `deletedRead`). Decides nothing.
import { type SqlBool, sql } from 'kysely'
import { locked } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'

/** `day` is of UTC, like `2025-11-23`. */
export type DayOfPost = { postId: string; day: string }
export type ReadRow = DayOfPost & { count: number }

export const READS_SUM_BATCH_SIZE = 2000

/** Finds public posts and locks them and their authors until the transaction ends. */
export async function findReadPosts(tx: Database, postIds: string[]) {
  const readable = tx
    .selectFrom('post')
    .innerJoin('user', 'user.id', 'post.userId')
    .select(['post.id', 'post.userId', 'user.prefs'])
    .where('post.id', 'in', postIds)
    .where((where) =>
      where.and({ 'post.status': 'active', 'post.isHidden': 0, 'user.isBlocked': 0 }),
    )
    .orderBy('post.id')
  const rows = await locked(tx, readable, 'forKeyShare').execute()
  return new Map(rows.map(({ id, ...post }) => [id, post]))
}

export async function addReads(tx: Database, rows: (ReadRow & { userId: string })[]) {
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

/** A batch of an author's in the order of days, from behind `after` on. */
export async function listReadsOf(
  db: Database,
  userId: string,
  { after, limit }: { after: DayOfPost; limit: number },
): Promise<ReadRow[]> {
  return await db
    .selectFrom('postRead')
    .select(['day', 'postId', 'count'])
    .where('userId', '=', userId)
    // As a row value: with `or` each batch would go through all days again.
    .where(sql<SqlBool>`(day, ${sql.ref('postId')}) > (${after.day}, ${after.postId})`)
    .orderBy('day')
    .orderBy('postId')
    .limit(limit)
    .execute()
}

export async function findTitles(db: Database, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('post').select(['id', 'title']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, title }) => [id, title]))
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
export async function deleteReadsBefore(db: Database, before: string, limit: number) {
  const key = sql`(${sql.ref('postId')}, day)`
  const { numDeletedRows } = await db
    .deleteFrom('postRead')
    .where(sql<SqlBool>`${key} in (select ${sql.ref('postId')}, day from ${sql.table('postRead')}
      where day < ${before} order by day limit ${limit})`)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export async function findPrefs(db: Database, userId: string): Promise<string | undefined> {
  const found = db.selectFrom('user').select('prefs').where('id', '=', userId)
  return (await found.executeTakeFirst())?.prefs
}
