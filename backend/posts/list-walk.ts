// Along which index a list of posts is gone through: what its price (list-cost.ts) and its SQL
// (post-lanes-store.ts) go by. Knows no SQL.
import type { Filter, ListQuery, PlainFilter } from '../database/queries.ts'
import { askedTags, isFirstAsking } from './asked.ts'
import { foundByIndex } from './indexed-cost.ts'

/** What posts have an index for, each in its order. */
const SORTED = ['$sequence', '$createdAt', '$updatedAt', 'title', 'like'] as const
export type Sorted = (typeof SORTED)[number]

/**
 * - `ids`, `found`, `authors`, `tags`: the posts that a condition names, which are then sorted
 * - `all`, `author`, `tag`: a range of an index; where it is in the order asked for, a page ends
 *   the work
 */
export type Walk =
  | { by: 'ids' | 'found' | 'authors' | 'tags'; isInOrder: false }
  | { by: 'all' | 'author' | 'tag'; along: Sorted; isInOrder: boolean }

/** The walk of a list, and its conditions that each post on the way must be asked for. */
export function walkOf(query: ListQuery): Walk {
  const { filters } = query
  if (filters.some(isOf('$id'))) return { by: 'ids', isInOrder: false }
  if (filters.some((filter) => foundByIndex(filter) !== undefined))
    return { by: 'found', isInOrder: false }
  const ordered = orderOf(query)
  // Of several values each would stand in its own order.
  const order = ordered && filters.some(isSeveralOf(ordered)) ? undefined : ordered
  const tags = askedTags(query)
  if (tags)
    return tags.length > 1
      ? { by: 'tags', isInOrder: false }
      : { by: 'tag', along: '$createdAt', isInOrder: order === '$createdAt' && isAlone(query) }
  const authors = filters.find(isOf('userid'))
  if (authors && 'values' in authors && authors.values.length > 1)
    return { by: 'authors', isInOrder: false }
  if (authors) {
    const along = order === '$sequence' ? order : '$createdAt'
    return { by: 'author', along, isInOrder: along === order }
  }
  return { by: 'all', ...walkOfAll(query, order) }
}

function walkOfAll({ filters }: ListQuery, order: Sorted | undefined) {
  const ranged = SORTED.find((name) => filters.some(isRangeOf(name)))
  if (order !== undefined && (ranged === undefined || filters.some(isRangeOf(order))))
    return { along: order, isInOrder: true }
  const along = ranged ?? '$createdAt'
  // Posts of one value stand in the order of creation.
  const isInOrder = order === '$sequence' && filters.some(isOneOf(along))
  return { along, isInOrder }
}

/** Conditions that leave posts out which the walk passes. */
export function conditionsOnTheWay(query: ListQuery, walk: Walk): Filter[] {
  return query.filters.filter((filter) => {
    if ((walk.by === 'tag' || walk.by === 'tags') && isFirstAsking(filter, query)) return false
    if ((walk.by === 'author' || walk.by === 'authors') && isOf('userid')(filter)) return false
    if (walk.by === 'ids' && isOf('$id')(filter)) return false
    if ('along' in walk && isRangeOf(walk.along)(filter)) return false
    return !isOfStatus(filter)
  })
}

/** The conditions that are a range of the index. */
export function rangesOf({ filters }: ListQuery, walk: Walk): Filter[] {
  return 'along' in walk ? filters.filter(isRangeOf(walk.along)) : []
}

/**
 * The order as far as an index has it. Equal times and titles are few, and put into order as they
 * come; equally many likes, mostly none, are not.
 */
function orderOf({ order, isRandom }: ListQuery): Sorted | undefined {
  if (isRandom) return undefined
  const [first, ...others] = order
  const sorted = SORTED.find((name) => name === (first?.attribute ?? '$sequence'))
  if (sorted === '$sequence') return sorted
  if (sorted === 'like' && first?.direction === 'asc') return undefined
  if (sorted === undefined || others.length === 0) return sorted
  const isInIndex = others.every(({ attribute = '$sequence' }) => BY_TIME.includes(attribute))
  return BY_TIME.includes(sorted) && isInIndex ? sorted : undefined
}

function isAlone({ order }: ListQuery): boolean {
  return order.length === 1
}

/** Beside a time these put few posts into order. */
const BY_TIME: readonly string[] = ['$createdAt', '$updatedAt', '$sequence', '$id']

function isOf(attribute: string): (filter: Filter) => filter is PlainFilter {
  return (filter): filter is PlainFilter =>
    filter.method === 'equal' && filter.attribute === attribute
}

const RANGES = [
  ...['equal', 'startsWith', 'between'],
  ...['lessThan', 'lessThanEqual', 'greaterThan', 'greaterThanEqual'],
]

function isRangeOf(attribute: Sorted): (filter: Filter) => boolean {
  return (filter) =>
    'attribute' in filter && filter.attribute === attribute && RANGES.includes(filter.method)
}

function isOneOf(attribute: Sorted): (filter: Filter) => boolean {
  return (filter) => isOf(attribute)(filter) && 'values' in filter && filter.values.length === 1
}

function isSeveralOf(attribute: Sorted): (filter: Filter) => boolean {
  return (filter) => isOf(attribute)(filter) && !isOneOf(attribute)(filter)
}

/** Posts that are not active stand apart in each index. */
function isOfStatus(filter: Filter): boolean {
  if (!('attribute' in filter) || filter.attribute !== 'status' || !('values' in filter))
    return false
  const [value, ...others] = filter.values
  if (others.length > 0) return false
  if (filter.method === 'notEqual') return value === 'active'
  return filter.method === 'equal' && (value === 'active' || value === 'inactive')
}

/** Whether a list can hold active posts, and others: as far as its conditions tell. */
export function statusesOf({ filters }: Pick<ListQuery, 'filters'>): {
  hasActive: boolean
  hasOthers: boolean
} {
  let [hasActive, hasOthers] = [true, true]
  for (const filter of filters) {
    if (!('attribute' in filter) || filter.attribute !== 'status') continue
    if (filter.method === 'equal') {
      hasActive &&= filter.values.includes('active')
      hasOthers &&= filter.values.some((value) => value !== 'active')
    }
    if (filter.method === 'notEqual' && filter.values[0] === 'active') hasActive = false
  }
  return { hasActive, hasOthers }
}
