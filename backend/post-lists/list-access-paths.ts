// The indexes that can answer a list of posts: the access paths that its conditions and its order
// allow. post-list-source-store.ts turns them into SQL.
import type { Filter, ListQuery, PlainFilter } from '../database/queries.ts'

/** What posts have an index for, each in its order. */
const SORTED = ['$sequence', '$createdAt', '$updatedAt', 'title', 'like'] as const
export type SortKey = (typeof SORTED)[number]

/** An index, and what of a list it answers. */
export type AccessPath = {
  by: 'ids' | 'words' | 'likes' | 'authors' | 'tags' | 'all' | 'author' | 'tag'
  sortedBy: SortKey
  /** Conditions that the index answers: posts that do not meet them are never read. */
  narrowing: Filter[]
  /**
   * The index yields posts in the requested order, with no further condition: a page ends the scan.
   */
  isInOrder: boolean
}

/** First the paths that look up single posts, then ranges of an index. */
export function accessPathsOf(query: ListQuery): AccessPath[] {
  const { filters } = query
  const named = (by: AccessPath['by'], is: (filter: Filter) => boolean): AccessPath[] =>
    first(filters, is).map((one) => ({
      by,
      sortedBy: '$sequence',
      narrowing: [one],
      isInOrder: false,
    }))
  const order = orderOf(query)
  const bySeq = order === '$sequence' ? order : '$createdAt'
  const isByTime = order === '$createdAt' && query.order.length === 1
  return [
    ...named('ids', isEqual('$id')),
    ...named('words', isFullText),
    ...named('likes', isAnyOf('likeId')),
    ...named('tags', (one) => isAnyOf('tags')(one) && !hasOneValue(one)),
    ...named('authors', (one) => isEqual('userid')(one) && !hasOneValue(one)),
    ...first(filters, (one) => isAnyOf('tags')(one) && hasOneValue(one)).map((tag) =>
      ranged(query, { by: 'tag', sortedBy: '$createdAt', narrowing: [tag] }, isByTime),
    ),
    ...first(filters, (one) => isEqual('userid')(one) && hasOneValue(one)).map((author) =>
      ranged(query, { by: 'author', sortedBy: bySeq, narrowing: [author] }, bySeq === order),
    ),
    pathOfAll(query, order),
  ]
}

/** For counting, which needs no order, the smallest of the indexes that answer the same. */
export function accessPathToCount(path: AccessPath): AccessPath {
  const isWhole = path.isInOrder && path.by !== 'tag' && path.narrowing.every(isEqual('userid'))
  return isWhole ? { ...path, sortedBy: '$sequence' } : path
}

function first(filters: Filter[], is: (filter: Filter) => boolean): Filter[] {
  return filters.filter(is).slice(0, 1)
}

function pathOfAll(query: ListQuery, order: SortKey | undefined): AccessPath {
  const limited = SORTED.find((name) => query.filters.some(isRangeOf(name)))
  if (order && (!limited || query.filters.some(isRangeOf(order))))
    return ranged(query, { by: 'all', sortedBy: order, narrowing: [] }, true)
  const sortedBy = limited ?? '$createdAt'
  // The index orders posts with the same value by creation.
  const isOneValue = query.filters.some((one) => isEqual(sortedBy)(one) && hasOneValue(one))
  return ranged(query, { by: 'all', sortedBy, narrowing: [] }, order === '$sequence' && isOneValue)
}

/** With the conditions that are a range of the index. */
function ranged(
  { filters }: ListQuery,
  path: Omit<AccessPath, 'isInOrder'>,
  isOrdered: boolean,
): AccessPath {
  const narrowing = [...new Set([...path.narrowing, ...filters.filter(isRangeOf(path.sortedBy))])]
  // With several values, each has an order of its own.
  const isOneRange = narrowing.every((one) => !isEqual(path.sortedBy)(one) || hasOneValue(one))
  const isAll = filters.every((one) => narrowing.includes(one) || isOfStatus(one))
  return { ...path, narrowing, isInOrder: isOrdered && isOneRange && isAll }
}

/**
 * The part of the order that an index provides. Posts with equal times or titles are few, and
 * sorted while they are read; posts with equally many likes, mostly none, are not.
 */
function orderOf({ order, isRandom }: ListQuery): SortKey | undefined {
  if (isRandom) return undefined
  const [first, ...others] = order
  const sorted = SORTED.find((name) => name === (first?.attribute ?? '$sequence'))
  if (sorted === '$sequence') return sorted
  if (sorted === 'like' && first?.direction === 'asc') return undefined
  if (sorted === undefined || others.length === 0) return sorted
  const isInIndex = others.every(({ attribute = '$sequence' }) => BY_TIME.includes(attribute))
  return BY_TIME.includes(sorted) && isInIndex ? sorted : undefined
}

/** After a time, these sort only few posts. */
const BY_TIME: readonly string[] = ['$createdAt', '$updatedAt', '$sequence', '$id']

function isEqual(attribute: string): (filter: Filter) => boolean {
  return (filter) => filter.method === 'equal' && filter.attribute === attribute
}

/** For a list of values `contains` means the same as `equal`. */
function isAnyOf(attribute: string): (filter: Filter) => boolean {
  return (filter) =>
    (filter.method === 'equal' || filter.method === 'contains') && filter.attribute === attribute
}

/** By the index of words. */
export function isFullText(filter: Filter): boolean {
  if (filter.method !== 'search') return false
  return filter.attribute === 'title' || filter.attribute === 'content'
}

function hasOneValue(filter: Filter): boolean {
  return 'values' in filter && filter.values.length === 1
}

const RANGES = [
  'equal',
  'startsWith',
  'between',
  'lessThan',
  'lessThanEqual',
  'greaterThan',
  'greaterThanEqual',
]

function isRangeOf(attribute: SortKey): (filter: Filter) => boolean {
  return (filter) =>
    'attribute' in filter && filter.attribute === attribute && RANGES.includes(filter.method)
}

export function isStatus(filter: Filter): filter is Extract<PlainFilter, { values: unknown[] }> {
  const isCompared = filter.method === 'equal' || filter.method === 'notEqual'
  return isCompared && filter.attribute === 'status'
}

/** Each index stores inactive posts in a range of their own. */
function isOfStatus(filter: Filter): boolean {
  if (!isStatus(filter) || !hasOneValue(filter)) return false
  const [value] = filter.values
  return value === 'active' || (filter.method === 'equal' && value === 'inactive')
}

/** Whether the conditions of a list allow active posts, and others. */
export function statusesOf({ filters }: Pick<ListQuery, 'filters'>) {
  const statusFilters = filters.filter(isStatus).map(({ method, values }) => {
    return { isEqual: method === 'equal', values: values.map(String) }
  })
  return {
    hasActive: statusFilters.every(({ isEqual, values }) => values.includes('active') === isEqual),
    hasOthers: statusFilters.every(
      ({ isEqual, values }) => !isEqual || values.some((one) => one !== 'active'),
    ),
  }
}
