// What a `search` by the index of words costs in a list (list-cost.ts): less than going through all
// posts, as long as it finds few.
import type { Filter, ListQuery, PlainFilter } from '../database/queries.ts'

/** A part of a price, and the attribute that is to blame for it. */
export type Cost = { attribute: string; us: number }
type Measured = { posts(): Promise<number>; bodyBytes(): Promise<number> }
/** Going through so many posts, and asking each for the conditions. */
type Scan<Measures> = (
  measures: Measures,
  conditions: PlainFilter[],
  rows: number,
) => Promise<Cost[]>

// Microseconds, as in list-cost.ts.
/** Taking a post that the index found into account, and reading its row. */
const FOUND_US = 0.3
const FOUND_ROW_US = 2

/** Posts that the index leaves; undefined where others must be looked at, too. */
export function foundByIndex(filter: Filter): number | undefined {
  if (filter.method !== 'search' || filter.indexed?.due?.posts !== 0) return undefined
  return filter.indexed.found
}

/** Found posts lie here and there, not beside each other. */
export function foundRowsUs({ filters }: ListQuery, rows: number): number {
  return filters.some((filter) => foundByIndex(filter) === rows) ? rows * FOUND_ROW_US : 0
}

/** Finding posts by the index, and looking into those that it does not hold. */
export async function indexedCost<Measures extends Measured>(
  measures: Measures,
  scan: Scan<Measures>,
  { indexed, ...filter }: Extract<PlainFilter, { method: 'search' }>,
  rows: number,
): Promise<Cost> {
  const { isExact = false } = indexed ?? {}
  const found = indexed?.found ?? (await measures.posts())
  const due = indexed?.due ?? { posts: await measures.posts(), bytes: await measures.bodyBytes() }
  // A phrase is looked for in the texts of the posts found.
  const readRows = due.posts + (isExact ? 0 : Math.min(found, rows))
  const read = isExact ? { ...measures, bodyBytes: async () => due.bytes } : measures
  const scanned = readRows === 0 ? [] : await scan(read, [filter], readRows)
  const us = scanned.reduce((total, cost) => total + cost.us, found * FOUND_US)
  return { attribute: filter.attribute, us }
}
