// What of the posts search engines are told of, in SQL, the same on both databases: posts in parts
// of the order of creation, and the people who wrote them.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Readers } from '#contract/permissions.ts'
import type { Database } from '../database/schema.ts'
import { isBlocked, SHOWN } from './post-scope-store.ts'

/** Addresses in one file of the sitemap. @source sitemaps.org "Sitemap file location" */
export const SITEMAP_ADDRESSES_MAX = 50_000

/** Where a batch begins: behind this post. */
export type PartCursor = { updatedAt: string; seq: number }
export type NamedRow = { id: string; newestAt: string }

/** As the index of migration 0017 has it; a bound value would not find it. */
const PART = sql<number>`((post.seq - 1) / ${sql.raw(String(SITEMAP_ADDRESSES_MAX))})`
const INDEXED = sql<SqlBool>`(post.status = 'active' and ${sql.ref('post.isHidden')} = 0)`

/** The next part that has public posts, perhaps of blocked authors only. */
export async function findPartAfter(db: Database, part: number): Promise<number | undefined> {
  const found = await db
    .selectFrom('post')
    .select(PART.as('part'))
    .where(INDEXED)
    .where(sql<SqlBool>`${PART} > ${part}`)
    .orderBy(PART)
    .limit(1)
    .executeTakeFirst()
  return found && Number(found.part)
}

/** When a part was changed last; undefined when nothing of it may be read. */
export async function findPartChange(
  db: Database,
  part: number,
  readers: readonly Readers[],
): Promise<string | undefined> {
  const found = await db
    .selectFrom('post')
    .select('post.updatedAt')
    .where(inPart(part, readers))
    .orderBy('post.updatedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found?.updatedAt
}

/**
 * Posts of a part, the one changed longest ago first; not yet executed, so that a test can ask the
 * database for its plan.
 */
export function selectPart(
  db: Database,
  part: number,
  options: { readers: readonly Readers[]; after: PartCursor | undefined; limit: number },
) {
  const { readers, after, limit } = options
  let query = db
    .selectFrom('post')
    .select(['post.seq', 'post.id', 'post.title', 'post.updatedAt'])
    .where(inPart(part, readers))
  if (after)
    query = query.where(
      sql<SqlBool>`(${sql.ref('post.updatedAt')}, post.seq) > (${after.updatedAt}, ${after.seq})`,
    )
  return query.orderBy('post.updatedAt').orderBy('post.seq').limit(limit)
}

function inPart(part: number, readers: readonly Readers[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${INDEXED} and ${PART} = ${part} and post.readers in (${sql.join(readers)})
    and not ${isBlocked('post')})`
}

/** Some names behind this one, up to another where it is given, in the order of the database. */
export type NamesAsked = { after: string; upTo: string | undefined; limit: number }

/**
 * People with posts that these readers see, by their ids, with the time of the newest one. Each
 * step goes to
 * the next person in the index of posts: there may be many people who have written nothing.
 */
export async function listAuthors(
  db: Database,
  asked: NamesAsked & { readers: readonly Readers[] },
): Promise<NamedRow[]> {
  return (await selectAuthors(asked).execute(db)).rows
}

/** Not yet executed, so that a test can ask the database for its plan. */
export function selectAuthors({
  readers,
  after,
  upTo,
  limit,
}: NamesAsked & { readers: readonly Readers[] }): RawBuilder<NamedRow> {
  const id = sql.ref('post.userId')
  const newest = sql`(select ${sql.ref('post.createdAt')} from post where ${id} = found.id
    and ${SHOWN} in (${sql.join(readers)}) and not ${isBlocked('post')}
    order by ${sql.ref('post.createdAt')} desc limit 1)`
  const next = (from: RawBuilder<unknown>) =>
    sql`(select min(${id}) from post where ${id} > ${from})`
  return selectFound({ first: next(sql`${after}`), next: next(sql`found.id`), newest, upTo, limit })
}

/**
 * Tags of posts that these readers see, by their keys, with the time of the newest such post. Each
 * step goes
 * to the next key in the index, however many posts the tag has.
 */
export async function listTags(
  db: Database,
  { readers, after, upTo, limit }: NamesAsked & { readers: readonly Readers[] },
): Promise<NamedRow[]> {
  const key = sql.ref('postTag.key')
  const newest = sql`(select ${sql.ref('postTag.createdAt')} from ${sql.table('postTag')}
    where ${key} = found.id and ${sql.ref('postTag.shown')} in (${sql.join(readers)})
    and not ${isBlocked('postTag')} order by ${sql.ref('postTag.createdAt')} desc limit 1)`
  const next = (from: RawBuilder<unknown>) =>
    sql`(select min(${key}) from ${sql.table('postTag')} where ${key} > ${from})`
  const walk = { first: next(sql`${after}`), next: next(sql`found.id`), newest, upTo, limit }
  return (await selectFound(walk).execute(db)).rows
}

type Walk = Pick<NamesAsked, 'upTo' | 'limit'> &
  Record<'first' | 'next' | 'newest', RawBuilder<unknown>>

/** One name after the other, as far as they have a newest post. */
function selectFound({ first, next, newest, upTo, limit }: Walk): RawBuilder<NamedRow> {
  const isInside = upTo === undefined ? sql`found.id is not null` : sql`found.id <= ${upTo}`
  return sql<NamedRow>`
    with recursive found(id) as (
      select ${first} union all select ${next} from found where ${isInside}
    )
    select id, ${sql.ref('newestAt')} from (
      select found.id, ${newest} as ${sql.ref('newestAt')} from found where ${isInside}
    ) as named where ${sql.ref('newestAt')} is not null limit ${limit}`
}
