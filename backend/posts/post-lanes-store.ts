// The lanes of a list of posts (database/list-query.ts): posts are in indexes by who may see them,
// so that a list is made of a few ranges of an index, one for each kind of posts that the viewer
// may see, and passes no others. Which index that is, list-walk.ts says.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Readers } from '#contract/permissions.ts'
import { alongIndex, byKey } from '../database/dialect.ts'
import type { Lane } from '../database/list-query.ts'
import type { ListQuery } from '../database/queries.ts'
import type { Database } from '../database/schema.ts'
import type { PostScope } from './access.ts'
import { askedTags, isFirstAsking } from './asked.ts'
import { rangesOf, type Sorted, statusesOf, type Walk, walkOf } from './list-walk.ts'
import { inScope, isBlocked, SHOWN } from './post-scope-store.ts'

/** Who sees a post: `draft` has another status than active, `hidden` is hidden by the operator. */
type Shown = Readers | 'draft' | 'hidden'
const ACTIVE: readonly Shown[] = ['any', 'users', 'verified', 'unverified', 'owner']
const ALL: readonly Shown[] = [...ACTIVE, 'draft', 'hidden']

/** A range of an index: posts of this kind, of all people or of one. */
type Range = { shown: Shown; userId?: string | undefined }

const INDEXES: Record<Sorted, string> = {
  $sequence: 'postInOrder',
  $createdAt: 'postByTime',
  $updatedAt: 'postByChange',
  title: 'postByTitle',
  like: 'postByLikes',
}
/** Of one person, in the order of creation or of time. */
const OF_ONE = { $sequence: 'postOfUserInOrder', $createdAt: 'postOfUserByTime' }

export function lanesFor(db: Database, query: ListQuery, scope: PostScope): Lane[] {
  const walk = walkOf(query)
  switch (walk.by) {
    case 'ids':
      return [{ from: alongIndex(db, 'post', 'sqlite_autoindex_post_1'), where: inScope(scope) }]
    case 'found':
      return [{ from: byKey(db, 'post'), where: inScope(scope) }]
    case 'authors':
      return [{ from: alongIndex(db, 'post', OF_ONE.$createdAt), where: inScope(scope) }]
    case 'tags':
      return [laneOfTags(query, scope)]
    default: {
      const ranges = rangesFor(query, scope, walk)
      if (ranges.length === 0) return [{ from: sql.table('post'), where: sql<SqlBool>`1 = 0` }]
      return ranges.map((range) => laneOf(db, query, { walk, range, isAll: scope === 'all' }))
    }
  }
}

/** Posts that a person may see as an author only are in ranges of their own. */
function rangesFor(query: ListQuery, scope: PostScope, walk: Walk): Range[] {
  const { hasActive, hasOthers } = statusesOf(query)
  const isAsked = (shown: Shown) =>
    shown === 'hidden' || (shown === 'draft' ? hasOthers : hasActive)
  const userId = walk.by === 'author' ? authorIn(query) : undefined
  const asked = ALL.filter(isAsked)
  if (scope === 'all') return asked.map((shown) => ({ shown, userId }))
  const { ownerId } = scope
  const readers: readonly Shown[] = scope.readers
  const seen = asked.filter((shown) => readers.includes(shown)).map((shown) => ({ shown, userId }))
  if (ownerId === undefined || (userId !== undefined && userId !== ownerId)) return seen
  const own = asked.filter((shown) => !readers.includes(shown))
  return [...seen, ...own.map((shown) => ({ shown, userId: ownerId }))]
}

/** The one person whose posts alone are asked for. */
function authorIn({ filters }: ListQuery): string | undefined {
  for (const filter of filters)
    if (filter.method === 'equal' && filter.attribute === 'userid' && filter.values.length === 1)
      return String(filter.values[0])
  return undefined
}

/** `isAll`: those of blocked people, too. */
type Step = { walk: Extract<Walk, { along: Sorted }>; range: Range; isAll: boolean }
type TagStep = Pick<Step, 'walk' | 'isAll'> & { tag: string; shown: Shown }

function laneOf(db: Database, query: ListQuery, { walk, range, isAll }: Step): Lane {
  const { shown, userId } = range
  const tag = askedTags(query)?.[0] ?? ''
  const isTagged = walk.by === 'tag'
  if (isTagged && userId === undefined) return laneOfTag(query, { walk, isAll, tag, shown })
  const along = userId === undefined ? INDEXES[walk.along] : indexOfOne(query, walk)
  const conditions = [
    ...(userId === undefined ? [] : [sql<SqlBool>`${sql.ref('post.userId')} = ${userId}`]),
    sql<SqlBool>`${SHOWN} = ${sql.lit(shown)}`,
    ...(isAll ? [] : [sql<SqlBool>`not ${isBlocked('post')}`]),
    ...(isTagged ? [hasTag(tag)] : []),
  ]
  const answered = query.filters.filter(
    (filter) =>
      (isTagged && isFirstAsking(filter, query)) ||
      (walk.by === 'author' && filter.method === 'equal' && filter.attribute === 'userid'),
  )
  return { from: alongIndex(db, 'post', along), where: all(conditions), answered }
}

/** Few posts are their author's alone: where they stand in another order they are sorted. */
function indexOfOne({ order }: ListQuery, { along, by }: Step['walk']): string {
  const isBySeq = by === 'tag' ? isOfCreation(order[0]) : along === '$sequence'
  return isBySeq ? OF_ONE.$sequence : OF_ONE.$createdAt
}

function isOfCreation(order: ListQuery['order'][number] | undefined): boolean {
  return order?.attribute === undefined || order.attribute === '$sequence'
}

function hasTag(key: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from ${sql.table('postTag')}
    where ${sql.ref('postTag.postSeq')} = post.seq and ${sql.ref('postTag.key')} = ${key})`
}

/** In the index of the tag alone, which repeats who sees a post, unless more is asked of posts. */
function laneOfTag(query: ListQuery, { walk, isAll, tag, shown }: TagStep): Lane {
  const answered = query.filters.filter(
    (filter) => isFirstAsking(filter, query) || isOfActive(filter, shown),
  )
  const inIndex = [...answered, ...rangesOf(query, walk)]
  const isAlone =
    query.filters.every((filter) => inIndex.includes(filter)) &&
    query.order.every((one) => one.attribute === '$createdAt' || isOfCreation(one))
  const table = sql.table('postTag')
  const seq = sql.ref('postTag.postSeq')
  const conditions = [
    sql<SqlBool>`${sql.ref('postTag.key')} = ${tag}`,
    sql<SqlBool>`${sql.ref('postTag.shown')} = ${sql.lit(shown)}`,
    ...(isAll ? [] : [sql<SqlBool>`not ${isBlocked('postTag')}`]),
    ...(isAlone ? [] : [sql<SqlBool>`post.seq = ${seq}`]),
  ]
  return {
    // `cross join` because SQLite then keeps to the order in which the tables are named.
    from: isAlone ? table : sql`${table} cross join post`,
    where: all(conditions),
    seq,
    columns: {
      $createdAt: { value: sql.ref('postTag.createdAt') },
      $sequence: { value: seq },
      userid: { value: sql.ref('postTag.userId'), isText: true },
    },
    answered,
  }
}

/** `status` is asked of posts; those of a readers' range are active. */
function isOfActive(filter: ListQuery['filters'][number], shown: Shown): boolean {
  return (
    ACTIVE.includes(shown) &&
    filter.method === 'equal' &&
    filter.attribute === 'status' &&
    filter.values.includes('active')
  )
}

function laneOfTags(query: ListQuery, scope: PostScope): Lane {
  const keys = askedTags(query) ?? []
  const tagged = sql`(select distinct ${sql.ref('postSeq')} from ${sql.table('postTag')} where ${sql.ref('key')} in (${sql.join(keys)})) as tagged`
  return {
    from: sql`${tagged} cross join post`,
    where: sql<SqlBool>`post.seq = ${sql.ref('tagged.postSeq')} and ${inScope(scope)}`,
    answered: query.filters.filter((filter) => isFirstAsking(filter, query)),
  }
}

function all(conditions: RawBuilder<SqlBool>[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
}
