// SQL of the sitemap, always as a guest sees it: posts, in parts in order of creation, their
// authors and their tags. The same on both databases. Functions named `select…` do not execute
// their query, for tests of plans.

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database, PostRow } from '../database/schema.ts'
import { isBlocked, POST_VISIBILITY } from '../database/visible-posts.ts'
import { GUEST, readerGroups } from '../http/viewer.ts'
import type { Page } from '../process/batches.ts'

/** Addresses in one file of the sitemap. @source sitemaps.org "Sitemap file location" */
export const SITEMAP_ADDRESSES_MAX = 50_000

export type PartRow = Pick<PostRow, 'seq' | 'id' | 'title' | 'updatedAt'> & {
  /** As JSON (posts/post-details.ts); empty for none. */
  details: string
}

const GUESTS = sql.join(readerGroups(GUEST))
/** The expression of the index `postSitemap`; with a bound value the index would not be used. */
const PART = sql<number>`((post.seq - 1) / ${sql.raw(String(SITEMAP_ADDRESSES_MAX))})`
const INDEXED = sql<SqlBool>`(post.status = 'active' and ${sql.ref('post.isHidden')} = 0)`

function inPart(part: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${INDEXED} and ${PART} = ${part} and post.readers in (${GUESTS})
    and not ${isBlocked('post')})`
}

/** The next part that has public posts; all of them may be by blocked authors. */
export async function findPartAfter(db: Database, part: number): Promise<number | undefined> {
  const parts = db.selectFrom('post').select(PART.as('part')).where(INDEXED)
  const next = parts.where(sql<SqlBool>`${PART} > ${part}`).orderBy(PART).limit(1)
  const nextRow = await next.executeTakeFirst()
  return nextRow && Number(nextRow.part)
}

/** When a part was changed last; undefined when guests can read none of its posts. */
export async function findPartChange(db: Database, part: number): Promise<string | undefined> {
  const posts = db.selectFrom('post').select('updatedAt').where(inPart(part))
  return (await posts.orderBy('updatedAt', 'desc').limit(1).executeTakeFirst())?.updatedAt
}

/** Posts of a part, in order of their last change. */
export function selectPart(
  db: Database,
  part: number,
  { after, limit }: Page<Pick<PartRow, 'updatedAt' | 'seq'>>,
) {
  const details = sql<string>`coalesce((select details from ${sql.table('postDetails')}
    where ${sql.ref('postDetails.postId')} = post.id), '')`
  const columns = ['seq', 'id', 'title', 'updatedAt'] as const
  const posts = db.selectFrom('post').select([...columns, details.as('details')])
  const inOrder = posts.where(inPart(part)).orderBy('updatedAt').orderBy('seq').limit(limit)
  return after
    ? inOrder.where(sql<SqlBool>`("updatedAt", seq) > (${after.updatedAt}, ${after.seq})`)
    : inOrder
}

/** Some names after `after`, optionally up to `upTo`, in the order of the database. */
export type NamesPage = { after: string; upTo: string | undefined; limit: number }
/** A name with the time of its newest post. */
export type NamedRow = { id: string; newestAt: string }

export function selectAuthors(page: NamesPage): RawBuilder<NamedRow> {
  const isVisible = sql`${POST_VISIBILITY} in (${GUESTS}) and not ${isBlocked('post')}`
  return selectNames(page, { table: 'post', name: 'userId', isVisible })
}

export function selectTags(page: NamesPage): RawBuilder<NamedRow> {
  const isVisible = sql`shown in (${GUESTS}) and not ${isBlocked('postTag')}`
  return selectNames(page, { table: 'postTag', name: 'key', isVisible })
}

/**
 * Names that have a visible post. Each step finds the next name in the index, however many posts a
 * name has.
 */
function selectNames(
  { after, upTo, limit }: NamesPage,
  { table, name, isVisible }: { table: string; name: string; isVisible: RawBuilder<unknown> },
): RawBuilder<NamedRow> {
  const rows = sql.table(table)
  const column = sql.ref(`${table}.${name}`)
  const next = (from: RawBuilder<unknown>) =>
    sql`(select min(${column}) from ${rows} where ${column} > ${from})`
  const newest = sql`(select "createdAt" from ${rows} where ${column} = found.id and ${isVisible}
    order by "createdAt" desc limit 1)`
  const isInside = upTo === undefined ? sql`found.id is not null` : sql`found.id <= ${upTo}`
  return sql<NamedRow>`
    with recursive found(id) as (
      select ${next(sql`${after}`)} union all select ${next(sql`found.id`)} from found where ${isInside}
    )
    select id, "newestAt" from (
      select found.id, ${newest} as "newestAt" from found where ${isInside}
    ) as named where "newestAt" is not null limit ${limit}`
}
