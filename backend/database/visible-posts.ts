// SQL conditions for the posts that a viewer may read, in the form that the indexes use. The caller
// decides about readers and owner.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { UNKNOWN_USER_NAME } from '#contract/limits.ts'
import type { Readers } from '#contract/permissions.ts'

/**
 * The posts that a viewer may read: all, or those that are active, not hidden and open to these
 * readers, plus everything that `ownerId` wrote, except pages; never posts by blocked authors.
 */
export type PostScope = 'all' | { readers: Readers[]; ownerId: string | undefined }

/** `hidden`, `draft`, or the readers of the post: the expression that the indexes have. */
export const POST_VISIBILITY = visibilityIn('post')

/** `searchPost` has copies of the columns. */
type ScopedTable = 'post' | 'searchPost'

function visibilityIn(table: ScopedTable): RawBuilder<string> {
  const [isHidden, status, readers] = ['isHidden', 'status', 'readers'].map((name) =>
    sql.ref(`${table}.${name}`),
  )
  return sql<string>`(case when ${isHidden} = 1 then 'hidden' when ${status} <> 'active' then 'draft' else ${readers} end)`
}

export function inScope(scope: PostScope, table: ScopedTable = 'post'): RawBuilder<SqlBool> {
  if (scope === 'all') return sql`1 = 1`
  const { readers, ownerId } = scope
  const isVisible = sql<SqlBool>`${visibilityIn(table)} in (${sql.join(readers)})`
  const isReadable =
    ownerId === undefined
      ? isVisible
      : sql`(${isVisible} or ${sql.ref(`${table}.userId`)} = ${ownerId} and not ${isPage(table)})`
  return sql<SqlBool>`(${isReadable} and not ${isBlocked(table)})`
}

/** The few pages of the blog are selected once, not for each post. */
export function isPage(table: ScopedTable): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(`${table}.seq`)} in (select page.seq from post as page where page.readers = 'page')`
}

/**
 * Reads the account, not a copy in the post, so that a block takes effect with its commit. The few
 * blocked people are selected once, not for each post.
 */
export function isBlocked(table: ScopedTable | 'postTag'): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(`${table}.userId`)} in (select id from "user" where ${sql.ref('user.isBlocked')} = 1)`
}

export const AUTHOR_NAME = sql<string>`coalesce((select name from "user" where "user".id = ${sql.ref('post.userId')}), ${UNKNOWN_USER_NAME})`
