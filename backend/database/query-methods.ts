// The methods that queries know: which make a condition, how many values each takes, and how those
// of newer clients are made of the older ones.
import type { WrittenQuery } from './query-text.ts'

export const COMPARING = ['lessThan', 'lessThanEqual', 'greaterThan', 'greaterThanEqual'] as const

/** Conditions that are true where the attribute has a value and another condition is false. */
export const NEGATED: Readonly<Record<string, string>> = {
  notContains: 'contains',
  notSearch: 'search',
  notBetween: 'between',
  notStartsWith: 'startsWith',
  notEndsWith: 'endsWith',
}

/** Conditions on the times of a row, as some newer clients write them. */
const ON_TIMES: Readonly<Record<string, readonly [method: string, attribute: string]>> = {
  createdBefore: ['lessThan', '$createdAt'],
  createdAfter: ['greaterThan', '$createdAt'],
  createdBetween: ['between', '$createdAt'],
  updatedBefore: ['lessThan', '$updatedAt'],
  updatedAfter: ['greaterThan', '$updatedAt'],
  updatedBetween: ['between', '$updatedAt'],
}

/** Methods that make a condition. */
export const FILTERS: readonly string[] = [
  'equal',
  'notEqual',
  ...COMPARING,
  'between',
  'isNull',
  'isNotNull',
  'startsWith',
  'endsWith',
  'contains',
  'containsAny',
  'containsAll',
  'search',
  ...Object.keys(NEGATED),
  'exists',
  'notExists',
  ...Object.keys(ON_TIMES),
  'and',
  'or',
]

const ONE = [1, 'exactly one value'] as const
const TWO = [2, 'exactly two values'] as const
const NONE = [0, 'no values'] as const
/** How many values a method takes. Those not listed: at least one, or as what they negate. */
const VALUES: Readonly<Record<string, readonly [count: number, words: string]>> = {
  notEqual: ONE,
  lessThan: ONE,
  lessThanEqual: ONE,
  greaterThan: ONE,
  greaterThanEqual: ONE,
  startsWith: ONE,
  endsWith: ONE,
  search: ONE,
  between: TWO,
  isNull: NONE,
  isNotNull: NONE,
  orderAsc: NONE,
  orderDesc: NONE,
  orderRandom: NONE,
}

/** How many values a method takes, and how its refusal says so; undefined: at least one. */
export function valuesRule(method: string): readonly [count: number, words: string] | undefined {
  return VALUES[NEGATED[method] ?? method]
}

/** Methods whose values are names of attributes. */
export const NAMING: readonly string[] = ['select', 'exists', 'notExists']

/**
 * The same query in older methods: `containsAny` is `contains`, `containsAll` one `contains` for
 * each value, `exists` and `notExists` one `isNotNull` or `isNull` for each name, `createdAfter` is
 * `greaterThan` with `$createdAt`.
 */
export function inOlderMethods(query: WrittenQuery): WrittenQuery {
  const { method, attribute, values } = query
  const all = (queries: WrittenQuery[]): WrittenQuery => ({
    method: 'and',
    attribute: undefined,
    values: [],
    queries,
  })
  const onTime = Object.hasOwn(ON_TIMES, method) ? ON_TIMES[method] : undefined
  if (onTime) return { ...query, method: onTime[0], attribute: onTime[1] }
  if (method === 'containsAll' && values.length > 0)
    return all(values.map((value) => ({ ...query, method: 'contains', values: [value] })))
  if (method === 'containsAny' || method === 'containsAll') return { ...query, method: 'contains' }
  if (method !== 'exists' && method !== 'notExists') return query
  // In the text notation the first name stands in the place of the attribute.
  const names = [...(attribute ? [attribute] : []), ...values].map(String)
  const asked = method === 'exists' ? 'isNotNull' : 'isNull'
  return all(names.map((name) => ({ method: asked, attribute: name, values: [], queries: [] })))
}

/** Words of one `search` that are looked for. */
const SEARCHED_WORDS_MAX = 10

/** Words of a text; one in quotation marks is looked for as it is. */
export function searchedTexts(text: string): string[] {
  const phrase = /^\s*"(.*)"\s*$/s.exec(text)?.[1]
  const words = phrase === undefined ? (text.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []) : [phrase]
  return [...new Set(words.filter((word) => word !== ''))].slice(0, SEARCHED_WORDS_MAX)
}
