// The columns of posts as lists filter and order them, and the condition of who may read: parts of
// the SELECTs in store.ts and tags-store.ts.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { UNKNOWN_USER_NAME } from '#contract/limits.ts'
import { type Filter, type ListQuery, plainFilters } from '#contract/queries.ts'
import { tagKey } from '#contract/tags.ts'
import { type JsonSource, jsonColumn } from '../database/json-column.ts'
import type { ListSource, OwnColumn } from '../database/list-query.ts'
import type { PostScope } from './access.ts'
import { askedTags, isFirstAsking } from './asked-tags.ts'
import { searchIndexed } from './indexed-store.ts'
import { ownAttributeOf, TAGS } from './naming.ts'

export const USER_NAME = sql<string>`coalesce((select name from "user" where "user".id = ${sql.ref('post.userId')}), ${UNKNOWN_USER_NAME})`
/**
 * Asked of the account itself, never copied into posts: a block holds from its commit on. The few
 * blocked people are found once, not for each post.
 */
export const AUTHOR_BLOCKED = isBlockedIn('post')

/** What a list of posts may be asked for (api.md §3.4). */
const POST_LIST: ListSource = {
  table: 'post',
  seq: sql.ref('post.seq'),
  id: sql.ref('post.id'),
  columns: {
    $id: { value: sql.ref('post.id'), isText: true },
    $createdAt: { value: sql.ref('post.createdAt') },
    $updatedAt: { value: sql.ref('post.updatedAt') },
    $sequence: { value: sql.ref('post.seq') },
    title: { value: sql.ref('post.title'), isText: true, search: searchIndexed },
    content: { value: sql.ref('post.content'), isText: true, search: searchIndexed },
    featuredImage: { value: sql.ref('post.featuredImage'), isText: true },
    status: { value: sql.ref('post.status'), isText: true },
    userid: { value: sql.ref('post.userId'), isText: true },
    userName: { value: USER_NAME, isText: true },
    like: { value: sql.ref('post.likes') },
    likeId: {
      // Not `exists`: it would go through the values once for each post.
      hasAny: (values) => sql`post.id in (select ${sql.ref('postId')} from ${sql.table('postLike')}
        where ${sql.ref('postLike.userId')} in (${sql.join(values)}))`,
    },
    tags: { hasAny: (values) => hasAnyTag(values.map((one) => tagKey(String(one)))) },
  },
}

const OWN_ATTRIBUTES: JsonSource = {
  json: sql.ref('postExtra.attributes'),
  read: (value) => sql`(select ${value} from ${sql.table('postExtra')}
    where ${sql.ref('postExtra.postId')} = post.id and ${sql.ref('postExtra.attributes')} <> '')`,
}

function hasAnyTag(keys: string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`post.seq in (select ${sql.ref('postTag.postSeq')} from ${sql.table('postTag')}
    where ${sql.ref('postTag.key')} in (${sql.join(keys)}))`
}

const HAS_TAGS = sql<SqlBool>`exists (select 1 from ${sql.table('postTag')}
  where ${sql.ref('postTag.postSeq')} = post.seq)`

/** Where programs keep anything under the name of tags: those that are tags, and all others. */
function ownTagsColumn(json: OwnColumn): OwnColumn {
  return {
    terms: json.terms,
    matches(db, filter) {
      const found = json.matches(db, filter)
      if (filter.method === 'isNull') return sql<SqlBool>`(${found} and not ${HAS_TAGS})`
      if (filter.method === 'isNotNull') return sql<SqlBool>`(${found} or ${HAS_TAGS})`
      if (filter.method !== 'equal' && filter.method !== 'contains') return found
      const keys = filter.values.flatMap((one) => (typeof one === 'string' ? [tagKey(one)] : []))
      return keys.length === 0 ? found : sql<SqlBool>`(${hasAnyTag(keys)} or ${found})`
    },
  }
}

/**
 * In no index: SQLite would walk along that of all active posts, however few are this author's,
 * because two conditions name their status.
 */
const STATUS_BESIDE_AUTHOR = { value: sql`(post.status || '')`, isText: true } as const

function isOfOne(filter: Filter): boolean {
  return filter.method === 'equal' && filter.attribute === 'userid' && filter.values.length === 1
}

/** The list with a column for each attribute that is no role and that the query names. */
export function listFor({ filters, order }: ListQuery): ListSource {
  const asked = [...plainFilters(filters), ...order].map(({ attribute = '' }) => attribute)
  const columns = asked.flatMap((attribute) => {
    const name = ownAttributeOf(attribute)
    if (name === undefined) return []
    const column = jsonColumn(OWN_ATTRIBUTES, name)
    return [[attribute, name === TAGS ? ownTagsColumn(column) : column] as const]
  })
  const status = filters.some(isOfOne) ? { status: STATUS_BESIDE_AUTHOR } : {}
  return {
    ...POST_LIST,
    columns: { ...POST_LIST.columns, ...status, ...Object.fromEntries(columns) },
  }
}

/**
 * The rows that a page or a count goes through. Where a tag is asked for, only its own posts: of
 * one tag in the order of its index, newest first.
 */
export function rowsFor(query: ListQuery): { source: ListSource; query: ListQuery } {
  const source = listFor(query)
  const keys = askedTags(query)
  if (!keys) return { source, query }
  const rest = { ...query, filters: query.filters.filter((one) => !isFirstAsking(one, query)) }
  const [key, ...others] = keys
  const table = sql.table('postTag')
  // `cross join` because SQLite then keeps to the order in which the tables are named.
  if (others.length > 0) {
    const tagged = sql`(select distinct ${sql.ref('postSeq')} from ${table} where ${sql.ref('key')} in (${sql.join(keys)})) as tagged`
    const where = sql<SqlBool>`post.seq = ${sql.ref('tagged.postSeq')}`
    return { source: { ...source, from: sql`${tagged} cross join post`, where }, query: rest }
  }
  const seq = sql.ref('postTag.postSeq')
  const times = { $createdAt: { value: sql.ref('postTag.createdAt') }, $sequence: { value: seq } }
  return {
    source: {
      ...source,
      ...{ seq, columns: { ...source.columns, ...times } },
      from: sql`${table} cross join post`,
      where: sql<SqlBool>`${sql.ref('postTag.key')} = ${key} and post.seq = ${seq}`,
      cursor: source,
    },
    query: rest,
  }
}

/** `searchPost` has the columns that decide, too. */
type ScopedTable = 'post' | 'searchPost'

export function inScope(scope: PostScope, table: ScopedTable = 'post'): RawBuilder<SqlBool> {
  if (scope === 'all') return sql`1 = 1`
  const { status, readers, ownerId } = scope
  const column = (name: string) => sql.ref(`${table}.${name}`)
  const shown = sql<SqlBool>`(${column('status')} = ${status} and ${column('isHidden')} = 0 and ${column('readers')} in (${sql.join(readers)}))`
  const mine = ownerId === undefined ? shown : sql`(${shown} or ${column('userId')} = ${ownerId})`
  return sql<SqlBool>`(${mine} and not ${isBlockedIn(table)})`
}

function isBlockedIn(table: ScopedTable): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(`${table}.userId`)} in (select id from "user" where ${sql.ref('user.isBlocked')} = 1)`
}
