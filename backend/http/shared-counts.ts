// Counts of calls that several processes make together (decision 0054): what they ask of the one
// that has the sum, which is the supervisor of a machine, or PostgreSQL for several machines.
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../database/schema.ts'
import type { Siblings } from '../process/siblings.ts'

/** `id` is the rule and for whom it counts; the window ends at `endMs`. */
export type Share = { id: string; endMs: number; amount: number }
/** `max`: nothing is taken where so much has been counted. */
export type Wish = Share & { max: number }
/** The sums with what was added, in the order asked for; or which of them is full. */
export type Taken = { sums: number[] } | { full: number }

export type CountOwner = {
  /** Adds what was counted already, or takes it off. @returns the sums of all processes */
  add(shares: Share[]): Promise<number[]>
  /** Adds to all of them or to none. */
  take(wishes: Wish[]): Promise<Taken>
  forget(id: string): Promise<void>
}

const TOPIC = 'counts'
const KEYS_MAX = 200_000

type Asked = { add: Share[] } | { take: Wish[] } | { forget: string }

/** The counts of this machine's processes, as a worker reaches them. */
export function countsOfSupervisor({ ask }: Pick<Siblings, 'ask'>): CountOwner {
  const tell = (asked: Asked) => ask(TOPIC, asked)
  return {
    add: async (add) => (await tell({ add })) as number[],
    take: async (take) => (await tell({ take })) as Taken,
    forget: async (forget) => void (await tell({ forget })),
  }
}

/** The supervisor's answers to {@link countsOfSupervisor}. */
export function answerCounts(): Record<string, (asked: unknown) => unknown> {
  const sums = new Map<string, { calls: number; endMs: number }>()
  function sumOf({ id, endMs }: Share) {
    const known = sums.get(id)
    if (known && known.endMs >= endMs) return known
    const sum = { calls: 0, endMs }
    if (sums.size >= KEYS_MAX) forgetEnded(sums)
    sums.set(id, sum)
    return sum
  }
  function add(share: Share): number {
    const sum = sumOf(share)
    sum.calls = Math.max(0, sum.calls + share.amount)
    return sum.calls
  }
  return {
    [TOPIC](asked) {
      const wish = asked as Asked
      if ('add' in wish) return wish.add.map(add)
      if ('forget' in wish) return void sums.delete(wish.forget)
      const full = wish.take.findIndex((one) => sumOf(one).calls >= one.max)
      return full < 0 ? { sums: wish.take.map(add) } : { full }
    },
  }
}

/** Those whose window is over, else the oldest. */
function forgetEnded(sums: Map<string, { endMs: number }>): void {
  const now = Date.now()
  for (const [id, { endMs }] of sums) if (endMs <= now) sums.delete(id)
  for (const id of sums.keys()) {
    if (sums.size < KEYS_MAX) return
    sums.delete(id)
  }
}

class Full extends Error {}

/** The counts of all processes on one PostgreSQL. What is stored tells nobody who called. */
export function countsInDatabase(db: Database): CountOwner {
  const keyOf = (id: string) => hash('sha256', id, 'base64')
  return {
    async add(shares) {
      if (shares.length === 0) return []
      const rows = shares.map(({ id, endMs, amount }) => ({ id: keyOf(id), endMs, calls: amount }))
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
          for (const { id, endMs, amount, max, at } of order) {
            const row = await tx
              .insertInto('rateCount')
              .values({ id, endMs, calls: amount })
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
  }
}

const IS_OVER = sql`${sql.ref('excluded.endMs')} > ${sql.ref('rateCount.endMs')}`
const SUM = {
  calls: sql<number>`case when ${IS_OVER} then ${sql.ref('excluded.calls')}
    else greatest(0, ${sql.ref('rateCount.calls')} + ${sql.ref('excluded.calls')}) end`,
  endMs: sql<number>`greatest(${sql.ref('rateCount.endMs')}, ${sql.ref('excluded.endMs')})`,
}

/** Those whose window is over. */
export async function forgetOldCounts(db: Database): Promise<void> {
  await db.deleteFrom('rateCount').where('endMs', '<', Date.now()).execute()
}
