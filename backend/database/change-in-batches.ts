// Changes of rows that may be very many: no statement takes all of them at once.
import { type RawBuilder, sql } from 'kysely'
import { makeYieldToEventLoop } from '../process/event-loop.ts'
import type { Database, Tables } from './schema.ts'

/** Rows that one statement changes or deletes. */
const ROWS_AT_ONCE = 200

/**
 * Repeats a statement until it has no more rows to change. Other work has its turn in between.
 *
 * @param change changes at most so many rows, and returns how many
 * @returns how many rows in all
 */
export async function changeInBatches(change: (limit: number) => Promise<number>): Promise<number> {
  const yieldToEventLoop = makeYieldToEventLoop()
  for (let all = 0; ; ) {
    const count = await change(ROWS_AT_ONCE)
    all += count
    if (count < ROWS_AT_ONCE) return all
    await yieldToEventLoop()
  }
}

type Rows = { table: keyof Tables; key: string; where: RawBuilder<unknown> }

/** Deletes rows in batches, each in a transaction of its own where none is around it. */
export async function deleteInBatches(db: Database, rows: Rows): Promise<void> {
  await changeInBatches((limit) => deleteSome(db, rows, limit))
}

/** @returns how many, at most `limit` */
export async function deleteSome(db: Database, { table, key, where }: Rows, limit: number) {
  const from = sql.table(table)
  const id = sql.ref(key)
  const { numAffectedRows } = await sql`delete from ${from} where ${id} in
    (select ${id} from ${from} where ${where} limit ${limit})`.execute(db)
  return Number(numAffectedRows ?? 0)
}
