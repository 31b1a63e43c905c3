// The queries of a call as written -> checked, with every attribute under the name that rules,
// prices and SQL know. Knows no SQL.
import { wireTime } from '#contract/ids.ts'
import { queryAttribute } from '../collections/declared.ts'
import {
  type Filter,
  type FindAttribute,
  type ListQuery,
  type QuerySchema,
  readQueries,
  readSelect,
} from '../database/queries.ts'
import type { Viewer } from '../http/viewer.ts'
import {
  type Attributes,
  isOwnAttribute,
  OWN_STATUS,
  ownAttributeOf,
  queriedName,
} from './naming.ts'
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
  const order = query.order.map((one) =>
    one.attribute === STATUS && !isUsual(attributes) ? { ...one, attribute: OWN_STATUS } : one,
  )
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

const STATUS = 'status'

type Words = Pick<Attributes, 'publicStatuses'>

/**
 * Conditions on the words of `status` -> those on the status that rules and indexes go by, as far
 * as they ask for all that is public, or for nothing that is; else on the words themselves.
 */
function ruledFilters(words: Words, filters: Filter[]): Filter[] {
  const { publicStatuses } = words
  if (isUsual(words)) return filters
  const excluded = filters.filter(
    (one) =>
      one.method === 'notEqual' &&
      one.attribute === STATUS &&
      publicStatuses.includes(String(one.values[0])),
  )
  const isPrivateAsked =
    new Set(excluded.map((one) => JSON.stringify(one))).size === publicStatuses.length
  if (!isPrivateAsked) return filters.map((one) => ruled(words, one))
  const others = filters.filter((one) => !excluded.includes(one)).map((one) => ruled(words, one))
  return [...others, { method: 'notEqual', attribute: STATUS, values: ['active'] }]
}

/** Only `active` is public, and nothing is written beside a status. */
function isUsual({ publicStatuses }: Words): boolean {
  return publicStatuses.length === 1 && publicStatuses[0] === 'active'
}

function ruled(words: Words, filter: Filter): Filter {
  if ('filters' in filter)
    return { ...filter, filters: filter.filters.map((one) => ruled(words, one)) } as Filter
  if (filter.attribute !== STATUS) return filter
  const { publicStatuses } = words
  if (filter.method === 'equal') {
    const rest = filter.values.filter((one) => !publicStatuses.includes(String(one)))
    const isAll = publicStatuses.every((word) => filter.values.includes(word))
    const isNone = rest.length === filter.values.length
    // Without it among them, `inactive` stands for two words.
    if (isAll && rest.length === 0) return { ...filter, values: ['active'] }
    if (publicStatuses.includes('active') && (isAll || isNone))
      return { ...filter, values: isNone ? rest : ['active', ...rest] }
  }
  return { ...filter, attribute: OWN_STATUS }
}
