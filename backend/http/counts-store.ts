// Counts calls in the database, for all processes. The stored keys are hashes, so they name no
// caller.
import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { deleteInBatches } from '../database/change-in-batches.ts'
import { isShared } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'
import { retryOnConflict } from '../database/transaction.ts'

export type RateLimitRule = readonly [max: number, windowSeconds: number]
/**
 * One call to count: the rule, and the key of the caller. `amount` (1 when absent) may exceed what
 * is left of the limit: a call is allowed while anything is left.
 */
export type Count = {
  name: string
  rule: RateLimitRule
  key: string
  amount?: number
  /** The rule protects the target user of the call: calls with the API key count, too. */
  isOfTarget?: true
}

/** Windows begin at multiples of their length, the same for all callers. */
export function endOfWindow({ rule: [, windowSeconds] }: Count, nowMs: number): number {
  const windowMs = windowSeconds * 1000
  return (Math.floor(nowMs / windowMs) + 1) * windowMs
}

export function idOf({ name, key }: Count): string {
  return `${name}|${key}`
}

/**
 * Adds to all counts, or to none.
 *
 * @param refuse throws for a full count, which rolls everything back
 * @returns the sums, in the order of the counts
 */
export async function takeCounts(
  db: Database,
  counts: Count[],
  nowMs: number,
  refuse: (full: Count) => never,
): Promise<number[]> {
  // Always in the same order, so that no two transactions wait for each other.
  const ordered = counts
    .map((count, at) => ({ count, at, id: hashOf(count) }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const sums: number[] = []
  await retryOnConflict(() =>
    db.transaction().execute(async (tx) => {
      for (const { count, at, id } of ordered) {
        const { rule, amount: calls = 1 } = count
        const row = await tx
          .insertInto('rateCount')
          .values({ id, endMs: endOf(tx, count, nowMs), calls })
          .onConflict((c) =>
            c
              .column('id')
              .doUpdateSet({ calls: SUM, endMs: sql.ref('excluded.endMs') })
              .where(sql<boolean>`${IS_OVER} or ${sql.ref('rateCount.calls')} < ${rule[0]}`),
          )
          .returning('calls')
          .executeTakeFirst()
        sums[at] = row ? Number(row.calls) : refuse(count)
      }
    }),
  )
  return sums
}

export async function giveBackCount(db: Database, count: Count, nowMs: number): Promise<void> {
  const { amount = 1 } = count
  await db
    .updateTable('rateCount')
    .set(({ eb }) => ({ calls: eb('calls', '-', amount) }))
    .where('id', '=', hashOf(count))
    .where('endMs', '=', endOf(db, count, nowMs))
    .where('calls', '>=', amount)
    .execute()
}

export async function forgetCount(db: Database, count: Count): Promise<void> {
  await db.deleteFrom('rateCount').where('id', '=', hashOf(count)).execute()
}

/** Deletes counts whose window has ended. */
export async function sweepCounts(db: Database, nowMs: number): Promise<void> {
  const now = isShared(db) ? NOW_MS : nowMs
  const where = sql`${sql.ref('endMs')} < ${now}`
  await deleteInBatches(db, { table: 'rateCount', key: 'id', where })
}

function hashOf(count: Count): string {
  return hash('sha256', idOf(count), 'base64')
}

/** The clock of PostgreSQL, because the clocks of hosts differ. */
const NOW_MS = sql<number>`extract(epoch from clock_timestamp()) * 1000`

function endOf(db: Database, count: Count, nowMs: number): RawBuilder<number> {
  if (!isShared(db)) return sql`${endOfWindow(count, nowMs)}`
  const windowMs = sql`${count.rule[1] * 1000}::bigint`
  return sql`((floor(${NOW_MS} / ${windowMs}) + 1) * ${windowMs})::bigint`
}

/** Whether the stored window has ended, or ends later because the clock was set back since. */
const IS_OVER = sql`${sql.ref('excluded.endMs')} <> ${sql.ref('rateCount.endMs')}`
const SUM = sql<number>`case when ${IS_OVER} then ${sql.ref('excluded.calls')}
  else ${sql.ref('rateCount.calls')} + ${sql.ref('excluded.calls')} end`
