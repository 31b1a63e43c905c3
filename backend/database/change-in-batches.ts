// Changes a possibly large number of rows in batches of bounded size.
import { type RawBuilder, sql } from 'kysely'
import { makeYieldToEventLoop } from '../process/event-loop.ts'
import type { Database, Tables } from './schema.ts'

/** How many rows one statement changes or deletes. */
const BATCH_ROWS = 200

/**
 * Repeats a statement until no rows are left, and yields to the event loop in between.
 *
 * @param change changes at most `limit` rows, and returns their number
 * @returns the number of changed rows
 */
export async function changeInBatches(change: (limit: number) => Promise<number>): Promise<number> {
  const yieldToEventLoop = makeYieldToEventLoop()
  for (let total = 0; ; ) {
    const count = await change(BATCH_ROWS)
    total += count
    if (count < BATCH_ROWS) return total
    await yieldToEventLoop()
  }
}

type Rows = { table: keyof Tables; key: string; where: RawBuilder<unknown> }

/** Deletes rows in batches, each in a transaction of its own unless `db` is a transaction. */
export async function deleteInBatches(db: Database, rows: Rows): Promise<void> {
  await changeInBatches((limit) => deleteSome(db, rows, limit))
}

/** @returns the number of deleted rows, at most `limit` */
export async function deleteSome(db: Database, { table, key, where }: Rows, limit: number) {
  const from = sql.table(table)
  const id = sql.ref(key)
  const { numAffectedRows } = await sql`delete from ${from} where ${id} in
    (select ${id} from ${from} where ${where} limit ${limit})`.execute(db)
  return Number(numAffectedRows ?? 0)
}
