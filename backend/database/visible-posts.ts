// Who may read a post, in SQL, as the indexes have it. Decides nothing: readers and owner come in.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { UNKNOWN_USER_NAME } from '#contract/limits.ts'
import type { Readers } from '#contract/permissions.ts'

/**
 * The posts that a viewer may read: all, or the active ones for these readers that are not
 * hidden, plus everything that `ownerId` wrote; nothing by blocked authors.
 */
export type PostScope = 'all' | { readers: Readers[]; ownerId: string | undefined }

/** Who sees a post: `hidden`, `draft`, or its readers. The indexes have the same words. */
export const POST_VISIBILITY = shownOf('post')

/** `searchPost` has the columns that decide, too. */
type ScopedTable = 'post' | 'searchPost'

function shownOf(table: ScopedTable): RawBuilder<string> {
  const [isHidden, status, readers] = ['isHidden', 'status', 'readers'].map((name) =>
    sql.ref(`${table}.${name}`),
  )
  return sql<string>`(case when ${isHidden} = 1 then 'hidden' when ${status} <> 'active' then 'draft' else ${readers} end)`
}

export function inScope(scope: PostScope, table: ScopedTable = 'post'): RawBuilder<SqlBool> {
  if (scope === 'all') return sql`1 = 1`
  const { readers, ownerId } = scope
  const shown = sql<SqlBool>`${shownOf(table)} in (${sql.join(readers)})`
  const mine =
    ownerId === undefined ? shown : sql`(${shown} or ${sql.ref(`${table}.userId`)} = ${ownerId})`
  return sql<SqlBool>`(${mine} and not ${isBlocked(table)})`
}

/**
 * Asked of the account itself, never copied into posts: a block holds from its commit on. The few
 * blocked people are found once, not for each post.
 */
export function isBlocked(table: ScopedTable | 'postTag'): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(`${table}.userId`)} in (select id from "user" where ${sql.ref('user.isBlocked')} = 1)`
}

export const AUTHOR_NAME = sql<string>`coalesce((select name from "user" where "user".id = ${sql.ref('post.userId')}), ${UNKNOWN_USER_NAME})`
