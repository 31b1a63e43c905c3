// Counts of calls in the database: those of all processes. What is stored does not say who called.
import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { isShared } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'
import { repeated } from '../database/transaction.ts'

/** `id` is the rule and for whom it counts; `endMs` is the end of the window by our own clock. */
export type CountInWindow = { id: string; windowSeconds: number; endMs: number; amount: number }
/** `max`: nothing is taken where so much has been counted. */
export type Wish = CountInWindow & { max: number }
/** The sums with what was added, in the order of the wishes; or which of them was full. */
export type Taken = { sums: number[] } | { full: number }

class Full extends Error {}

/** Adds to all of them, or to none when one is full. */
export async function takeCounts(db: Database, wishes: Wish[]): Promise<Taken> {
  // In one order everywhere, so that no two transactions wait for each other.
  const ordered = wishes
    .map((wish, at) => ({ ...wish, at, id: hashOf(wish.id) }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const sums: number[] = []
  let full = 0
  try {
    await repeated(() =>
      db.transaction().execute(async (tx) => {
        for (const wish of ordered) {
          full = wish.at
          sums[full] = await takeOne(tx, wish)
        }
      }),
    )
  } catch (error) {
    if (error instanceof Full) return { full }
    throw error
  }
  return { sums }
}

/** @throws Full */
async function takeOne(tx: Database, wish: Wish): Promise<number> {
  const row = await tx
    .insertInto('rateCount')
    .values({ id: wish.id, endMs: endOf(tx, wish), calls: wish.amount })
    .onConflict((c) =>
      c
        .column('id')
        .doUpdateSet({ calls: SUM, endMs: sql.ref('excluded.endMs') })
        .where(sql<boolean>`${IS_OVER} or ${sql.ref('rateCount.calls')} < ${wish.max}`),
    )
    .returning('calls')
    .executeTakeFirst()
  if (!row) throw new Full()
  return Number(row.calls)
}

export async function giveBackCount(db: Database, count: CountInWindow): Promise<void> {
  await db
    .updateTable('rateCount')
    .set(({ eb }) => ({ calls: eb('calls', '-', count.amount) }))
    .where('id', '=', hashOf(count.id))
    .where('endMs', '=', endOf(db, count))
    .where('calls', '>=', count.amount)
    .execute()
}

export async function forgetCount(db: Database, id: string): Promise<void> {
  await db.deleteFrom('rateCount').where('id', '=', hashOf(id)).execute()
}

/** Removes those whose window is over. */
export async function sweepCounts(db: Database, nowMs: number): Promise<void> {
  const now = isShared(db) ? NOW_MS : nowMs
  await db.deleteFrom('rateCount').where('endMs', '<', now).execute()
}

function hashOf(id: string): string {
  return hash('sha256', id, 'base64')
}

/** Machines have clocks of their own; that of PostgreSQL is one for all of them. */
const NOW_MS = sql<number>`extract(epoch from clock_timestamp()) * 1000`

function endOf(db: Database, { windowSeconds, endMs }: CountInWindow): RawBuilder<number> {
  if (!isShared(db)) return sql`${endMs}`
  const windowMs = sql`${windowSeconds * 1000}::bigint`
  return sql`((floor(${NOW_MS} / ${windowMs}) + 1) * ${windowMs})::bigint`
}

/** One that ends later was begun before the clock was put back. */
const IS_OVER = sql`${sql.ref('excluded.endMs')} <> ${sql.ref('rateCount.endMs')}`
const SUM = sql<number>`case when ${IS_OVER} then ${sql.ref('excluded.calls')}
  else ${sql.ref('rateCount.calls')} + ${sql.ref('excluded.calls')} end`
