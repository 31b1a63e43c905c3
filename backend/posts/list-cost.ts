// What a list call may cost the server: bodies are long, no index helps to search them, and SQLite
// blocks all other requests while it searches. Knows how often a query reads through the bodies,
// not what for.
import { Refusal } from '#contract/errors.ts'
import { CONTENT_SEARCH_MAX_BYTES } from '#contract/limits.ts'
import { type ListQuery, type PlainFilter, plainFilters } from '#contract/queries.ts'
import type { Database } from '../database/schema.ts'
import * as store from './store.ts'

/** Reading any post costs about as much as searching this many bytes of a body. */
const POST_BYTES = 1024
/**
 * Both databases compare the needle at every position; comparing this many bytes of it costs as
 * much as moving on by one.
 */
const NEEDLE_STEP_BYTES = 16
/** Lengths in characters are counted by reading the text. */
const PASSES_OF_ENDS_WITH = 4
/** Bodies are read, moved and compared with each other. */
const PASSES_OF_ORDER = 4

/**
 * Refuses a query that would read through more bytes of post bodies than one call may.
 *
 * @throws Refusal `general_argument_invalid`
 */
export async function refuseCostly(db: Database, query: ListQuery): Promise<void> {
  const passes = countPasses(query)
  if (passes === 0) return
  // More posts than these cost too much whatever is in them.
  const postsMax = CONTENT_SEARCH_MAX_BYTES / POST_BYTES
  const { posts, contentBytes } = await store.measureContent(db, { postsMax })
  if ((contentBytes + posts * POST_BYTES) * passes > CONTENT_SEARCH_MAX_BYTES) {
    throw new Refusal(
      'general_argument_invalid',
      'Invalid query: Query on attribute is not indexed: content',
    )
  }
}

/** How many times the query reads through all bodies. */
export function countPasses({ filters, order }: ListQuery): number {
  const passes = plainFilters(filters).reduce(
    (total, filter) => total + (filter.attribute === 'content' ? passesOf(filter) : 0),
    0,
  )
  return passes + (order.some(({ attribute }) => attribute === 'content') ? PASSES_OF_ORDER : 0)
}

function passesOf(filter: PlainFilter): number {
  switch (filter.method) {
    case 'isNull':
    case 'isNotNull':
      return 0
    case 'contains':
      return filter.values.reduce<number>(
        (total, value) => total + 1 + Buffer.byteLength(String(value)) / NEEDLE_STEP_BYTES,
        0,
      )
    case 'endsWith':
      return PASSES_OF_ENDS_WITH
    default:
      return filter.values.length
  }
}
