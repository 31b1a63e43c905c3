// What a list call may cost the server: bodies are long, no index helps to search them, and SQLite
// searches while all others wait. Knows how often a query goes through the bodies, not what for.
import { sql } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { CONTENT_SEARCH_MAX_BYTES } from '#contract/limits.ts'
import { type ListQuery, type PlainFilter, plainFilters } from '#contract/queries.ts'
import type { Database } from '../database/schema.ts'

/** Looking at a post at all costs about as much as this many bytes of its body. */
const POST_BYTES = 1024
/**
 * Both databases compare a needle anew at every place where it could begin; this many bytes of it
 * cost as much as the step itself.
 */
const NEEDLE_STEP_BYTES = 16
/** Lengths in characters are counted by going through the text. */
const PASSES_OF_ENDS_WITH = 4
/** Bodies are read, moved and compared with each other. */
const PASSES_OF_ORDER = 4

/**
 * Refuses what would go through more bytes of post bodies than one call may.
 *
 * @throws Refusal `general_argument_invalid`
 */
export async function refuseCostly(db: Database, query: ListQuery): Promise<void> {
  const passes = countPasses(query)
  if (passes === 0) return
  // Sizes are known without reading the bodies; more posts than these are too many anyway.
  const sized = sql<{ bytes: number | string | null }>`
    select sum(size) as bytes
    from (select octet_length(content) + ${sql.raw(String(POST_BYTES))} as size from post limit ${CONTENT_SEARCH_MAX_BYTES / POST_BYTES}) as sized`
  const { rows } = await sized.execute(db)
  if (Number(rows[0]?.bytes ?? 0) * passes > CONTENT_SEARCH_MAX_BYTES) {
    throw new Refusal(
      'general_argument_invalid',
      'Invalid query: Query on attribute is not indexed: content',
    )
  }
}

/** How often the query goes through all bodies. */
function countPasses({ filters, order }: ListQuery): number {
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
