// Conditions on the words of `status` -> those on the status that rules and indexes go by, as far
// as they ask for all that is public, or for nothing that is; else on the words themselves.
import type { Filter, PlainFilter } from '../database/queries.ts'
import { type Attributes, OWN_STATUS } from './naming.ts'

const STATUS = 'status'

type Words = Pick<Attributes, 'publicStatuses'>

export function ruledFilters(words: Words, filters: Filter[]): Filter[] {
  const { publicStatuses } = words
  if (isUsual(words)) return filters
  const isExcluded = (word: string) =>
    filters.some((one) => one.method === 'notEqual' && isOfStatus(one) && one.values[0] === word)
  const isPrivateAsked = publicStatuses.every(isExcluded)
  const others = filters.filter(
    (one) =>
      !isPrivateAsked ||
      one.method !== 'notEqual' ||
      !isOfStatus(one) ||
      !publicStatuses.includes(String(one.values[0])),
  )
  const isPrivate: Filter = { method: 'notEqual', attribute: STATUS, values: ['active'] }
  return [...others.map((one) => ruled(words, one)), ...(isPrivateAsked ? [isPrivate] : [])]
}

/** Only `active` is public, and nothing is written beside a status. */
function isUsual({ publicStatuses }: Words): boolean {
  return publicStatuses.length === 1 && publicStatuses[0] === 'active'
}

function isOfStatus({ attribute }: PlainFilter): boolean {
  return attribute === STATUS
}

function ruled(words: Words, filter: Filter): Filter {
  if ('filters' in filter)
    return { ...filter, filters: filter.filters.map((one) => ruled(words, one)) } as Filter
  if (!isOfStatus(filter)) return filter
  const { publicStatuses } = words
  if (filter.method === 'equal') {
    const rest = filter.values.filter((one) => !publicStatuses.includes(String(one)))
    const isAll = publicStatuses.every((word) => filter.values.includes(word))
    const isNone = rest.length === filter.values.length
    // Without it among them, `inactive` stands for two words.
    if (isAll && rest.length === 0) return { ...filter, values: ['active'] }
    if (publicStatuses.includes('active') && (isAll || isNone))
      return { ...filter, values: isNone ? rest : ['active', ...rest] }
  }
  return { ...filter, attribute: OWN_STATUS }
}

/** The name under which lists are ordered by the words. */
export function orderedStatus(words: Words, attribute: string): string {
  return attribute === STATUS && !isUsual(words) ? OWN_STATUS : attribute
}
