// SQL of the numbers of the overview. Rows are counted by indexes, up to `COUNTED_MAX`. Decides
// nothing.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/schema.ts'

const COUNTED_MAX = 20_000

/** The times at which the week before the last one, and the last one, began. */
export type NewsPeriods = { before: string; week: string }

const countUpToMax = (rows: RawBuilder<unknown>) =>
  sql<number>`(select count(*) from (select 1 ${rows} limit ${COUNTED_MAX}) as counted)`
/** The same expression as in the indexes of posts (0100-schema/posts.ts). */
const READERS_OF_POST = sql`(case when "isHidden" = 1 then 'hidden' when status <> 'active' then 'draft' else readers end)`

export async function countNews(db: Database, { before, week }: NewsPeriods) {
  const posts = sql`from post where ${READERS_OF_POST} in ('any', 'users', 'verified', 'unverified')`
  const created = sql.ref('createdAt')
  const isCounted = sql.ref('isCounted')
  const between = sql`${created} > ${before} and ${created} <= ${week}`
  const { rows } = await sql<Record<string, number>>`select
    ${countUpToMax(posts)} as posts,
    ${countUpToMax(sql`${posts} and ${created} > ${week}`)} as "newPosts",
    ${countUpToMax(sql`${posts} and ${between}`)} as "postsBefore",
    (select count(*) from "user") as people,
    ${countUpToMax(sql`from "user" where ${created} > ${week}`)} as "newPeople",
    ${countUpToMax(sql`from "user" where ${between}`)} as "peopleBefore",
    ${countUpToMax(sql`from comment where ${created} > ${week} and ${isCounted} = 1`)} as "newComments",
    ${countUpToMax(sql`from comment where ${between} and ${isCounted} = 1`)} as "commentsBefore",
    ${countUpToMax(sql`from comment where status = 'waiting'`)} as waiting`.execute(db)
  const row = rows[0] ?? {}
  return (name: string) => Number(row[name] ?? 0)
}

/** When the database was last changed for a new version. */
export async function findLastMigration(db: Database): Promise<string> {
  const { rows } = await sql<{ at: string }>`
    select max("timestamp") as at from kysely_migration`.execute(db)
  return rows[0]?.at ?? ''
}
