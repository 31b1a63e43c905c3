// Reads rows in batches, because all of them may not fit into memory.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Rows after `after`, or the first ones. */
export type Page<Row> = { after: Row | undefined; limit: number }

/**
 * Yields to the event loop between batches, because SQLite answers synchronously.
 *
 * @returns batches of at least one row
 */
export async function* readBatches<Row>(
  limit: number,
  read: (page: Page<Row>) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after: Row | undefined, isMore = true; isMore; ) {
    const rows = await read({ after, limit })
    if (rows.length > 0) yield rows
    after = rows.at(-1)
    isMore = rows.length === limit
    if (isMore) await nextTurn()
  }
}

/** The rows of {@link readBatches}, one at a time. */
export async function* readRows<Row>(
  limit: number,
  read: (page: Page<Row>) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for await (const rows of readBatches(limit, read)) yield* rows
}
