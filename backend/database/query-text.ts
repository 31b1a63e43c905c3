// Parses one query of a list call into method, attribute and values, and defines the known methods.
// Both notations are parsed here; attributes are checked in queries.ts. The text notation is
// parsed exactly as by the clients (api.md §3.4 "Text parsing facts").

import { Refusal } from '#contract/errors.ts'

/** A value as parsed; queries.ts checks whether it fits its attribute. */
export type QueryValue = string | number | boolean | null

/** A parsed query, of which only the syntax is checked. */
export type ParsedQuery = {
  /** Any word; queries.ts checks whether the method exists. */
  method: string
  /** Undefined where the method takes none; may be empty text. */
  attribute: string | undefined
  /** A list counts as its members: `equal("a", ["x", "y"])` has two values. */
  values: QueryValue[]
  /** The members of `and` and `or`; only the JSON notation can write them. */
  queries: ParsedQuery[]
}

/**
 * Methods of the text form whose only parameters are values; all others name an attribute first.
 */
const WITHOUT_ATTRIBUTE = ['limit', 'offset', 'cursorAfter', 'cursorBefore', 'select']
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/
const ESCAPABLE = ['"', "'", ',', '[', ']']
const QUOTED = String.raw`"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'`
/** A value, maybe with several quoted parts, or a misplaced character and the rest. */
// Bounded: a query has a few thousand characters, and matching ends at an error.
const VALUE = new RegExp(
  String.raw`(?:${QUOTED}|[^\s"'\\,[\]])(?:${QUOTED}|[^"'\\,[\]])*|["'\\][\s\S]*|\s+`,
  'g',
)

/**
 * Parses one query, as JSON if it begins with a brace and in the text notation otherwise:
 * `{"method":"equal","attribute":"status","values":["active"]}` or `equal("status", ["active"])`.
 *
 * @throws Refusal `general_query_invalid` when it cannot be parsed at all
 * @source api.md §3.4
 */
export function parseQuery(text: string): ParsedQuery {
  return text.trimStart().startsWith('{') ? fromJson(parseAsJson(text)) : parseText(text)
}

function unparsable(): Refusal {
  return new Refusal('general_query_invalid')
}

function parseAsJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unparsable()
  }
}

/** Reads a query from parsed JSON; objects among the values are nested queries. */
function fromJson(json: unknown): ParsedQuery {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw unparsable()
  const { method, attribute, values = [] } = json as Record<string, unknown>
  if (typeof method !== 'string' || !Array.isArray(values)) throw unparsable()
  if (attribute !== undefined && attribute !== null && typeof attribute !== 'string')
    throw unparsable()
  const query: ParsedQuery = { method, attribute: attribute ?? undefined, values: [], queries: [] }
  for (const value of values) {
    if (isQueryValue(value)) query.values.push(value)
    else query.queries.push(fromJson(value))
  }
  return query
}

function isQueryValue(value: unknown): value is QueryValue {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

function parseText(text: string): ParsedQuery {
  const [, method, inside] = /^\s*([A-Za-z_]\w*)\s*\(([\s\S]*)\)\s*$/.exec(text) ?? []
  if (method === undefined || inside === undefined) throw unparsable()
  const params = parseParams(inside)
  if (WITHOUT_ATTRIBUTE.includes(method))
    return { method, attribute: undefined, values: params.flat(), queries: [] }
  const [attribute = '', ...values] = params
  if (typeof attribute !== 'string') throw unparsable()
  return { method, attribute, values: values.flat(), queries: [] }
}

/** Converts each value to JSON; the commas and brackets around the values are JSON already. */
function parseParams(text: string): (QueryValue | QueryValue[])[] {
  const params = parseAsJson(
    `[${text.replace(VALUE, (value) => (value.trim() === '' ? '' : JSON.stringify(parseValue(value))))}]`,
  ) as (QueryValue | QueryValue[])[]
  if (params.some((param) => Array.isArray(param) && param.some(Array.isArray))) throw unparsable()
  return params
}

/**
 * Text in quotes, `true`, `false`, `null` or a number. A backslash stays unless it escapes
 * something.
 *
 * @throws Refusal `general_query_invalid` for anything else, like a word without quotes
 */
function parseValue(source: string): QueryValue {
  const text = source.trimEnd()
  if (/["']/.test(text)) {
    if (!/^(["'])[\s\S]*\1$/.test(text)) throw unparsable()
    return text
      .slice(1, -1)
      .replace(/\\([\s\S])/g, (pair, character) =>
        ESCAPABLE.includes(character) ? character : pair,
      )
  }
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  if (!NUMBER.test(text)) throw unparsable()
  return Number(text)
}

/** How many values a condition takes; undefined: at least one. */
const CONDITIONS: Readonly<Record<string, 0 | 1 | 2 | undefined>> = {
  isNull: 0,
  isNotNull: 0,
  notEqual: 1,
  search: 1,
  startsWith: 1,
  endsWith: 1,
  lessThan: 1,
  lessThanEqual: 1,
  greaterThan: 1,
  greaterThanEqual: 1,
  between: 2,
  equal: undefined,
  contains: undefined,
}
const COUNTS = ['no values', 'exactly one value', 'exactly two values'] as const

/** Negated methods: true where the attribute has a value and the positive condition is false. */
export const NEGATED: Readonly<Record<string, string>> = {
  notContains: 'contains',
  notSearch: 'search',
  notBetween: 'between',
  notStartsWith: 'startsWith',
  notEndsWith: 'endsWith',
}

/** Conditions of newer clients on the times of a row: `createdAfter`. */
const TIME_METHOD = /^(created|updated)(Before|After|Between)$/
const TIME_COMPARISONS = { Before: 'lessThan', After: 'greaterThan', Between: 'between' } as const

/** Methods that are conditions. */
export const FILTERS: readonly string[] = [
  ...Object.keys({ ...CONDITIONS, ...NEGATED }),
  'containsAny',
  'containsAll',
  'exists',
  'notExists',
  'and',
  'or',
  ...['created', 'updated'].flatMap((time) =>
    Object.keys(TIME_COMPARISONS).map((end) => time + end),
  ),
]

/** The number of values of a method, with the words of its refusal; undefined: at least one. */
export function valuesRule(method: string): { count: number; words: string } | undefined {
  const count = method.startsWith('order') ? 0 : CONDITIONS[NEGATED[method] ?? method]
  return count === undefined ? undefined : { count, words: COUNTS[count] }
}

/**
 * The query in terms of the basic methods: `containsAny` is `contains`, `containsAll` one
 * `contains` for each value, `exists` and `notExists` one `isNotNull` or `isNull` for each name,
 * `createdAfter` is `greaterThan` with `$createdAt`.
 */
export function toBasicMethods(query: ParsedQuery): ParsedQuery {
  const { method, attribute, values } = query
  const and = (queries: ParsedQuery[]): ParsedQuery => ({
    method: 'and',
    attribute: undefined,
    values: [],
    queries,
  })
  const [, time, end] = TIME_METHOD.exec(method) ?? []
  if (end)
    return {
      ...query,
      method: TIME_COMPARISONS[end as keyof typeof TIME_COMPARISONS],
      attribute: `$${time}At`,
    }
  if (method === 'containsAll' && values.length > 0)
    return and(values.map((value) => ({ ...query, method: 'contains', values: [value] })))
  if (method === 'containsAny' || method === 'containsAll') return { ...query, method: 'contains' }
  if (method !== 'exists' && method !== 'notExists') return query
  // The text notation has the first name in the place of the attribute.
  const names = [...(attribute ? [attribute] : []), ...values].map(String)
  const nullMethod = method === 'exists' ? 'isNotNull' : 'isNull'
  return and(
    names.map((name) => ({ method: nullMethod, attribute: name, values: [], queries: [] })),
  )
}

/** Words of one `search`, at most. */
const SEARCHED_WORDS_MAX = 10

/** Words of a search text; a text in quotation marks is searched for as it is. */
export function readSearchWords(text: string): string[] {
  const phrase = /^\s*"(.*)"\s*$/s.exec(text)?.[1]
  const words = phrase === undefined ? (text.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []) : [phrase]
  return [...new Set(words.filter((word) => word !== ''))].slice(0, SEARCHED_WORDS_MAX)
}
