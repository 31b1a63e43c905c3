// Checks the queries of a list call: allow-listed attributes, methods and typed values. Independent
// of SQL. In one piece because the errors of api.md §3.4 are one table. The two notations are
// parsed in query-text.ts.
import { invalidParam, Refusal } from '#contract/errors.ts'
import { ID_RULE, isId, parseTime } from '#contract/ids.ts'
import { QUERY_VALUES_MAX } from '#contract/limits.ts'
import {
  FILTERS,
  NEGATED,
  type ParsedQuery,
  parseQuery,
  type QueryValue,
  readSearchWords,
  toBasicMethods,
  valuesRule,
} from './query-text.ts'

/** How many queries a list call may have, and how long each may be; else 400. */
const QUERIES_MAX = 100
const QUERY_MAX_CHARS = 4096
/**
 * How many values all queries of one call may have together, for everybody but the API key; a
 * condition without a value counts as one.
 */
const QUERY_VALUES_IN_ALL_MAX = 200
/** How many conditions all queries of one call may have, including those inside `and` and `or`. */
export const QUERY_CONDITIONS_MAX = { guest: 10, user: 30, key: 100 } as const
/** How deep `and` and `or` may be nested. */
const QUERY_DEPTH_MAX = 8
/** Rows of one page without a `limit`. */
export const LIST_LIMIT_DEFAULT = 25
const LIST_OFFSET_MAX = 5000
/** Rows of one page of posts, files or users; a larger `limit` is reduced to this. */
const LIST_ROWS_MAX = 5000

/** The type of an attribute, on which methods and values depend. */
type QueryAttribute = {
  type: 'string' | 'integer' | 'boolean' | 'datetime'
  /** It has several values of the type; `equal` and `contains` match any of them. */
  isArray?: true
  /** May be named in `select` only: no filter and no order. */
  isSelectOnly?: true
  /** Returned only when `select` names it; neither `*` nor a missing `select` includes it. */
  isExtra?: true
}

/**
 * The attributes that queries of a list may name. Hidden and unknown names get the same refusal.
 */
export type QuerySchema = Readonly<Record<string, QueryAttribute>>

/**
 * One condition, ready for a store: the attribute is in the schema, its values have its type, and
 * their number fits the method. Times are in the stored form (`2023-11-20T13:37:00.123Z`).
 *
 * - `equal` and `contains` are true if any of their values matches
 * - `startsWith`, `endsWith` and `contains` compare code points, so upper and lower case differ
 * - `between` includes both ends
 * - `search` is true if the text contains any of the words; the case of A to Z is ignored
 * - `not` is true where the attribute has a value and the condition is false
 *
 * @source api.md §3.4
 */
export type Filter =
  | PlainFilter
  | { method: 'and' | 'or'; filters: Filter[] }
  | { method: 'not'; filters: [PlainFilter] }
/** A condition without conditions inside it. */
export type PlainFilter =
  | { method: 'equal' | 'contains'; attribute: string; values: FilterValue[] }
  | { method: 'notEqual' | ComparingMethod; attribute: string; values: [FilterValue] }
  | { method: 'startsWith' | 'endsWith'; attribute: string; values: [string] }
  | { method: 'search'; attribute: string; values: string[] }
  | { method: 'between'; attribute: string; values: [FilterValue, FilterValue] }
  | { method: 'isNull' | 'isNotNull'; attribute: string }
type ComparingMethod = 'lessThan' | 'lessThanEqual' | 'greaterThan' | 'greaterThanEqual'
export type FilterValue = string | number | boolean

/** One key of the order, the most important first. Without `attribute`, the order of creation. */
type Order = { attribute: string | undefined; direction: 'asc' | 'desc' }
/** The page starts right after, or ends right before, the row with this id. */
export type Cursor = { id: string; direction: 'after' | 'before' }

/**
 * A whole list call, checked.
 *
 * @source api.md §3.4
 */
export type ListQuery = {
  /** All of them must be true. */
  filters: Filter[]
  /** Each attribute at most once; without any, rows come in the order of their creation. */
  order: Order[]
  /** Rows come in random order; then there is no cursor. */
  isRandom: boolean
  /** Rows of a page: 1 to 5000. */
  limit: number
  /** Rows left out before the page: 0 to 5000. */
  offset: number
  cursor: Cursor | undefined
  /** Names of the attributes to return; undefined means all but the extra ones. */
  select: string[] | undefined
}

/**
 * Reads the `queries` of a list call in either notation. The first of several limits, offsets or
 * cursors counts; several `select`s add up.
 *
 * @param texts  as sent; undefined when none were
 * @param schema the attributes that queries may name
 * @param options `role` of the caller: the API key may send more conditions and values
 * @throws Refusal `general_query_invalid` for a query that cannot be parsed,
 *   `general_argument_invalid` for any other error; the first one in the order sent decides
 * @source api.md §3.4
 */
export function readQueries(
  texts: string[] | undefined,
  schema: QuerySchema,
  { role }: { role: keyof typeof QUERY_CONDITIONS_MAX },
): ListQuery {
  const list: ListQuery = {
    filters: [],
    order: [],
    isRandom: false,
    limit: LIST_LIMIT_DEFAULT,
    offset: 0,
    cursor: undefined,
    select: undefined,
  }
  const limits: number[] = []
  const offsets: number[] = []
  const selected: string[] = []
  const orders: Order[] = []
  for (const query of parseAll(texts)) {
    const { method } = query
    if (FILTERS.includes(method)) list.filters.push(readFilter(query, schema, 1))
    else if (method === 'orderAsc' || method === 'orderDesc') orders.push(readOrder(query, schema))
    else if (method === 'orderRandom') list.isRandom = checkCount(query)
    else if (method === 'limit')
      limits.push(readNumber(query, { min: 1, max: Number.MAX_SAFE_INTEGER }))
    else if (method === 'offset') offsets.push(readNumber(query, { min: 0, max: LIST_OFFSET_MAX }))
    else if (method === 'cursorAfter' || method === 'cursorBefore')
      list.cursor ??= readCursor(query)
    else if (method === 'select') selected.push(...readSelected(query, schema))
    else throw unknownMethod(method)
  }
  const conditions = plainFilters(list.filters)
  if (conditions.length > QUERY_CONDITIONS_MAX[role])
    throw invalid(`Queries have greater than ${QUERY_CONDITIONS_MAX[role]} conditions in all.`)
  const values = conditions.flatMap((filter) => ('values' in filter ? filter.values : [true]))
  if (role !== 'key' && values.length > QUERY_VALUES_IN_ALL_MAX)
    throw invalid(`Queries have greater than ${QUERY_VALUES_IN_ALL_MAX} values in all.`)
  if (list.isRandom && list.cursor) throw invalid('Cursors have no meaning in a random order.')
  list.limit = Math.min(limits[0] ?? LIST_LIMIT_DEFAULT, LIST_ROWS_MAX)
  list.offset = offsets[0] ?? 0
  // Repeated attributes do not change the order, but would cost sorting.
  list.order = orders.filter(({ attribute }, at) => {
    return orders.findIndex((order) => order.attribute === attribute) === at
  })
  list.select = selectedNames(selected, schema)
  return list
}

function findAttribute(schema: QuerySchema, name: string): QueryAttribute | undefined {
  return Object.hasOwn(schema, name) ? schema[name] : undefined
}

/** All conditions, also those inside `and` and `or`, in the order sent. */
export function plainFilters(filters: Filter[]): PlainFilter[] {
  return filters.flatMap((filter) =>
    'filters' in filter ? plainFilters(filter.filters) : [filter],
  )
}

/**
 * Reads the `queries` of a call for one row, where only `select` has a meaning.
 *
 * @returns the selected names; undefined means everything
 * @throws as {@link readQueries}
 */
export function readSelect(texts: string[] | undefined, schema: QuerySchema) {
  const selected = parseAll(texts).flatMap((query) => {
    if (query.method !== 'select') throw unknownMethod(query.method)
    return readSelected(query, schema)
  })
  return selectedNames(selected, schema)
}

/**
 * The names to return: undefined for `*` or no `select`; next to `*` only extra names matter.
 */
function selectedNames(selected: string[], schema: QuerySchema): string[] | undefined {
  if (selected.length > 0 && !selected.includes('*')) return [...new Set(selected)]
  const extras = selected.filter((name) => findAttribute(schema, name)?.isExtra)
  return extras.length === 0 ? undefined : ['*', ...new Set(extras)]
}

/** Whether a response has this attribute, which must not be an extra one. */
export function isSelected(select: string[] | undefined, name: string): boolean {
  return !select || select.includes('*') || select.includes(name)
}

function parseAll(texts: string[] = []): ParsedQuery[] {
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

function unknownMethod(method: string): Refusal {
  return new Refusal('general_argument_invalid', `Invalid query method: ${method}`)
}

/** @throws Refusal `general_argument_invalid` for a name that no filter and no order may have */
function readAttribute(name: string, schema: QuerySchema): QueryAttribute {
  const attribute = findAttribute(schema, name)
  if (!attribute || attribute.isSelectOnly) throw invalid(`Attribute not found in schema: ${name}`)
  return attribute
}

/** A method's name as in refusals: `Equal`, `NotEqual`. */
function capitalised(method: string): string {
  return method.charAt(0).toUpperCase() + method.slice(1)
}

/** @throws Refusal `general_argument_invalid` when the number of values does not fit the method */
function checkCount({ method, attribute, values }: ParsedQuery): true {
  const rule = valuesRule(method)
  if (!rule && values.length === 0)
    throw invalid(`${capitalised(method)} queries require at least one value.`)
  if (rule && values.length !== rule.count)
    throw invalid(`${capitalised(method)} queries require ${rule.words}.`)
  if (values.length > QUERY_VALUES_MAX)
    throw invalid(
      `Query on attribute has greater than ${QUERY_VALUES_MAX} values: ${attribute || method}`,
    )
  return true
}

/**
 * One condition, with all conditions inside it.
 *
 * @param depth 1 at the top level, one more inside each `and` and `or`
 * @throws Refusal `general_argument_invalid`; the order of the checks is that of api.md §3.4
 */
function readFilter(parsed: ParsedQuery, schema: QuerySchema, depth: number): Filter {
  const query = toBasicMethods(parsed)
  const { method } = query
  if (method === 'and' || method === 'or') return readGroup(method, query, schema, depth)
  const name = query.attribute ?? ''
  const attribute = readAttribute(name, schema)
  if (query.queries.length > 0)
    throw invalid(`Query type does not match expected: ${attribute.type}`)
  checkCount(query)
  const values = query.values.map((value) => readValue(value, attribute))
  const negated = NEGATED[method]
  const positive = negated ?? method
  refuseUnfit({ method, positive, name }, attribute)
  if (AFFIX_METHODS.includes(positive) && typeof values[0] !== 'string')
    throw invalid('Query type does not match expected: string')
  const filterValues = positive === 'search' ? readSearchWords(String(values[0])) : values
  // The type system cannot see that the number of values has been checked.
  const filter = {
    method: positive,
    attribute: name,
    ...(filterValues.length > 0 || positive === 'search' ? { values: filterValues } : {}),
  } as PlainFilter
  return negated ? { method: 'not', filters: [filter] } : filter
}

function readGroup(
  method: 'and' | 'or',
  query: ParsedQuery,
  schema: QuerySchema,
  depth: number,
): Filter {
  if (depth > QUERY_DEPTH_MAX)
    throw invalid(`Queries are nested deeper than ${QUERY_DEPTH_MAX} levels.`)
  if (query.values.length > 0 || query.queries.length === 0)
    throw invalid(`${capitalised(method)} queries require at least one query.`)
  const filters = query.queries.map((member) => {
    if (!FILTERS.includes(member.method)) throw unknownMethod(member.method)
    return readFilter(member, schema, depth + 1)
  })
  return { method, filters }
}

const ARRAY_METHODS = ['equal', 'contains', 'notContains', 'isNull', 'isNotNull']
const AFFIX_METHODS = ['startsWith', 'endsWith']
const TEXT_METHODS = ['contains', 'search', ...AFFIX_METHODS]

/** @throws Refusal `general_argument_invalid` when the method has no meaning for the attribute */
function refuseUnfit(
  { method, positive, name }: { method: string; positive: string; name: string },
  { type, isArray }: QueryAttribute,
): void {
  const prefix = `Cannot query ${method} on attribute "${name}" because it is `
  if (isArray && !ARRAY_METHODS.includes(method)) throw invalid(`${prefix}an array.`)
  const isText = isArray || type === 'string'
  if (!isText && TEXT_METHODS.includes(positive)) throw invalid(`${prefix}not a string.`)
}

function readValue(value: QueryValue, { type }: QueryAttribute): FilterValue {
  const filterValue = parseValue(value, type)
  if (filterValue === undefined) throw invalid(`Query type does not match expected: ${type}`)
  return filterValue
}

/** The value as filters hold it; undefined when it is not of the type. */
function parseValue(value: QueryValue, type: QueryAttribute['type']): FilterValue | undefined {
  if (type === 'datetime') return parseTime(value)
  // PostgreSQL cannot store NUL in text, so no stored text can match one; a lone surrogate is
  // stored as the replacement character.
  if (type === 'string')
    return typeof value === 'string' && !value.includes('\0') ? value.toWellFormed() : undefined
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined
  return Number.isSafeInteger(value) ? Number(value) : undefined
}

function readOrder(query: ParsedQuery, schema: QuerySchema): Order {
  checkCount(query)
  const { attribute: name } = query
  const direction = query.method === 'orderAsc' ? 'asc' : 'desc'
  if (!name) return { attribute: undefined, direction }
  if (readAttribute(name, schema).isArray)
    throw invalid(`Cannot order by attribute "${name}" because it is an array.`)
  return { attribute: name, direction }
}

/** @throws Refusal `general_argument_invalid` for anything but one whole number in the range */
function readNumber(
  { method, values, queries }: ParsedQuery,
  { min, max }: { min: number; max: number },
): number {
  const [value] = values
  const hasOneValue = values.length === 1 && queries.length === 0
  if (hasOneValue && Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max)
    return Number(value)
  throw invalid(`Invalid ${method}: Value must be a valid range between ${min} and ${max}`)
}

/** @throws Refusal `general_argument_invalid` for anything but one valid id, existing or not */
function readCursor({ method, values, queries }: ParsedQuery): Cursor {
  const [id] = values
  if (values.length !== 1 || queries.length > 0 || !isId(id))
    throw invalid(`Invalid cursor: ${ID_RULE}`)
  return { id, direction: method === 'cursorAfter' ? 'after' : 'before' }
}

/** The names in one `select`, the star included. */
function readSelected(query: ParsedQuery, schema: QuerySchema): string[] {
  checkCount(query)
  return query.values.map((name) => {
    if (typeof name === 'string' && (name === '*' || findAttribute(schema, name))) return name
    throw invalid(`Attribute not found in schema: ${String(name)}`)
  })
}
