// The queries of a call as written -> checked, with every attribute under the name that rules,
// prices and SQL know. Knows no SQL.
import { wireTime } from '#contract/ids.ts'
import { queryAttribute } from '../collections/declared.ts'
import {
  type FindAttribute,
  type ListQuery,
  type QuerySchema,
  readQueries,
  readSelect,
} from '../database/queries.ts'
import type { Viewer } from '../http/viewer.ts'
import { type Attributes, isOwnAttribute, ownAttributeOf, queriedName } from './naming.ts'
import { orderedStatus, ruledFilters } from './status-filters.ts'
import { POST_LIST_SCHEMA } from './structure.ts'

/** What a call asks for: `names` are those of its `select` as they were written. */
export type Asked<Query> = { query: Query; names: string[] | undefined }

/** @throws as {@link readQueries} */
export function readAskedList(
  attributes: Attributes,
  texts: string[] | undefined,
  role: Viewer['role'],
): Asked<ListQuery> {
  const find = finder(attributes, POST_LIST_SCHEMA)
  const query = readQueries(texts, find, { role })
  const filters = ruledFilters(attributes, query.filters)
  const order = query.order.map((one) => ({
    ...one,
    attribute: one.attribute && orderedStatus(attributes, one.attribute),
  }))
  const { select: names } = query
  return { query: { ...query, filters, order, select: known(find, names) }, names }
}

/** @throws as {@link readSelect} */
export function readAskedOne(
  attributes: Attributes,
  schema: QuerySchema,
  texts: string[] | undefined,
): Asked<string[] | undefined> {
  const find = finder(attributes, schema)
  const names = readSelect(texts, find)
  return { query: known(find, names), names }
}

function known(find: FindAttribute, names: string[] | undefined): string[] | undefined {
  return names?.map((name) => find(name)?.as ?? name)
}

/** Also under the other names that posts may have attributes by. */
function finder(attributes: Attributes, schema: QuerySchema): FindAttribute {
  return (name) => {
    const as = queriedName(attributes, schema, name)
    const own = ownAttributeOf(as)
    if (own === undefined) return schema[as] && { ...schema[as], as }
    if (!isOwnAttribute(attributes, own)) return undefined
    const definition = attributes.declared.get(own)
    if (!definition) return { type: 'any', as }
    // Times of attributes are stored as answers have them.
    const isTime = definition.type === 'datetime'
    const toStored = isTime ? { toStored: (time: unknown) => wireTime(String(time)) } : {}
    return { ...queryAttribute(definition), as, ...toStored }
  }
}
