// Reads of posts in SQL (tables `postRead` and `deletedRead`). Decides nothing.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { changeInBatches } from '../database/change-in-batches.ts'
import { withRowLock } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'

/** `day` is a date in UTC, such as `2025-11-23`. */
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
  const rows = await withRowLock(tx, readable, 'forKeyShare').execute()
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

/** Reads of an author's posts, in the order of days, after `after`. */
export async function listReadsOf(
  db: Database,
  userId: string,
  { after, limit }: { after: DayOfPost; limit: number },
): Promise<ReadRow[]> {
  return await db
    .selectFrom('postRead')
    .select(['day', 'postId', 'count'])
    .where('userId', '=', userId)
    // A row value uses the index; with `or` each batch would scan all earlier days again.
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

/** Deletes all reads of an author's posts, those of deleted posts included. */
export async function deleteReadsOf(db: Database, userId: string): Promise<void> {
  const ofAuthor = sql`${sql.ref('userId')} = ${userId}`
  await changeInBatches((limit) => deleteSome(db, 'postRead', ofAuthor, limit))
  const ofDeleted = sql`"deletedId" in (select id from "deletedPost" where ${ofAuthor})`
  await changeInBatches((limit) => deleteSome(db, 'deletedRead', ofDeleted, limit))
}

/** Deletes at most `limit` rows of days before `before`. @returns how many */
export async function deleteReadsBefore(db: Database, before: string, limit: number) {
  return await deleteSome(db, 'postRead', sql`day < ${before}`, limit)
}

async function deleteSome(
  db: Database,
  table: 'postRead' | 'deletedRead',
  where: RawBuilder<unknown>,
  limit: number,
): Promise<number> {
  const key = sql`${sql.ref(table === 'postRead' ? 'postId' : 'deletedId')}, day`
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where (${key}) in
    (select ${key} from ${sql.table(table)} where ${where} limit ${limit})`.execute(db)
  return Number(numAffectedRows ?? 0)
}

export async function findPrefs(db: Database, userId: string): Promise<string | undefined> {
  const user = db.selectFrom('user').select('prefs').where('id', '=', userId)
  return (await user.executeTakeFirst())?.prefs
}
