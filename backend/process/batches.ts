// Reads what may be too much to be in memory at once.

/** Rows behind `after`; without it the first ones. */
export type Page<Row> = { after: Row | undefined; limit: number }

/** @returns batches of at least one row */
export async function* inBatches<Row>(
  limit: number,
  read: (page: Page<Row>) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after: Row | undefined, isMore = true; isMore; ) {
    const rows = await read({ after, limit })
    if (rows.length > 0) yield rows
    after = rows.at(-1)
    isMore = rows.length === limit
  }
}
