// The source of a list of posts in SQL: its ranges (database/list-query.ts), and the columns by
// which it is filtered and ordered. Indexes group posts by who may see them: a list consists of a
// few ranges of an index, one for each group that the viewer may see, and reads no other posts.
// list-access-paths.ts chooses the index.

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Readers } from '#contract/permissions.ts'
import { tagKey } from '#contract/plain-text.ts'
import { usingIndex, usingPrimaryKey } from '../database/dialect.ts'
import { filterSql, joinConditions } from '../database/list-conditions.ts'
import type { IndexRange, ListSource } from '../database/list-query.ts'
import type { ListQuery } from '../database/queries.ts'
import type { Database } from '../database/schema.ts'
import {
  AUTHOR_NAME,
  inScope,
  isBlocked,
  POST_VISIBILITY,
  type PostScope,
} from '../database/visible-posts.ts'
import { filterByFullText } from './full-text-search-store.ts'
import { type AccessPath, isStatus, type SortKey, statusesOf } from './list-access-paths.ts'

/** Who sees a post: `draft` has another status than active, `hidden` is hidden by the operator. */
type Shown = Readers | 'draft' | 'hidden'
const ACTIVE: readonly Shown[] = ['any', 'users', 'verified', 'unverified', 'owner']
const ALL: readonly Shown[] = [...ACTIVE, 'draft', 'hidden']

const INDEXES: Record<SortKey, string> = {
  $sequence: 'postInOrder',
  $createdAt: 'postByTime',
  $updatedAt: 'postByChange',
  title: 'postByTitle',
  like: 'postByLikes',
}
const OF_ONE_BY_TIME = 'postOfUserByTime'

export type PostRange = IndexRange & {
  /** The range yields posts in the requested order, with no further condition. */
  isInOrder: boolean
  /** A SELECT of the `seq` of all posts in the range. */
  candidates: RawBuilder<unknown>
}
export type PostSource = Omit<ListSource, 'ranges'> & { ranges: PostRange[] }
type Listed = { query: ListQuery; scope: PostScope }
type Step = Listed & { db: Database; path: AccessPath; source: ListSource }

export function sourceFor(db: Database, list: Listed, path: AccessPath): PostSource {
  return { ...POST_LIST, ranges: indexRangesFor({ ...list, db, path, source: POST_LIST }) }
}

function indexRangesFor(step: Step): PostRange[] {
  const { db, path } = step
  switch (path.by) {
    case 'ids':
      return [rangeOfFew(step, usingIndex(db, 'post', 'sqlite_autoindex_post_1'))]
    case 'words':
      return [rangeOfFew(step, usingPrimaryKey(db, 'post'))]
    case 'authors':
      return [rangeOfFew(step, usingIndex(db, 'post', OF_ONE_BY_TIME))]
    case 'likes': {
      // `cross join` as in `rangeBeside`.
      const isLiked = sql`from "postLike" cross join discussion
        where "postLike"."userId" in (${sql.join(valuesIn(path))})
          and discussion.seq = "postLike"."discussionSeq" and discussion."postId" is not null`
      return [rangeBeside(step, { key: 'postId', isNamed: isLiked, on: 'post.id' })]
    }
    case 'tags': {
      const keys = valuesIn(path).map(tagKey)
      const isTagged = sql`from ${sql.table('postTag')} where ${sql.ref('key')} in (${sql.join(keys)})`
      return [rangeBeside(step, { key: 'postSeq', isNamed: isTagged, on: 'post.seq' })]
    }
    default: {
      const ranges = groupsFor(step).map((group) => rangeOfGroup(step, group))
      return ranges.length > 0 ? ranges : [NOTHING]
    }
  }
}

const NOTHING: PostRange = {
  from: sql.table('post'),
  where: sql<SqlBool>`1 = 0`,
  candidates: sql`select seq from post where 1 = 0`,
  isInOrder: true,
}

/** The values of the first narrowing condition. */
function valuesIn({ narrowing: [first] }: AccessPath): string[] {
  return first && 'values' in first ? first.values.map(String) : []
}

/** The posts that an index finds for the first narrowing condition. */
function rangeOfFew({ db, scope, source, path }: Step, from: RawBuilder<unknown>): PostRange {
  const conditions = path.narrowing.slice(0, 1).map((filter) => filterSql(db, source, filter))
  const candidates = sql`select post.seq from ${from} where ${joinConditions(conditions, 'and')}`
  return { from, where: inScope(scope), candidates, isInOrder: false }
}

/** The posts that another table references by a key. */
function rangeBeside(
  { scope, path }: Step,
  { key, isNamed, on }: { key: string; isNamed: RawBuilder<unknown>; on: string },
): PostRange {
  // With `cross join`, SQLite joins the tables in this order.
  const from = (select: string) =>
    sql`(${sql.raw(select)} ${sql.ref(key)} ${isNamed}) as named cross join post`
  const isSame = sql<SqlBool>`${sql.ref(on)} = ${sql.ref(`named.${key}`)}`
  return {
    from: from('select distinct'),
    where: joinConditions([isSame, inScope(scope)], 'and'),
    answered: path.narrowing.slice(0, 1),
    candidates: sql`select post.seq from ${from('select')} where ${isSame}`,
    isInOrder: false,
  }
}

/** Adjacent posts of an index: one group of posts, of all people or of one. */
type PostGroup = { shown: Shown; userId?: string | undefined }

/** Posts that only their author may see are groups of their own. */
function groupsFor({ query, scope, path }: Step): PostGroup[] {
  const { hasActive, hasOthers } = statusesOf(query)
  const isAsked = (shown: Shown) =>
    shown === 'hidden' || (shown === 'draft' ? hasOthers : hasActive)
  const userId = path.by === 'author' ? valuesIn(path)[0] : undefined
  const candidates = ALL.filter(isAsked)
  if (scope === 'all') return candidates.map((shown) => ({ shown, userId }))
  const { ownerId } = scope
  const readers: readonly Shown[] = scope.readers
  const seen = candidates
    .filter((shown) => readers.includes(shown))
    .map((shown) => ({ shown, userId }))
  if (ownerId === undefined || (userId !== undefined && userId !== ownerId)) return seen
  const ownOnly = candidates.filter((shown) => !readers.includes(shown))
  return [...seen, ...ownOnly.map((shown) => ({ shown, userId: ownerId }))]
}

function rangeOfGroup(step: Step, { shown, userId }: PostGroup): PostRange {
  const { db, scope, source, path } = step
  const isOfOne = userId !== undefined
  if (path.by === 'tag' && !isOfOne) return rangeOfTag(step, shown)
  // The posts of one person are indexed in two orders only.
  const along = isOfOne && path.sortedBy !== '$sequence' ? '$createdAt' : path.sortedBy
  const indexOfOne = along === '$sequence' ? 'postOfUserInOrder' : OF_ONE_BY_TIME
  const from = usingIndex(db, 'post', isOfOne ? indexOfOne : INDEXES[along])
  const where = joinConditions(
    [
      isOfOne ? sql<SqlBool>`${sql.ref('post.userId')} = ${userId}` : undefined,
      sql<SqlBool>`${POST_VISIBILITY} = ${sql.lit(shown)}`,
      scope === 'all' ? undefined : sql<SqlBool>`not ${isBlocked('post')}`,
    ],
    'and',
  )
  const isAlong = along === path.sortedBy
  const narrowing = path.by === 'all' ? path.narrowing : path.narrowing.slice(1)
  const rangeFilters = isAlong ? narrowing.map((filter) => filterSql(db, source, filter)) : []
  return {
    from,
    where,
    answered: path.by === 'author' ? path.narrowing.slice(0, 1) : [],
    candidates: sql`select post.seq from ${from} where ${joinConditions([where, ...rangeFilters], 'and')}`,
    // The viewer's own posts are checked for the tag one by one.
    isInOrder: path.isInOrder && isAlong && path.by !== 'tag',
  }
}

/** The index of tags alone answers, because it repeats who sees a post, unless more is required. */
function rangeOfTag({ db, query, scope, source, path }: Step, shown: Shown): PostRange {
  const [tagged, ...rangeFilters] = path.narrowing
  const answered = query.filters.filter(
    (filter) => filter === tagged || (ACTIVE.includes(shown) && isStatus(filter)),
  )
  const isAlone =
    query.filters.every((filter) => answered.includes(filter) || rangeFilters.includes(filter)) &&
    query.order.every(({ attribute = '$sequence' }) => Object.hasOwn(TAG_COLUMNS, attribute))
  const table = sql.table('postTag')
  const conditions = [
    sql<SqlBool>`${sql.ref('postTag.key')} = ${tagKey(valuesIn(path)[0] ?? '')}`,
    sql<SqlBool>`${sql.ref('postTag.shown')} = ${sql.lit(shown)}`,
    scope === 'all' ? undefined : sql<SqlBool>`not ${isBlocked('postTag')}`,
  ]
  const columns = { ...source.columns, ...TAG_COLUMNS }
  const inRange = rangeFilters.map((filter) => filterSql(db, { ...source, columns }, filter))
  const isSame = isAlone ? undefined : sql<SqlBool>`post.seq = ${TAG_SEQ}`
  return {
    from: isAlone ? table : sql`${table} cross join post`,
    where: joinConditions([...conditions, isSame], 'and'),
    seq: TAG_SEQ,
    columns: TAG_COLUMNS,
    answered,
    isInOrder: path.isInOrder,
    candidates: sql`select ${TAG_SEQ} as seq from ${table} where ${joinConditions([...conditions, ...inRange], 'and')}`,
  }
}

const TAG_SEQ = sql.ref('postTag.postSeq')
const TAG_COLUMNS = {
  $createdAt: { value: sql.ref('postTag.createdAt') },
  $sequence: { value: TAG_SEQ },
}

// --- columns

/** The attributes by which lists of posts are filtered and ordered (api.md §3.4). */
const POST_LIST: ListSource = {
  table: 'post',
  seq: sql.ref('post.seq'),
  id: sql.ref('post.id'),
  columns: {
    $id: { value: sql.ref('post.id'), isText: true },
    $createdAt: { value: sql.ref('post.createdAt') },
    $updatedAt: { value: sql.ref('post.updatedAt') },
    $sequence: { value: sql.ref('post.seq') },
    publishedAt: {
      value: sql`nullif(${sql.ref('post.publishedAt')}, '')`,
      order: sql.ref('post.publishedAt'),
    },
    title: { value: sql.ref('post.title'), isText: 'inIndex', search: filterByFullText },
    content: { value: sql.ref('post.content'), isText: true, search: filterByFullText },
    featuredImage: { value: sql.ref('post.featuredImage'), isText: true },
    status: { value: sql.ref('post.status'), isText: true },
    userid: { value: sql.ref('post.userId'), isText: true },
    userName: { value: AUTHOR_NAME, isText: true },
    like: { value: sql.ref('post.likes') },
    likeId: {
      // Checked for each post. With `in` or `exists`, PostgreSQL would first read all likes of
      // these people.
      hasAny: (values) => sql`(select 1 from "postLike" where "postLike"."discussionSeq" =
          (select discussion.seq from discussion where discussion."postId" = post.id)
        and "postLike"."userId" in (${sql.join(values)}) limit 1) is not null`,
    },
    tags: { hasAny: (values) => hasAnyTag(values.map((one) => tagKey(String(one)))) },
  },
}

function hasAnyTag(keys: string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`(select 1 from ${sql.table('postTag')} where ${sql.ref('postTag.postSeq')} = post.seq
    and ${sql.ref('postTag.key')} in (${sql.join(keys)}) limit 1) is not null`
}
