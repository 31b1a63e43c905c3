// The queries of a call as written -> checked, with every attribute under the name that rules,
// prices and SQL know. Knows no SQL.
import { Refusal } from '#contract/errors.ts'
import { wireTime } from '#contract/ids.ts'
import { queryAttribute } from '../collections/declared.ts'
import {
  type Filter,
  type ListQuery,
  QUERIES_MAX,
  QUERY_MAX_CHARS,
  type QuerySchema,
  readQueries,
  readSelect,
} from '../database/queries.ts'
import { NAMING } from '../database/query-methods.ts'
import { parseQuery, type WrittenQuery } from '../database/query-text.ts'
import type { Viewer } from '../http/viewer.ts'
import {
  type Attributes,
  hasOwnTags,
  isOwnAttribute,
  ownAttributeOf,
  queriedName,
  roleOf,
  TAGS,
} from './naming.ts'
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
  return readList(attributes, POST_LIST_SCHEMA, texts, role)
}

function readList(
  attributes: Attributes,
  schema: QuerySchema,
  texts: string[] | undefined,
  role: Viewer['role'],
): Asked<ListQuery> {
  const query = readQueries(texts, extended(attributes, schema, texts), { role })
  const nameOf = namer(attributes, schema)
  const names = query.filters.map((filter) => named(attributes, filter, nameOf))
  const filters = ruledFilters(attributes, names)
  const order = query.order.map(({ attribute, direction }) => ({
    attribute: attribute === undefined ? undefined : orderedStatus(attributes, nameOf(attribute)),
    direction,
  }))
  const select = query.select?.map(nameOf)
  return { query: { ...query, filters, order, select }, names: query.select }
}

/** @throws as {@link readSelect} */
export function readAskedOne(
  attributes: Attributes,
  schema: QuerySchema,
  texts: string[] | undefined,
): Asked<string[] | undefined> {
  const names = readSelect(texts, extended(attributes, schema, texts))
  return { query: names?.map(namer(attributes, schema)), names }
}

function namer(attributes: Attributes, schema: QuerySchema): (name: string) => string {
  return (name) => (name === '*' ? name : queriedName(attributes, schema, name))
}

function named(attributes: Attributes, filter: Filter, nameOf: (name: string) => string): Filter {
  if ('filters' in filter)
    return {
      ...filter,
      filters: filter.filters.map((one) => named(attributes, one, nameOf)),
    } as Filter
  const attribute = nameOf(filter.attribute)
  const own = ownAttributeOf(attribute)
  const isTime = own !== undefined && attributes.declared.get(own)?.type === 'datetime'
  // Times of attributes are stored as answers have them.
  return isTime && 'values' in filter
    ? ({
        ...filter,
        attribute,
        values: filter.values.map((one) => wireTime(String(one))),
      } as Filter)
    : { ...filter, attribute }
}

/** The schema with the other names that the queries use, as far as posts may have them. */
function extended(attributes: Attributes, schema: QuerySchema, texts: string[] = []): QuerySchema {
  const more: Record<string, QuerySchema[string]> = {}
  for (const name of namesIn(texts)) {
    const isOwnTags = name === TAGS && hasOwnTags(attributes)
    if (Object.hasOwn(schema, name) && !isOwnTags) continue
    const role = roleOf(attributes, name)
    const definition = attributes.declared.get(name)
    const known = role
      ? schema[role]
      : isOwnAttribute(attributes, name)
        ? definition
          ? queryAttribute(definition)
          : { type: 'any' as const }
        : undefined
    if (known) more[name] = known
  }
  return { ...schema, ...more }
}

/** What cannot be parsed is refused later, in its turn. */
function namesIn(texts: string[]): Set<string> {
  const isTooMuch = texts.length > QUERIES_MAX || texts.some((one) => one.length > QUERY_MAX_CHARS)
  return new Set(isTooMuch ? [] : texts.flatMap((text) => namesOf(parsed(text))))
}

function parsed(text: string): WrittenQuery | undefined {
  try {
    return parseQuery(text)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

function namesOf(query: WrittenQuery | undefined): string[] {
  if (!query) return []
  const selected = NAMING.includes(query.method) ? query.values.map(String) : []
  return [query.attribute ?? '', ...selected, ...query.queries.flatMap(namesOf)].filter(Boolean)
}
