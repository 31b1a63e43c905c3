// The methods that queries know: which make a condition, how many values each takes, and how those
// of newer clients are made of the older ones.
import type { WrittenQuery } from './query-text.ts'

/** How many values a condition takes; undefined: at least one. */
const CONDITIONS: Readonly<Record<string, 0 | 1 | 2 | undefined>> = {
  ...{ isNull: 0, isNotNull: 0, notEqual: 1, search: 1, startsWith: 1, endsWith: 1 },
  ...{ lessThan: 1, lessThanEqual: 1, greaterThan: 1, greaterThanEqual: 1, between: 2 },
  ...{ equal: undefined, contains: undefined },
}
const COUNTS = ['no values', 'exactly one value', 'exactly two values'] as const

/** True where the attribute has a value and another condition is false. */
export const NEGATED: Readonly<Record<string, string>> = {
  ...{ notContains: 'contains', notSearch: 'search', notBetween: 'between' },
  ...{ notStartsWith: 'startsWith', notEndsWith: 'endsWith' },
}

/** Conditions on the times of a row, as newer clients may write them: `createdAfter`. */
const ON_TIMES = /^(created|updated)(Before|After|Between)$/
const OF_TIMES = { Before: 'lessThan', After: 'greaterThan', Between: 'between' } as const

/** Methods that make a condition. */
export const FILTERS: readonly string[] = [
  ...Object.keys({ ...CONDITIONS, ...NEGATED }),
  ...['containsAny', 'containsAll', 'exists', 'notExists', 'and', 'or'],
  ...['created', 'updated'].flatMap((time) => Object.keys(OF_TIMES).map((end) => time + end)),
]

/** How many values a method takes, and how its refusal says so; undefined: at least one. */
export function valuesRule(method: string): { count: number; words: string } | undefined {
  const count = method.startsWith('order') ? 0 : CONDITIONS[NEGATED[method] ?? method]
  return count === undefined ? undefined : { count, words: COUNTS[count] }
}

/**
 * The same query in older methods: `containsAny` is `contains`, `containsAll` one `contains` for
 * each value, `exists` and `notExists` one `isNotNull` or `isNull` for each name, `createdAfter` is
 * `greaterThan` with `$createdAt`.
 */
export function inOlderMethods(query: WrittenQuery): WrittenQuery {
  const { method, attribute, values } = query
  const all = (queries: WrittenQuery[]): WrittenQuery => ({
    ...{ method: 'and', attribute: undefined, values: [], queries },
  })
  const [, time, end] = ON_TIMES.exec(method) ?? []
  if (end)
    return { ...query, method: OF_TIMES[end as keyof typeof OF_TIMES], attribute: `$${time}At` }
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
