// Counts calls in fixed windows aligned to the clock (api.md §8, threat-model.md §3). Rules that
// protect accounts and mail are counted in the database, for all processes exactly; the others in
// the memory of each process, which has its part of the limit (decision 0062).
import { AsyncLocalStorage } from 'node:async_hooks'
import { Refusal } from '#contract/errors.ts'
import type { Database } from '../database/schema.ts'
import { forgetCount, giveBackCount, sweepCounts, takeCounts, type Wish } from './counts-store.ts'

export type Rule = readonly [max: number, windowSeconds: number]
/**
 * One call to count: the name of the rule, and for whom it counts. `amount` (1 when absent) may be
 * more than is left: the last call that finds anything left is let through.
 */
export type Count = {
  name: string
  rule: Rule
  key: string
  amount?: number
  /** It protects the person whom the call is about: programs with the API key are counted, too. */
  isOfTarget?: true
}
/** What is left under a rule; `resetSeconds` is the Unix time at which its window ends. */
export type RateLimitStatus = { limit: number; remaining: number; resetSeconds: number }

export type RateLimits = {
  /**
   * Counts one call under each rule, in this process.
   *
   * @returns the status of the rule with the least left; undefined when there is nothing to count
   * @throws Refusal `general_rate_limit_exceeded` with Retry-After; then none of the counts grows
   */
  take(counts: Count[]): RateLimitStatus | undefined
  /** As `take`, but in the database where one of the rules is strict. */
  takeExactly(counts: Count[]): Promise<RateLimitStatus | undefined>
  /** Counts what has already been done: refuses nothing. */
  add(counts: Count[]): void
  /** Takes back what was counted in the database: it was not one of the calls that count. */
  giveBack(counts: Count[]): Promise<void>
  /** Resets a count in the database to zero, as a successful sign-in does. */
  forget(count: Count): Promise<void>
  /** How many calls were refused under each rule, by its name. */
  refusals(): ReadonlyMap<string, number>
  /** Removes what is over from the database. */
  sweep(): Promise<void>
}

/**
 * Set while a page is rendered: the page has been counted, and the calls it makes do not count as
 * requests of their own.
 */
export const countedAlready = new AsyncLocalStorage<true>()

/** Rules of so long a window protect accounts and mail. */
const STRICT_FROM_SECONDS = 60 * 60
const KEYS_MAX = 200_000

type Window = { calls: number; endMs: number }
/** The windows by rule and key, those begun first in front. */
type Windows = Map<string, Window>

/**
 * @param needs `isOn` false switches every rule off (tests, development); without `db` strict rules
 *   are counted in memory, too; `processes` is how many share the general limits
 */
export function makeRateLimits({
  isOn,
  db,
  processes = 1,
  nowMs = Date.now,
}: {
  isOn: boolean
  db?: Database
  processes?: number
  nowMs?: () => number
}): RateLimits {
  const windows: Windows = new Map()
  const refusals = new Map<string, number>()
  const partOf = (counts: Count[]): Count[] =>
    processes === 1
      ? counts
      : counts.map((count) => {
          const [max, windowSeconds] = count.rule
          return { ...count, rule: [Math.ceil(max / processes), windowSeconds] }
        })

  function refuse({ name, rule: [limit, windowSeconds] }: Count): never {
    refusals.set(name, (refusals.get(name) ?? 0) + 1)
    const endMs = endOfWindow(windowSeconds, nowMs())
    const retryAfterSeconds = Math.max(1, Math.ceil((endMs - nowMs()) / 1000))
    throw new Refusal('general_rate_limit_exceeded', undefined, {
      headers: {
        'retry-after': String(retryAfterSeconds),
        ...rateLimitHeaders({ limit, remaining: 0, resetSeconds: endMs / 1000 }),
      },
    })
  }
  function take(counts: Count[]): RateLimitStatus | undefined {
    if (!isOn) return undefined
    const own = partOf(counts)
    const full = own.find((count) => windowOf(windows, count, nowMs()).calls >= count.rule[0])
    if (full) refuse(full)
    const sums = own.map((count) => addTo(windowOf(windows, count, nowMs()), count))
    return tightest(own, sums, nowMs())
  }
  return {
    take,
    async takeExactly(counts) {
      if (!isOn || !db || counts.every(({ rule }) => rule[1] < STRICT_FROM_SECONDS))
        return take(counts)
      const taken = await takeCounts(
        db,
        counts.map((count) => wishOf(count, nowMs())),
      )
      if ('sums' in taken) return tightest(counts, taken.sums, nowMs())
      const full = counts[taken.full]
      if (!full) throw new Error('A count is full that was not asked for')
      return refuse(full)
    },
    add(counts) {
      if (isOn) for (const count of counts) addTo(windowOf(windows, count, nowMs()), count)
    },
    async giveBack(counts) {
      if (!isOn || !db) return
      await Promise.all(counts.map((count) => giveBackCount(db, wishOf(count, nowMs()))))
    },
    async forget(count) {
      if (isOn && db) await forgetCount(db, idOf(count))
    },
    refusals: () => refusals,
    async sweep() {
      if (db) await sweepCounts(db, nowMs())
    },
  }
}

/** Windows begin and end at whole multiples of their length, the same for everybody. */
function endOfWindow(windowSeconds: number, nowMs: number): number {
  const windowMs = windowSeconds * 1000
  return (Math.floor(nowMs / windowMs) + 1) * windowMs
}

function idOf({ name, key }: Count): string {
  return `${name}|${key}`
}

function wishOf(count: Count, nowMs: number): Wish {
  const { rule, amount = 1 } = count
  const [max, windowSeconds] = rule
  return { id: idOf(count), max, windowSeconds, endMs: endOfWindow(windowSeconds, nowMs), amount }
}

function addTo(window: Window, { amount = 1 }: Count): number {
  window.calls += amount
  return window.calls
}

function tightest(counts: Count[], sums: number[], nowMs: number): RateLimitStatus | undefined {
  const statuses = counts.map(({ rule: [limit, windowSeconds] }, at) => ({
    limit,
    remaining: Math.max(0, Math.floor(limit - (sums[at] ?? 0))),
    resetSeconds: endOfWindow(windowSeconds, nowMs) / 1000,
  }))
  // Of those with the same the first one.
  return statuses.toSorted((a, b) => a.remaining - b.remaining)[0]
}

function windowOf(windows: Windows, count: Count, nowMs: number): Window {
  const id = idOf(count)
  const endMs = endOfWindow(count.rule[1], nowMs)
  const known = windows.get(id)
  // One that ends later was begun before the clock was put back.
  if (known?.endMs === endMs) return known
  const window = { calls: 0, endMs }
  if (windows.size >= KEYS_MAX) dropEnded(windows, nowMs)
  windows.set(id, window)
  return window
}

function dropEnded(windows: Windows, nowMs: number): void {
  for (const [id, { endMs }] of windows) if (endMs <= nowMs) windows.delete(id)
  // Still full: a caller makes keys faster than windows end. The oldest go first.
  for (const id of windows.keys()) {
    if (windows.size < KEYS_MAX) break
    windows.delete(id)
  }
}

/** The three headers of a counted answer. */
export function rateLimitHeaders({
  limit,
  remaining,
  resetSeconds,
}: RateLimitStatus): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(resetSeconds),
  }
}
