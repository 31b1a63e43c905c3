// Counts calls in fixed windows aligned to the clock, in memory, per process (api.md §8,
// threat-model.md §3).
import { AsyncLocalStorage } from 'node:async_hooks'
import { Refusal } from '#contract/errors.ts'

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
   * Counts one call under each rule.
   *
   * @returns the status of the rule with the least left; undefined when there is nothing to count
   * @throws Refusal `general_rate_limit_exceeded` with Retry-After; then none of the counts grows
   */
  take(counts: Count[]): RateLimitStatus | undefined
  /** Counts what has already been done: refuses nothing. */
  add(counts: Count[]): void
  /** Takes one call off each count: it turned out not to be one of those that count. */
  giveBack(counts: Count[]): void
  /** How many calls were refused under each rule, by its name. */
  refusals(): ReadonlyMap<string, number>
  /** Resets the count to zero, as a successful sign-in does. */
  forget(count: Count): void
}

/**
 * Set while a page is rendered: the page has been counted, and the calls it makes do not count as
 * requests of their own.
 */
export const countedAlready = new AsyncLocalStorage<true>()

const KEYS_MAX = 200_000

type Window = { calls: number; endMs: number }
/** The windows by rule and key, those begun first in front. */
type Windows = Map<string, Window>

/** @param needs `isOn` false switches every rule off (tests, development) */
export function makeRateLimits({
  isOn,
  nowMs = Date.now,
}: {
  isOn: boolean
  nowMs?: () => number
}): RateLimits {
  const windows: Windows = new Map()
  const refusals = new Map<string, number>()
  const noteRefusal = (name: string) => refusals.set(name, (refusals.get(name) ?? 0) + 1)
  return {
    take: (counts) => (isOn ? take(windows, counts, { nowMs: nowMs(), noteRefusal }) : undefined),
    refusals: () => refusals,
    add(counts) {
      for (const count of isOn ? counts : [])
        currentWindow(windows, count, nowMs()).calls += count.amount ?? 1
    },
    giveBack(counts) {
      for (const count of counts) {
        const window = windows.get(idOf(count))
        if (window && window.calls > 0) window.calls--
      }
    },
    forget: (count) => void windows.delete(idOf(count)),
  }
}

function take(
  windows: Windows,
  counts: Count[],
  { nowMs, noteRefusal }: { nowMs: number; noteRefusal: (name: string) => void },
): RateLimitStatus | undefined {
  for (const count of counts) {
    const window = currentWindow(windows, count, nowMs)
    if (window.calls >= count.rule[0]) noteRefusal(count.name)
    refuseExceeded(count, window, nowMs)
  }
  let tightest: RateLimitStatus | undefined
  for (const count of counts) {
    const window = currentWindow(windows, count, nowMs)
    window.calls += count.amount ?? 1
    const [max] = count.rule
    const remaining = Math.max(0, Math.floor(max - window.calls))
    if (!tightest || remaining < tightest.remaining)
      tightest = { limit: max, remaining, resetSeconds: window.endMs / 1000 }
  }
  return tightest
}

function idOf({ name, key }: Count): string {
  return `${name}|${key}`
}

/** Windows begin and end at whole multiples of their length, the same for everybody. */
function currentWindow(windows: Windows, count: Count, nowMs: number): Window {
  const id = idOf(count)
  const known = windows.get(id)
  if (known && known.endMs > nowMs) return known
  const windowMs = count.rule[1] * 1000
  const window = { calls: 0, endMs: (Math.floor(nowMs / windowMs) + 1) * windowMs }
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

/** @throws Refusal `general_rate_limit_exceeded` when the window has no call left */
function refuseExceeded({ rule: [max] }: Count, { calls, endMs }: Window, nowMs: number): void {
  if (calls < max) return
  const retryAfterSeconds = Math.max(1, Math.ceil((endMs - nowMs) / 1000))
  throw new Refusal('general_rate_limit_exceeded', undefined, {
    headers: {
      'retry-after': String(retryAfterSeconds),
      ...rateLimitHeaders({ limit: max, remaining: 0, resetSeconds: endMs / 1000 }),
    },
  })
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
