// SQL of the source of a list of posts: its ranges (database/list-query.ts), and the columns of its
// filters and its order. Indexes group posts by their readers: a list consists of a few ranges of
// an index, one for each group that the viewer may read, and reads no other posts.
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
  isPage,
  POST_VISIBILITY,
  type PostScope,
} from '../database/visible-posts.ts'
import { filterByFullText } from './full-text-search-store.ts'
import { type AccessPath, isStatus, type SortKey, statusesOf } from './list-access-paths.ts'

/**
 * The readers of a post; `draft`: its status is not active; `hidden`: an operator has hidden it.
 */
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
const BY_USER_AND_TIME = 'postOfUserByTime'

export type PostRange = IndexRange & {
  /** The range yields posts in the requested order, with no further condition. */
  isInOrder: boolean
  /** A SELECT of the `seq` of all posts in the range. */
  candidates: RawBuilder<unknown>
}
export type PostSource = Omit<ListSource, 'ranges'> & { ranges: PostRange[] }
type ListInScope = { query: ListQuery; scope: PostScope }
type RangeRequest = ListInScope & { db: Database; path: AccessPath; source: ListSource }

export function sourceFor(db: Database, list: ListInScope, path: AccessPath): PostSource {
  return { ...POST_LIST, ranges: indexRangesFor({ ...list, db, path, source: POST_LIST }) }
}

function indexRangesFor(request: RangeRequest): PostRange[] {
  const { db, path } = request
  switch (path.by) {
    case 'ids':
      return [rangeByLookup(request, usingIndex(db, 'post', 'sqlite_autoindex_post_1'))]
    case 'words':
      return [rangeByLookup(request, usingPrimaryKey(db, 'post'))]
    case 'authors':
      return [rangeByLookup(request, usingIndex(db, 'post', BY_USER_AND_TIME))]
    case 'likes': {
      // `cross join` as in `rangeByReference`.
      const isLiked = sql`from "postLike" cross join discussion
        where "postLike"."userId" in (${sql.join(valuesIn(path))})
          and discussion.seq = "postLike"."discussionSeq" and discussion."postId" is not null`
      return [rangeByReference(request, { key: 'postId', isNamed: isLiked, on: 'post.id' })]
    }
    case 'tags': {
      const keys = valuesIn(path).map(tagKey)
      const isTagged = sql`from ${sql.table('postTag')} where ${sql.ref('key')} in (${sql.join(keys)})`
      return [rangeByReference(request, { key: 'postSeq', isNamed: isTagged, on: 'post.seq' })]
    }
    default: {
      const ranges = groupsFor(request).map((group) => rangeOfGroup(request, group))
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
function rangeByLookup(
  { db, scope, source, path }: RangeRequest,
  from: RawBuilder<unknown>,
): PostRange {
  const conditions = path.narrowing.slice(0, 1).map((filter) => filterSql(db, source, filter))
  const candidates = sql`select post.seq from ${from} where ${joinConditions(conditions, 'and')}`
  return { from, where: inScope(scope), candidates, isInOrder: false }
}

/** The posts that rows of another table reference by a key. */
function rangeByReference(
  { scope, path }: RangeRequest,
  { key, isNamed, on }: { key: string; isNamed: RawBuilder<unknown>; on: string },
): PostRange {
  // With `cross join`, SQLite joins the tables in this order.
  const from = (select: string) =>
    sql`(${sql.raw(select)} ${sql.ref(key)} ${isNamed}) as named cross join post`
  const isSame = sql<SqlBool>`${sql.ref(on)} = ${sql.ref(`named.${key}`)}`
  return {
    from: from('select distinct'),
    where: joinConditions([isSame, inScope(scope)], 'and'),
    covered: path.narrowing.slice(0, 1),
    candidates: sql`select post.seq from ${from('select')} where ${isSame}`,
    isInOrder: false,
  }
}

/** Adjacent posts in an index: posts with the same readers, by all users or by one. */
type PostGroup = { shown: Shown; userId?: string | undefined }

/** Posts that only their author may see are groups of their own. */
function groupsFor({ query, scope, path }: RangeRequest): PostGroup[] {
  const { hasActive, hasOthers } = statusesOf(query)
  const isRequested = (shown: Shown) =>
    shown === 'hidden' || (shown === 'draft' ? hasOthers : hasActive)
  const userId = path.by === 'author' ? valuesIn(path)[0] : undefined
  const candidates = ALL.filter(isRequested)
  if (scope === 'all') return candidates.map((shown) => ({ shown, userId }))
  const { ownerId } = scope
  const readers: readonly Shown[] = scope.readers
  const readable = candidates
    .filter((shown) => readers.includes(shown))
    .map((shown) => ({ shown, userId }))
  if (ownerId === undefined || (userId !== undefined && userId !== ownerId)) return readable
  const visibleToOwner = candidates.filter((shown) => !readers.includes(shown))
  return [...readable, ...visibleToOwner.map((shown) => ({ shown, userId: ownerId }))]
}

function rangeOfGroup(request: RangeRequest, { shown, userId }: PostGroup): PostRange {
  const { db, scope, source, path } = request
  const isOfUser = userId !== undefined
  if (path.by === 'tag' && !isOfUser) return rangeOfTag(request, shown)
  // The posts of one user are indexed in two orders only.
  const indexKey = isOfUser && path.sortedBy !== '$sequence' ? '$createdAt' : path.sortedBy
  const userIndex = indexKey === '$sequence' ? 'postOfUserInOrder' : BY_USER_AND_TIME
  const from = usingIndex(db, 'post', isOfUser ? userIndex : INDEXES[indexKey])
  const where = joinConditions(
    [
      isOfUser ? sql<SqlBool>`${sql.ref('post.userId')} = ${userId}` : undefined,
      sql<SqlBool>`${POST_VISIBILITY} = ${sql.lit(shown)}`,
      scope === 'all' ? undefined : sql<SqlBool>`not ${isBlocked('post')}`,
      // Pages that are inactive or hidden would be among the posts of their writer.
      scope === 'all' || ACTIVE.includes(shown) ? undefined : sql<SqlBool>`not ${isPage('post')}`,
    ],
    'and',
  )
  const isSorted = indexKey === path.sortedBy
  const narrowing = path.by === 'all' ? path.narrowing : path.narrowing.slice(1)
  const rangeFilters = isSorted ? narrowing.map((filter) => filterSql(db, source, filter)) : []
  return {
    from,
    where,
    covered: path.by === 'author' ? path.narrowing.slice(0, 1) : [],
    candidates: sql`select post.seq from ${from} where ${joinConditions([where, ...rangeFilters], 'and')}`,
    // The viewer's own posts are checked for the tag one by one.
    isInOrder: path.isInOrder && isSorted && path.by !== 'tag',
  }
}

/** Reads only the index of tags if it suffices: it repeats the readers of posts. */
function rangeOfTag({ db, query, scope, source, path }: RangeRequest, shown: Shown): PostRange {
  const [tagged, ...rangeFilters] = path.narrowing
  const covered = query.filters.filter(
    (filter) => filter === tagged || (ACTIVE.includes(shown) && isStatus(filter)),
  )
  const isIndexOnly =
    query.filters.every((filter) => covered.includes(filter) || rangeFilters.includes(filter)) &&
    query.order.every(({ attribute = '$sequence' }) => Object.hasOwn(TAG_COLUMNS, attribute))
  const table = sql.table('postTag')
  const conditions = [
    sql<SqlBool>`${sql.ref('postTag.key')} = ${tagKey(valuesIn(path)[0] ?? '')}`,
    sql<SqlBool>`${sql.ref('postTag.shown')} = ${sql.lit(shown)}`,
    scope === 'all' ? undefined : sql<SqlBool>`not ${isBlocked('postTag')}`,
  ]
  const columns = { ...source.columns, ...TAG_COLUMNS }
  const inRange = rangeFilters.map((filter) => filterSql(db, { ...source, columns }, filter))
  const isSame = isIndexOnly ? undefined : sql<SqlBool>`post.seq = ${TAG_SEQ}`
  return {
    from: isIndexOnly ? table : sql`${table} cross join post`,
    where: joinConditions([...conditions, isSame], 'and'),
    seq: TAG_SEQ,
    columns: TAG_COLUMNS,
    covered,
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

/** Of a scheduled post, when it will be published: those who list it may know. */
const PUBLISHED_AT = sql`coalesce((select "publishAt" from "postSchedule"
  where "postSchedule"."postId" = post.id), ${sql.ref('post.publishedAt')})`

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
    publishedAt: { value: sql`nullif(${PUBLISHED_AT}, '')`, order: PUBLISHED_AT },
    title: { value: sql.ref('post.title'), isText: 'inIndex', search: filterByFullText },
    content: { value: sql.ref('post.content'), isText: true, search: filterByFullText },
    featuredImage: { value: sql.ref('post.featuredImage'), isText: true },
    status: { value: sql.ref('post.status'), isText: true },
    userid: { value: sql.ref('post.userId'), isText: true },
    userName: { value: AUTHOR_NAME, isText: true },
    like: { value: sql.ref('post.likes') },
    likeId: {
      // Checked for each post. With `in` or `exists`, PostgreSQL would first read all likes of
      // these users.
      hasAny: (values) => sql`(select 1 from "postLike" where "postLike"."discussionSeq" =
          (select discussion.seq from discussion where discussion."postId" = post.id)
        and "postLike"."userId" in (${sql.join(values)}) limit 1) is not null`,
    },
    tags: { hasAny: (values) => hasAnyTag(values.map((value) => tagKey(String(value)))) },
  },
}

function hasAnyTag(keys: string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`(select 1 from ${sql.table('postTag')} where ${sql.ref('postTag.postSeq')} = post.seq
    and ${sql.ref('postTag.key')} in (${sql.join(keys)}) limit 1) is not null`
}
