// What lists and searches found, remembered until a post is written: which posts are on a page, and
// how many there are. The posts themselves are read each time, and each is asked whether the viewer
// may read it, so that nothing is shown because it was remembered. Knows no SQL.
import { LRUCache } from 'lru-cache'
import { TOTAL_MAX } from '#contract/limits.ts'
import { type ListQuery, plainFilters } from '#contract/queries.ts'
import { LISTS_KEPT_MAX_BYTES, LISTS_KEPT_SECONDS } from '#contract/server-limits.ts'
import { hearAtOnce, isHearing } from '../database/change-ears.ts'
import type { Change } from '../database/changes.ts'
import type { Database } from '../database/schema.ts'
import type { Found } from '../search/search.ts'
import { countFound, countInFront, findSeqs, type ScopedQuery } from './found-posts-store.ts'

export type KeptLists = {
  /** See {@link findSeqs}. */
  findSeqs(list: ScopedQuery): Promise<number[]>
  /** See {@link countFound}. */
  countFound(list: ScopedQuery): Promise<number>
  /** See {@link countInFront}. */
  countInFront(list: ScopedQuery): Promise<number>
  /** What a search finds; `search` is all that it depends on besides the posts. */
  findSearched(search: object, read: () => Promise<Found>): Promise<Found>
  /** The index of words has come to hold more. */
  forget(): void
}

type Kept = number | number[] | Found

/** Bytes of an entry beside its key and numbers, about. */
const ENTRY_BYTES = 200

export function makeKeptLists(db: Database): KeptLists {
  const kept = new LRUCache<string, Kept>({
    maxSize: LISTS_KEPT_MAX_BYTES,
    sizeCalculation: (value, key) => ENTRY_BYTES + 2 * key.length + 8 * numbersIn(value),
    // Also for what is written past this program.
    ttl: LISTS_KEPT_SECONDS * 1000,
  })
  let changes = 0
  const forget = () => {
    changes++
    kept.clear()
  }
  hearAtOnce(db, { change: (change) => void (isOfLists(change) && forget()), missed: forget })

  async function find<Value extends Kept>(key: string, read: () => Promise<Value>): Promise<Value> {
    if (!isHearing(db)) return read()
    const known = kept.get(key)
    if (known !== undefined) return known as Value
    const before = changes
    const value = await read()
    // What was changed meanwhile may be in it or not.
    if (before === changes && isHearing(db)) kept.set(key, value)
    return value
  }
  function findListed<Value extends Kept>(
    key: string,
    list: ScopedQuery,
    read: (db: Database, list: ScopedQuery) => Promise<Value>,
  ): Promise<Value> {
    return isKept(list.query) ? find(key, () => read(db, list)) : read(db, list)
  }
  return {
    findSeqs: (list) => findListed(`page ${pageKey(list)}`, list, findSeqs),
    countFound: (list) => findListed(`total ${listKey(list)}`, list, countFound),
    countInFront: (list) => findListed(`before ${pageKey(list)}`, list, countInFront),
    findSearched: (search, read) => find(`search ${JSON.stringify(search)}`, read),
    forget,
  }
}

function numbersIn(value: Kept): number {
  const numbers = typeof value === 'object' && 'seqs' in value ? value.seqs : value
  return Array.isArray(numbers) ? numbers.length : 1
}

/** A page that is not full shows where the list ends: nothing needs to be counted. */
export async function findTotal(
  lists: KeptLists,
  list: ScopedQuery,
  found: number,
): Promise<number> {
  const { limit, offset, cursor } = list.query
  const isLastPage = found < limit && (found > 0 || offset === 0) && !cursor
  return isLastPage ? Math.min(offset + found, TOTAL_MAX) : lists.countFound(list)
}

/** Likes are in no list that is kept, files and accounts in none. */
function isOfLists(change: Change): boolean {
  if (change.kind === 'post') return !change.isLike
  return change.kind === 'access' || change.kind === 'public'
}

/** What depends on likes and names changes too often; at random it is another list each time. */
const NOT_KEPT: readonly (string | undefined)[] = ['like', 'likeId', 'userName']

function isKept({ filters, order, isRandom }: ListQuery): boolean {
  if (isRandom) return false
  return ![...plainFilters(filters), ...order].some(({ attribute }) => NOT_KEPT.includes(attribute))
}

function listKey({ query: { filters }, scope }: ScopedQuery): string {
  return JSON.stringify([scope, filters])
}

function pageKey({ query, scope }: ScopedQuery): string {
  const { filters, order, cursor, limit, offset } = query
  return JSON.stringify([scope, filters, order, cursor, limit, offset])
}
