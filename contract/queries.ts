// The queries of a list call: written text -> a checked tree of allow-listed attributes, methods
// and typed values. Knows no SQL. In one piece because the fault table of api.md §3.4 is one table.
// Parsing of the two notations is in query-text.ts.
import { invalidParam, Refusal } from './errors.ts'
import { ID_RULE, isId, parseTime } from './ids.ts'
import {
  LIST_LIMIT_DEFAULT,
  LIST_LIMIT_MAX,
  LIST_LIMIT_MAX_FOR_KEY,
  LIST_OFFSET_MAX,
  QUERIES_MAX,
  QUERY_DEPTH_MAX,
  QUERY_MAX_CHARS,
  QUERY_VALUES_IN_ALL_MAX,
  QUERY_VALUES_MAX,
} from './limits.ts'
import { parseQuery, type QueryValue, type WrittenQuery } from './query-text.ts'

type QueryAttribute = {
  type: 'string' | 'integer' | 'boolean' | 'datetime'
  isArray?: true
  /** May only be named in `select`. */
  isSelectOnly?: true
  /** Our own: comes only when `select` names it, and `*` does not. */
  isExtra?: true
}

/** What a list lets itself be asked about; any other name does not exist for its callers. */
export type QuerySchema = Readonly<Record<string, QueryAttribute>>

const COMPARING = ['lessThan', 'lessThanEqual', 'greaterThan', 'greaterThanEqual'] as const
type ComparingMethod = (typeof COMPARING)[number]

/** One condition. Values have the attribute's type; times are in the stored form (`…Z`). */
export type Filter =
  | { method: 'equal' | 'contains'; attribute: string; values: FilterValue[] }
  | { method: 'notEqual' | ComparingMethod; attribute: string; values: [FilterValue] }
  | { method: 'startsWith' | 'endsWith'; attribute: string; values: [string] }
  | { method: 'between'; attribute: string; values: [FilterValue, FilterValue] }
  | { method: 'isNull' | 'isNotNull'; attribute: string }
  | { method: 'and' | 'or'; filters: Filter[] }
export type FilterValue = string | number | boolean

/** A condition that is not made of others. */
export type PlainFilter = Exclude<Filter, { filters: Filter[] }>

/** `attribute` is undefined for the order of creation. */
type Order = { attribute: string | undefined; direction: 'asc' | 'desc' }
export type Cursor = { id: string; direction: 'after' | 'before' }

/**
 * A whole list call. Filters are ANDed; without `order` rows come in order of creation; `select`
 * undefined means everything.
 */
export type ListQuery = {
  filters: Filter[]
  order: Order[]
  limit: number
  offset: number
  cursor: Cursor | undefined
  select: string[] | undefined
}

const FILTERS: readonly string[] = [
  ...[
    'equal',
    'notEqual',
    ...COMPARING,
    'between',
    'isNull',
    'isNotNull',
    'startsWith',
    'endsWith',
    'contains',
    'search',
    'and',
    'or',
  ],
]
/** How many values a method takes; any number from one when not listed. */
const VALUES: Readonly<Record<string, readonly [count: number, words: string]>> = {
  notEqual: [1, 'exactly one value'],
  lessThan: [1, 'exactly one value'],
  lessThanEqual: [1, 'exactly one value'],
  greaterThan: [1, 'exactly one value'],
  greaterThanEqual: [1, 'exactly one value'],
  startsWith: [1, 'exactly one value'],
  endsWith: [1, 'exactly one value'],
  search: [1, 'exactly one value'],
  between: [2, 'exactly two values'],
  isNull: [0, 'no values'],
  isNotNull: [0, 'no values'],
  orderAsc: [0, 'no values'],
  orderDesc: [0, 'no values'],
}

/**
 * Reads the `queries` of a list call in either notation.
 *
 * @param texts  as sent; undefined when none were
 * @param isKey  the API key may ask for longer pages
 * @throws Refusal `general_query_invalid` for what cannot be parsed, `general_argument_invalid` for
 *   everything else
 * @source api.md §3.4
 */
export function readQueries(
  texts: string[] | undefined,
  schema: QuerySchema,
  { isKey }: { isKey: boolean },
): ListQuery {
  const list: ListQuery = {
    filters: [],
    order: [],
    limit: LIST_LIMIT_DEFAULT,
    offset: 0,
    cursor: undefined,
    select: undefined,
  }
  const limitMax = isKey ? LIST_LIMIT_MAX_FOR_KEY : LIST_LIMIT_MAX
  const limits: number[] = []
  const offsets: number[] = []
  const selected: string[] = []
  for (const query of readWritten(texts)) {
    const { method } = query
    if (FILTERS.includes(method)) list.filters.push(readFilter(query, schema, 1))
    else if (method === 'orderAsc' || method === 'orderDesc')
      addOrder(list.order, readOrder(query, schema))
    else if (method === 'limit') limits.push(readNumber(query, { min: 1, max: limitMax }))
    else if (method === 'offset') offsets.push(readNumber(query, { min: 0, max: LIST_OFFSET_MAX }))
    else if (method === 'cursorAfter' || method === 'cursorBefore')
      list.cursor ??= readCursor(query)
    else if (method === 'select') selected.push(...readSelected(query, schema))
    else throw new Refusal('general_argument_invalid', `Invalid query method: ${method}`)
  }
  if (!isKey && countValues(list.filters) > QUERY_VALUES_IN_ALL_MAX)
    throw invalid(`Queries have greater than ${QUERY_VALUES_IN_ALL_MAX} values in all.`)
  list.limit = limits[0] ?? LIST_LIMIT_DEFAULT
  list.offset = offsets[0] ?? 0
  list.select = namesOf(selected, schema)
  return list
}

/** The conditions themselves, out of their `and`s and `or`s. */
export function plainFilters(filters: Filter[]): PlainFilter[] {
  return filters.flatMap((filter) =>
    'filters' in filter ? plainFilters(filter.filters) : [filter],
  )
}

function countValues(filters: Filter[]): number {
  return plainFilters(filters).reduce(
    (total, filter) => total + ('values' in filter ? filter.values.length : 1),
    0,
  )
}

/** An attribute named a second time orders nothing, but would be sorted by. */
function addOrder(orders: Order[], order: Order): void {
  if (!orders.some(({ attribute }) => attribute === order.attribute)) orders.push(order)
}

/**
 * Reads the `queries` of a call for one row, where only `select` has a meaning.
 *
 * @returns the names asked for; undefined means everything
 * @throws as {@link readQueries}
 */
export function readSelect(texts: string[] | undefined, schema: QuerySchema): string[] | undefined {
  const selected = readWritten(texts).flatMap((query) => {
    if (query.method !== 'select')
      throw new Refusal('general_argument_invalid', `Invalid query method: ${query.method}`)
    return readSelected(query, schema)
  })
  return namesOf(selected, schema)
}

/**
 * What a star or no `select` at all stands for is undefined; with an extra named beside the star it
 * is written out.
 */
function namesOf(selected: string[], schema: QuerySchema): string[] | undefined {
  const isExtra = (name: string) => schema[name]?.isExtra === true
  if (selected.length > 0 && !selected.includes('*')) return [...new Set(selected)]
  const extras = selected.filter(isExtra)
  return extras.length === 0
    ? undefined
    : [...new Set([...Object.keys(schema).filter((name) => !isExtra(name)), ...extras])]
}

function readWritten(texts: string[] = []): WrittenQuery[] {
  if (texts.length > QUERIES_MAX)
    throw invalidParam('queries', `Value must be a valid array no longer than ${QUERIES_MAX} items`)
  if (texts.some((text) => text === '' || text.length > QUERY_MAX_CHARS)) {
    throw invalidParam('queries', `Value must be a valid string of 1 to ${QUERY_MAX_CHARS} chars`)
  }
  return texts.map(parseQuery)
}

function invalid(tail: string): Refusal {
  return new Refusal('general_argument_invalid', `Invalid query: ${tail}`)
}

function findAttribute(name: string, schema: QuerySchema): QueryAttribute {
  const found = Object.hasOwn(schema, name) ? schema[name] : undefined
  if (!found || found.isSelectOnly) throw invalid(`Attribute not found in schema: ${name}`)
  return found
}

/** A method's name at the head of a sentence: `Equal`, `NotEqual`. */
function title(method: string): string {
  return method.charAt(0).toUpperCase() + method.slice(1)
}

function checkCount({ method, values }: WrittenQuery): void {
  const rule = VALUES[method]
  if (!rule && values.length === 0)
    throw invalid(`${title(method)} queries require at least one value.`)
  if (rule && values.length !== rule[0])
    throw invalid(`${title(method)} queries require ${rule[1]}.`)
}

function readFilter(query: WrittenQuery, schema: QuerySchema, depth: number): Filter {
  const { method } = query
  if (method === 'and' || method === 'or') return readGroup(method, query, schema, depth)
  const name = query.attribute ?? ''
  const attribute = findAttribute(name, schema)
  if (query.values.length > QUERY_VALUES_MAX)
    throw invalid(`Query on attribute has greater than ${QUERY_VALUES_MAX} values: ${name}`)
  if (query.queries.length > 0)
    throw invalid(`Query type does not match expected: ${attribute.type}`)
  checkCount(query)
  const values = query.values.map((value) => readValue(value, attribute))
  if (method === 'search')
    throw new Refusal(
      'general_argument_invalid',
      `Searching by attribute "${name}" requires a fulltext index.`,
    )
  refuseUnfit(method, name, attribute)
  // The method is one of the table and the count has been checked, which the type system cannot
  // see.
  return (
    method === 'isNull' || method === 'isNotNull'
      ? { method, attribute: name }
      : { method, attribute: name, values }
  ) as Filter
}

function readGroup(
  method: 'and' | 'or',
  query: WrittenQuery,
  schema: QuerySchema,
  depth: number,
): Filter {
  if (depth > QUERY_DEPTH_MAX)
    throw invalid(`Queries are nested deeper than ${QUERY_DEPTH_MAX} levels.`)
  if (query.values.length > 0 || query.queries.length === 0)
    throw invalid(`${title(method)} queries require at least one query.`)
  const filters = query.queries.map((one) => {
    if (!FILTERS.includes(one.method))
      throw new Refusal('general_argument_invalid', `Invalid query method: ${one.method}`)
    return readFilter(one, schema, depth + 1)
  })
  return { method, filters }
}

function refuseUnfit(method: string, name: string, { type, isArray }: QueryAttribute): void {
  const refused = `Cannot query ${method} on attribute "${name}" because it is `
  if (isArray && !['equal', 'contains', 'isNull', 'isNotNull'].includes(method))
    throw invalid(`${refused}an array.`)
  if (!isArray && type !== 'string' && ['contains', 'startsWith', 'endsWith'].includes(method))
    throw invalid(`${refused}not a string.`)
}

function readValue(value: QueryValue, { type }: QueryAttribute): FilterValue {
  const found = typed(value, type)
  if (found === undefined) throw invalid(`Query type does not match expected: ${type}`)
  return found
}

function typed(value: QueryValue, type: QueryAttribute['type']): FilterValue | undefined {
  if (type === 'datetime') return parseTime(value)
  // PostgreSQL knows no NUL in text, so no stored text can match one.
  if (type === 'string')
    return typeof value === 'string' && !value.includes('\0') ? value : undefined
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined
  return Number.isSafeInteger(value) ? Number(value) : undefined
}

function readOrder(query: WrittenQuery, schema: QuerySchema): Order {
  checkCount(query)
  const direction = query.method === 'orderAsc' ? 'asc' : 'desc'
  if (!query.attribute) return { attribute: undefined, direction }
  if (findAttribute(query.attribute, schema).isArray)
    throw invalid(`Cannot order by attribute "${query.attribute}" because it is an array.`)
  return { attribute: query.attribute, direction }
}

function readNumber(
  { method, values, queries }: WrittenQuery,
  { min, max }: { min: number; max: number },
): number {
  const [value] = values
  const isFit =
    values.length === 1 &&
    queries.length === 0 &&
    Number.isSafeInteger(value) &&
    Number(value) >= min &&
    Number(value) <= max
  if (!isFit)
    throw invalid(`Invalid ${method}: Value must be a valid range between ${min} and ${max}`)
  return Number(value)
}

function readCursor({ method, values, queries }: WrittenQuery): Cursor {
  const [id] = values
  if (values.length !== 1 || queries.length > 0 || !isId(id))
    throw invalid(`Invalid cursor: ${ID_RULE}`)
  return { id, direction: method === 'cursorAfter' ? 'after' : 'before' }
}

function readSelected(query: WrittenQuery, schema: QuerySchema): string[] {
  checkCount(query)
  if (query.values.length > QUERY_VALUES_MAX)
    throw invalid(`Query on attribute has greater than ${QUERY_VALUES_MAX} values: select`)
  return query.values.map((name) => {
    if (typeof name === 'string' && (name === '*' || Object.hasOwn(schema, name))) return name
    throw invalid(`Attribute not found in schema: ${String(name)}`)
  })
}
