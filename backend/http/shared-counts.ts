// Counts of calls that several processes make together (decision 0054): what they ask of the one
// that has the sum, which is the supervisor of a machine, or PostgreSQL for several machines.
import type { Siblings } from '../process/siblings.ts'

/** `id` is the rule and for whom it counts, in windows of `windowMs` by the owner's clock. */
export type Share = { id: string; windowMs: number; amount: number }
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
  /** Forgets those whose window is over. */
  sweep(): Promise<void>
}

/** Windows begin and end at whole multiples of their length, the same for everybody. */
export function endOfWindow(windowMs: number, nowMs: number): number {
  return (Math.floor(nowMs / windowMs) + 1) * windowMs
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
    // It does so by itself.
    sweep: async () => {},
  }
}

/** The supervisor's answers to {@link countsOfSupervisor}. */
export function answerCounts(nowMs = Date.now): Record<string, (asked: unknown) => unknown> {
  const sums = new Map<string, { calls: number; endMs: number }>()
  function sumOf({ id, windowMs }: Share) {
    const endMs = endOfWindow(windowMs, nowMs())
    const known = sums.get(id)
    // One that ends later was begun before the clock was put back.
    if (known?.endMs === endMs) return known
    const sum = { calls: 0, endMs }
    if (sums.size >= KEYS_MAX) forgetEnded(sums, nowMs())
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
function forgetEnded(sums: Map<string, { endMs: number }>, now: number): void {
  for (const [id, { endMs }] of sums) if (endMs <= now) sums.delete(id)
  for (const id of sums.keys()) {
    if (sums.size < KEYS_MAX) return
    sums.delete(id)
  }
}
