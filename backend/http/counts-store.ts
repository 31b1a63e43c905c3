// The counts of calls of all processes on one PostgreSQL (decision 0054). What is stored does not
// say who called.
import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/schema.ts'
import type { CountOwner } from './shared-counts.ts'

class Full extends Error {}

export function countsInDatabase(db: Database): CountOwner {
  const keyOf = (id: string) => hash('sha256', id, 'base64')
  return {
    async add(shares) {
      if (shares.length === 0) return []
      const rows = shares.map(({ id, windowMs, amount }) => ({
        ...{ id: keyOf(id), calls: amount },
        endMs: endOfWindow(windowMs),
      }))
      const sums = await db
        .insertInto('rateCount')
        // In one order everywhere, so that no two wait for each other.
        .values(rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
        .onConflict((c) => c.column('id').doUpdateSet(SUM))
        .returning(['id', 'calls'])
        .execute()
      const found = new Map(sums.map(({ id, calls }) => [id, Number(calls)]))
      return rows.map(({ id }) => found.get(id) ?? 0)
    },
    async take(wishes) {
      const sums = wishes.map(() => 0)
      const order = wishes
        .map((wish, at) => ({ ...wish, id: keyOf(wish.id), at }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      let full = 0
      try {
        await db.transaction().execute(async (tx) => {
          for (const { id, windowMs, amount, max, at } of order) {
            const row = await tx
              .insertInto('rateCount')
              .values({ id, endMs: endOfWindow(windowMs), calls: amount })
              .onConflict((c) =>
                c
                  .column('id')
                  .doUpdateSet(SUM)
                  .where(sql<boolean>`${IS_OVER} or ${sql.ref('rateCount.calls')} < ${max}`),
              )
              .returning('calls')
              .executeTakeFirst()
            full = at
            if (!row) throw new Full()
            sums[at] = Number(row.calls)
          }
        })
      } catch (error) {
        if (error instanceof Full) return { full }
        throw error
      }
      return { sums }
    },
    async forget(id) {
      await db.deleteFrom('rateCount').where('id', '=', keyOf(id)).execute()
    },
    async sweep() {
      await db.deleteFrom('rateCount').where('endMs', '<', NOW_MS).execute()
    },
  }
}

/** The clock of PostgreSQL is one for all machines. */
const NOW_MS = sql<number>`extract(epoch from clock_timestamp()) * 1000`

function endOfWindow(windowMs: number): RawBuilder<number> {
  return sql<number>`((floor(${NOW_MS} / ${windowMs}::bigint) + 1) * ${windowMs}::bigint)::bigint`
}

/** One that ends later was begun before the clock was put back. */
const IS_OVER = sql`${sql.ref('excluded.endMs')} <> ${sql.ref('rateCount.endMs')}`
const SUM = {
  calls: sql<number>`case when ${IS_OVER} then ${sql.ref('excluded.calls')}
    else greatest(0, ${sql.ref('rateCount.calls')} + ${sql.ref('excluded.calls')}) end`,
  endMs: sql<number>`${sql.ref('excluded.endMs')}`,
}
