// The columns of posts as lists filter and order them: parts of the SELECTs of
// post-list-store.ts.

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { tagKey } from '#contract/plain-text.ts'
import {
  comparable,
  type JsonSource,
  jsonColumn,
  jsonMember,
  type OwnColumn,
  valueSql,
} from '../database/list-conditions.ts'
import type { ListSource } from '../database/list-query.ts'
import { type ListQuery, plainFilters } from '../database/queries.ts'
import type { Database } from '../database/schema.ts'
import { OWN_STATUS, ownAttributeOf, TAGS } from './attributes.ts'
import { filterByFullText } from './full-text-search-store.ts'
import { USER_NAME } from './post-parts-store.ts'

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
    title: { value: sql.ref('post.title'), isText: 'inIndex', search: filterByFullText },
    content: { value: sql.ref('post.content'), isText: true, search: filterByFullText },
    featuredImage: { value: sql.ref('post.featuredImage'), isText: true },
    status: { value: sql.ref('post.status'), isText: true },
    userid: { value: sql.ref('post.userId'), isText: true },
    userName: { value: USER_NAME, isText: true },
    like: { value: sql.ref('post.likes') },
    likeId: {
      // Asked of each post, neither by `in` nor `exists`, of which PostgreSQL would make a list of
      // all likes of these people.
      hasAny: (
        values,
      ) => sql`(select 1 from ${sql.table('postLike')} where ${sql.ref('postLike.postId')} = post.id
        and ${sql.ref('postLike.userId')} in (${sql.join(values)}) limit 1) is not null`,
    },
    tags: { hasAny: (values) => hasAnyTag(values.map((one) => tagKey(String(one)))) },
  },
}

const OWN_ATTRIBUTES: JsonSource = {
  json: sql.ref('postExtra.attributes'),
  read: (value) => sql`(select ${value} from ${sql.table('postExtra')}
    where ${sql.ref('postExtra.postId')} = post.id and ${sql.ref('postExtra.attributes')} <> '')`,
}

/** The word of the status where it is not the one in the row. */
const STATUS_WORD: OwnColumn = {
  matches: (db, filter) => valueSql(db, wordColumn(db), filter),
  terms: (db) => [comparable(db, wordColumn(db))],
}

function wordColumn(db: Database) {
  const word = jsonMember(db, { ...OWN_ATTRIBUTES, name: 'status' }, 'text')
  return { value: sql`coalesce(${word}, post.status)`, isText: true as const }
}

function hasAnyTag(keys: string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`(select 1 from ${sql.table('postTag')} where ${sql.ref('postTag.postSeq')} = post.seq
    and ${sql.ref('postTag.key')} in (${sql.join(keys)}) limit 1) is not null`
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

/** The list with a column for each attribute of a program that the query names. */
export function listFor({ filters, order }: ListQuery): ListSource {
  const asked = [...plainFilters(filters), ...order].map(({ attribute = '' }) => attribute)
  const columns = asked.flatMap((attribute) => {
    const name = ownAttributeOf(attribute)
    if (name === undefined) return []
    if (attribute === OWN_STATUS) return [[attribute, STATUS_WORD] as const]
    const column = jsonColumn(OWN_ATTRIBUTES, name)
    return [[attribute, name === TAGS ? ownTagsColumn(column) : column] as const]
  })
  return { ...POST_LIST, columns: { ...POST_LIST.columns, ...Object.fromEntries(columns) } }
}
