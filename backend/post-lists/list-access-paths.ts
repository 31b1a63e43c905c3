// The access paths of a list of posts: the indexes that its conditions and its order allow.
// post-list-source-store.ts turns them into SQL.
import type { Filter, ListQuery, PlainFilter } from '../database/queries.ts'

/** Attributes by which an index orders posts. */
const SORT_KEYS = ['$sequence', '$createdAt', '$updatedAt', 'title', 'like'] as const
export type SortKey = (typeof SORT_KEYS)[number]

/** An index, and the part of a list that it answers. */
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
  const lookup = (by: AccessPath['by'], matches: (filter: Filter) => boolean): AccessPath[] =>
    findFirst(filters, matches).map((filter) => ({
      by,
      sortedBy: '$sequence',
      narrowing: [filter],
      isInOrder: false,
    }))
  const order = orderOf(query)
  const bySeq = order === '$sequence' ? order : '$createdAt'
  const isByTime = order === '$createdAt' && query.order.length === 1
  return [
    ...lookup('ids', isEqual('$id')),
    ...lookup('words', isFullText),
    ...lookup('likes', isAnyOf('likeId')),
    ...lookup('tags', (filter) => isAnyOf('tags')(filter) && !hasOneValue(filter)),
    ...lookup('authors', (filter) => isEqual('userid')(filter) && !hasOneValue(filter)),
    ...findFirst(filters, (filter) => isAnyOf('tags')(filter) && hasOneValue(filter)).map((tag) =>
      withRanges(query, { by: 'tag', sortedBy: '$createdAt', narrowing: [tag] }, isByTime),
    ),
    ...findFirst(filters, (filter) => isEqual('userid')(filter) && hasOneValue(filter)).map(
      (author) =>
        withRanges(query, { by: 'author', sortedBy: bySeq, narrowing: [author] }, bySeq === order),
    ),
    pathOfAll(query, order),
  ]
}

/** The path for counting, which needs no order: the smallest index with the same posts. */
export function accessPathToCount(path: AccessPath): AccessPath {
  const isWhole = path.isInOrder && path.by !== 'tag' && path.narrowing.every(isEqual('userid'))
  return isWhole ? { ...path, sortedBy: '$sequence' } : path
}

/** The first of the filters that matches, if there is one. */
function findFirst(filters: Filter[], matches: (filter: Filter) => boolean): Filter[] {
  return filters.filter(matches).slice(0, 1)
}

function pathOfAll(query: ListQuery, order: SortKey | undefined): AccessPath {
  const limited = SORT_KEYS.find((name) => query.filters.some(isRangeOf(name)))
  if (order && (!limited || query.filters.some(isRangeOf(order))))
    return withRanges(query, { by: 'all', sortedBy: order, narrowing: [] }, true)
  const sortedBy = limited ?? '$createdAt'
  // Posts with the same value are in order of creation in the index.
  const isOneValue = query.filters.some(
    (filter) => isEqual(sortedBy)(filter) && hasOneValue(filter),
  )
  return withRanges(
    query,
    { by: 'all', sortedBy, narrowing: [] },
    order === '$sequence' && isOneValue,
  )
}

/** Adds the conditions that are a range of the index. */
function withRanges(
  { filters }: ListQuery,
  path: Omit<AccessPath, 'isInOrder'>,
  isOrdered: boolean,
): AccessPath {
  const narrowing = [...new Set([...path.narrowing, ...filters.filter(isRangeOf(path.sortedBy))])]
  // With several values, each value has a range of its own.
  const isOneRange = narrowing.every(
    (filter) => !isEqual(path.sortedBy)(filter) || hasOneValue(filter),
  )
  const isAll = filters.every((filter) => narrowing.includes(filter) || isOfStatus(filter))
  return { ...path, narrowing, isInOrder: isOrdered && isOneRange && isAll }
}

/**
 * The index that provides the order of a list. Posts with equal times or titles are few, and are
 * sorted after reading; posts with equal numbers of likes, mostly 0, are many.
 */
function orderOf({ order, isRandom }: ListQuery): SortKey | undefined {
  if (isRandom) return undefined
  const [first, ...others] = order
  const sorted = SORT_KEYS.find((name) => name === (first?.attribute ?? '$sequence'))
  if (sorted === '$sequence') return sorted
  if (sorted === 'like' && first?.direction === 'asc') return undefined
  if (sorted === undefined || others.length === 0) return sorted
  const isInIndex = others.every(({ attribute = '$sequence' }) => TIME_KEYS.includes(attribute))
  return TIME_KEYS.includes(sorted) && isInIndex ? sorted : undefined
}

/** Attributes that may follow a time in the order: few posts have the same time. */
const TIME_KEYS: readonly string[] = ['$createdAt', '$updatedAt', '$sequence', '$id']

function isEqual(attribute: string): (filter: Filter) => boolean {
  return (filter) => filter.method === 'equal' && filter.attribute === attribute
}

/** For a list of values `contains` means the same as `equal`. */
function isAnyOf(attribute: string): (filter: Filter) => boolean {
  return (filter) =>
    (filter.method === 'equal' || filter.method === 'contains') && filter.attribute === attribute
}

/** Whether the word index answers this filter. */
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

/** Whether the conditions of a list allow active posts, and whether they allow others. */
export function statusesOf({ filters }: Pick<ListQuery, 'filters'>) {
  const statusFilters = filters.filter(isStatus).map(({ method, values }) => {
    return { isEqual: method === 'equal', values: values.map(String) }
  })
  return {
    hasActive: statusFilters.every(({ isEqual, values }) => values.includes('active') === isEqual),
    hasOthers: statusFilters.every(
      ({ isEqual, values }) => !isEqual || values.some((status) => status !== 'active'),
    ),
  }
}
