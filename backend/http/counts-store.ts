// Counts of calls in the database, for all processes. The stored keys are hashes: they name no
// caller.
import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { deleteInBatches } from '../database/change-in-batches.ts'
import { isShared } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'
import { retryOnConflict } from '../database/transaction.ts'

export type RateLimitRule = readonly [max: number, windowSeconds: number]
/**
 * One call to count: the name of the rule, and for whom it counts. `amount` (1 when absent) may be
 * more than is left: the last call that finds anything left is let through.
 */
export type Count = {
  name: string
  rule: RateLimitRule
  key: string
  amount?: number
  /** It protects the user whom the call is about: programs with the API key are counted, too. */
  isOfTarget?: true
}

/** Windows begin and end at whole multiples of their length, the same for all callers. */
export function endOfWindow({ rule: [, windowSeconds] }: Count, nowMs: number): number {
  const windowMs = windowSeconds * 1000
  return (Math.floor(nowMs / windowMs) + 1) * windowMs
}

export function idOf({ name, key }: Count): string {
  return `${name}|${key}`
}

/**
 * Adds to all of them, or to none.
 *
 * @param refuse throws for one that is full, which rolls all of them back
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

/** Deletes those whose window has ended. */
export async function sweepCounts(db: Database, nowMs: number): Promise<void> {
  const now = isShared(db) ? NOW_MS : nowMs
  const where = sql`${sql.ref('endMs')} < ${now}`
  await deleteInBatches(db, { table: 'rateCount', key: 'id', where })
}

function hashOf(count: Count): string {
  return hash('sha256', idOf(count), 'base64')
}

/** Hosts have clocks of their own; that of PostgreSQL is the same for all of them. */
const NOW_MS = sql<number>`extract(epoch from clock_timestamp()) * 1000`

function endOf(db: Database, count: Count, nowMs: number): RawBuilder<number> {
  if (!isShared(db)) return sql`${endOfWindow(count, nowMs)}`
  const windowMs = sql`${count.rule[1] * 1000}::bigint`
  return sql`((floor(${NOW_MS} / ${windowMs}) + 1) * ${windowMs})::bigint`
}

/** One that ends later was begun before the clock was put back. */
const IS_OVER = sql`${sql.ref('excluded.endMs')} <> ${sql.ref('rateCount.endMs')}`
const SUM = sql<number>`case when ${IS_OVER} then ${sql.ref('excluded.calls')}
  else ${sql.ref('rateCount.calls')} + ${sql.ref('excluded.calls')} end`
