// Which tags a list of posts asks for. Knows no SQL.
import type { Filter, ListQuery } from '#contract/queries.ts'
import { tagKey } from '#contract/tags.ts'
import { TAGS } from './naming.ts'

/** The keys of the first condition that leaves only posts with one of some tags. */
export function askedTags({ filters }: Pick<ListQuery, 'filters'>): string[] | undefined {
  return keysOf(filters.find(isAskingForTags))
}

/** Whether this condition is the one that {@link askedTags} reads. */
export function isFirstAsking(filter: Filter, { filters }: Pick<ListQuery, 'filters'>): boolean {
  return filter === filters.find(isAskingForTags)
}

function keysOf(filter: Filter | undefined): string[] | undefined {
  if (!filter || !('values' in filter)) return undefined
  return [...new Set(filter.values.map((one) => tagKey(String(one))))]
}

function isAskingForTags(filter: Filter): boolean {
  return (filter.method === 'equal' || filter.method === 'contains') && filter.attribute === TAGS
}
