// The lanes of a list of posts (database/list-query.ts): posts are in indexes by who may see them,
// so that a list is made of a few ranges of an index, one for each kind of posts that the viewer
// may see, and passes no others. Which index that is, list-ways.ts says.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Readers } from '#contract/permissions.ts'
import { tagKey } from '#contract/tags.ts'
import { alongIndex, byKey } from '../database/dialect.ts'
import { filterSql } from '../database/list-conditions.ts'
import type { Lane, ListSource } from '../database/list-query.ts'
import type { Filter, ListQuery } from '../database/queries.ts'
import type { Database } from '../database/schema.ts'
import type { PostScope } from './access.ts'
import { isOfActive, type Sorted, statusesOf, type Way } from './list-ways.ts'
import { listFor } from './post-columns-store.ts'
import { inScope, isBlocked, SHOWN } from './post-scope-store.ts'

/** Who sees a post: `draft` has another status than active, `hidden` is hidden by the operator. */
type Shown = Readers | 'draft' | 'hidden'
const ACTIVE: readonly Shown[] = ['any', 'users', 'verified', 'unverified', 'owner']
const ALL: readonly Shown[] = [...ACTIVE, 'draft', 'hidden']

const INDEXES: Record<Sorted, string> = {
  $sequence: 'postInOrder',
  $createdAt: 'postByTime',
  $updatedAt: 'postByChange',
  title: 'postByTitle',
  like: 'postByLikes',
}
/** Of one person, in the order of creation or of time. */
const OF_ONE = { $sequence: 'postOfUserInOrder', $createdAt: 'postOfUserByTime' }

export type PostLane = Lane & {
  /** Its posts come in the order asked for, and nothing more is asked of them. */
  isInOrder: boolean
  /** A SELECT of the `seq` of all posts that the index leaves. */
  candidates: RawBuilder<unknown>
}
export type PostSource = Omit<ListSource, 'lanes'> & { lanes: PostLane[] }
type Listed = { query: ListQuery; scope: PostScope }

export function sourceFor(db: Database, list: Listed, way: Way): PostSource {
  const source = listFor(list.query)
  return { ...source, lanes: lanesFor(db, { source, ...list }, way) }
}

type Step = Listed & { source: ListSource }

function lanesFor(db: Database, step: Step, way: Way): PostLane[] {
  const { scope, source } = step
  const [first] = way.narrowing
  const values = first && 'values' in first ? first.values.map(String) : []
  const named = (from: RawBuilder<unknown>): PostLane => {
    const found = first ? filterSql(db, source, first) : sql<SqlBool>`1 = 0`
    const candidates = sql`select post.seq from ${from} where ${found}`
    return { from, where: inScope(scope), candidates, isInOrder: false }
  }
  switch (way.by) {
    case 'ids':
      return [named(alongIndex(db, 'post', 'sqlite_autoindex_post_1'))]
    case 'words':
      return [named(byKey(db, 'post'))]
    case 'authors':
      return [named(alongIndex(db, 'post', OF_ONE.$createdAt))]
    case 'likes': {
      const isLiked = sql`from ${sql.table('postLike')} where ${sql.ref('userId')} in (${sql.join(values)})`
      return [laneBeside(step, first, { key: 'postId', isNamed: isLiked, on: 'post.id' })]
    }
    case 'tags': {
      const isTagged = sql`from ${sql.table('postTag')} where ${sql.ref('key')} in (${sql.join(values.map(tagKey))})`
      return [laneBeside(step, first, { key: 'postSeq', isNamed: isTagged, on: 'post.seq' })]
    }
    default: {
      const lanes = rangesFor(step, way).map((range) => laneOf(db, step, { way, range }))
      return lanes.length > 0 ? lanes : [NOTHING]
    }
  }
}

const NOTHING: PostLane = {
  from: sql.table('post'),
  where: sql<SqlBool>`1 = 0`,
  candidates: sql`select seq from post where 1 = 0`,
  isInOrder: true,
}

/** Posts that another table names by a key. */
function laneBeside(
  { scope }: Step,
  first: Filter | undefined,
  { key, isNamed, on }: { key: string; isNamed: RawBuilder<unknown>; on: string },
): PostLane {
  // `cross join` because SQLite then keeps to the order in which the tables are named.
  const from = (select: string) =>
    sql`(${sql.raw(select)} ${sql.ref(key)} ${isNamed}) as named cross join post`
  const isSame = sql<SqlBool>`${sql.ref(on)} = ${sql.ref(`named.${key}`)}`
  return {
    from: from('select distinct'),
    where: all([isSame, inScope(scope)]),
    answered: first ? [first] : [],
    candidates: sql`select post.seq from ${from('select')} where ${isSame}`,
    isInOrder: false,
  }
}

/** A range of an index: posts of this kind, of all people or of one. */
type Range = { shown: Shown; userId?: string | undefined }

/** Posts that a person may see as an author only are in ranges of their own. */
function rangesFor({ query, scope }: Step, way: Way): Range[] {
  const { hasActive, hasOthers } = statusesOf(query)
  const isAsked = (shown: Shown) =>
    shown === 'hidden' || (shown === 'draft' ? hasOthers : hasActive)
  const userId = way.by === 'author' ? valueIn(way) : undefined
  const asked = ALL.filter(isAsked)
  if (scope === 'all') return asked.map((shown) => ({ shown, userId }))
  const { ownerId } = scope
  const readers: readonly Shown[] = scope.readers
  const seen = asked.filter((shown) => readers.includes(shown)).map((shown) => ({ shown, userId }))
  if (ownerId === undefined || (userId !== undefined && userId !== ownerId)) return seen
  const own = asked.filter((shown) => !readers.includes(shown))
  return [...seen, ...own.map((shown) => ({ shown, userId: ownerId }))]
}

/** What the first narrowing condition is equal to. */
function valueIn({ narrowing: [first] }: Way): string {
  return String(first && 'values' in first ? first.values[0] : '')
}

type RangeStep = { way: Way; range: Range }

function laneOf(db: Database, step: Step, { way, range }: RangeStep): PostLane {
  const { shown, userId } = range
  if (way.by === 'tag' && userId === undefined) return laneOfTag(db, step, { way, range })
  const isOfOne = userId !== undefined
  const along = isOfOne ? indexOfOne(step.query, way) : way.along
  const where = all([
    ...(isOfOne ? [sql<SqlBool>`${sql.ref('post.userId')} = ${userId}`] : []),
    sql<SqlBool>`${SHOWN} = ${sql.lit(shown)}`,
    ...(step.scope === 'all' ? [] : [sql<SqlBool>`not ${isBlocked('post')}`]),
  ])
  const answered = way.by === 'author' ? way.narrowing.slice(0, 1) : []
  const from = alongIndex(db, 'post', isOfOne ? indexOf(along) : INDEXES[along])
  const ranges = rangesOn(db, step, way, along)
  return {
    ...{ from, where, answered },
    candidates: sql`select post.seq from ${from} where ${all([where, ...ranges])}`,
    // Of one's own posts a tag is asked one by one.
    isInOrder: way.isInOrder && along === way.along && (way.by !== 'tag' || !isOfOne),
  }
}

/** The conditions that are a range of the index, where the lane is along it. */
function rangesOn(db: Database, { source }: Step, way: Way, along: Sorted) {
  if (along !== way.along) return []
  const ranges = way.by === 'all' ? way.narrowing : way.narrowing.slice(1)
  return ranges.map((filter) => filterSql(db, source, filter))
}

/** Posts that are their author's alone stand in two orders only. */
function indexOfOne({ order }: ListQuery, { along, by }: Way): keyof typeof OF_ONE {
  const isBySeq = by === 'tag' ? isOfCreation(order[0]) : along === '$sequence'
  return isBySeq ? '$sequence' : '$createdAt'
}

function indexOf(along: Sorted): string {
  return along === '$sequence' ? OF_ONE.$sequence : OF_ONE.$createdAt
}

function isOfCreation(order: ListQuery['order'][number] | undefined): boolean {
  return order?.attribute === undefined || order.attribute === '$sequence'
}

/** In the index of the tag alone, which repeats who sees a post, unless more is asked of posts. */
function laneOfTag(
  db: Database,
  { query, scope, source }: Step,
  { way, range: { shown } }: RangeStep,
): PostLane {
  const [tagged, ...ranges] = way.narrowing
  const answered = query.filters.filter(
    (filter) => filter === tagged || (ACTIVE.includes(shown) && isOfActive(filter)),
  )
  const isAlone =
    query.filters.every((filter) => answered.includes(filter) || ranges.includes(filter)) &&
    query.order.every((one) => one.attribute === '$createdAt' || isOfCreation(one))
  const table = sql.table('postTag')
  const seq = sql.ref('postTag.postSeq')
  const columns = {
    $createdAt: { value: sql.ref('postTag.createdAt') },
    $sequence: { value: seq },
    userid: { value: sql.ref('postTag.userId'), isText: true as const },
  }
  const conditions = [
    sql<SqlBool>`${sql.ref('postTag.key')} = ${tagKey(valueIn(way))}`,
    sql<SqlBool>`${sql.ref('postTag.shown')} = ${sql.lit(shown)}`,
    ...(scope === 'all' ? [] : [sql<SqlBool>`not ${isBlocked('postTag')}`]),
  ]
  const inRange = ranges.map((filter) => filterSql(db, { ...source, columns }, filter))
  return {
    from: isAlone ? table : sql`${table} cross join post`,
    where: all([...conditions, ...(isAlone ? [] : [sql<SqlBool>`post.seq = ${seq}`])]),
    ...{ seq, columns, answered, isInOrder: way.isInOrder },
    candidates: sql`select ${seq} as seq from ${table} where ${all([...conditions, ...inRange])}`,
  }
}

function all(conditions: RawBuilder<SqlBool>[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
}
