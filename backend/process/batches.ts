// Reads what may be too much to be in memory at once.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Rows behind `after`; without it the first ones. */
export type Page<Row> = { after: Row | undefined; limit: number }

/**
 * Other requests get a turn between two batches: SQLite answers at once.
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
