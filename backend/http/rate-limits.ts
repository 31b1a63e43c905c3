// Counts calls in fixed windows aligned to the clock, in memory (api.md §8, threat-model.md §3).
// Where several processes count together, each says what it has counted to the owner of the sum
// soon, and asks it before calls under a strict rule (decision 0054).
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { Refusal } from '#contract/errors.ts'
import {
  RATE_SAID_EVERY_MS,
  RATE_SAID_SHARE,
  STRICT_RATE_SECONDS,
} from '#contract/server-limits.ts'
import { type CountOwner, endOfWindow, type Share } from './shared-counts.ts'

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
   * Counts one call under each rule. Of other processes it knows what they said last.
   *
   * @returns the status of the rule with the least left; undefined when there is nothing to count
   * @throws Refusal `general_rate_limit_exceeded` with Retry-After; then none of the counts grows
   */
  take(counts: Count[]): RateLimitStatus | undefined
  /** As `take`, but exact over all processes where one of the rules is strict. */
  takeExactly(counts: Count[]): Promise<RateLimitStatus | undefined>
  /** Counts what has already been done: refuses nothing. */
  add(counts: Count[]): void
  /** Takes back what `takeExactly` counted: it turned out not to be one of those that count. */
  giveBack(counts: Count[]): Promise<void>
  /** How many calls were refused under each rule, by its name. */
  refusals(): ReadonlyMap<string, number>
  /** Resets a count of `takeExactly` to zero, as a successful sign-in does. */
  forget(count: Count): Promise<void>
  /** Forgets what is over, where that does not happen by itself. */
  sweep(): Promise<void>
}

/**
 * Set while a page is rendered: the page has been counted, and the calls it makes do not count as
 * requests of their own.
 */
export const countedAlready = new AsyncLocalStorage<true>()

const KEYS_MAX = 200_000

/** `others`: what other processes have counted. `said`: how much of `calls` the owner knows. */
type Window = { calls: number; others: number; said: number; endMs: number }
/** The windows by rule and key, those begun first in front. */
type Windows = Map<string, Window>

/**
 * @param needs `isOn` false switches every rule off (tests, development); `owner` is undefined
 *   where this process counts alone
 */
export function makeRateLimits({
  isOn,
  nowMs = Date.now,
  owner,
}: {
  isOn: boolean
  nowMs?: () => number
  owner?: CountOwner | undefined
}): RateLimits {
  const windows: Windows = new Map()
  const say = owner && makeSaying(owner)
  const refusals = new Map<string, number>()
  const noteRefusal = (name: string) => refusals.set(name, (refusals.get(name) ?? 0) + 1)
  const noted = { noteRefusal, say }
  const takeHere = (counts: Count[]) => take(windows, counts, { nowMs: nowMs(), ...noted })
  return {
    take: (counts) => (isOn ? takeHere(counts) : undefined),
    async takeExactly(counts) {
      if (!isOn) return undefined
      const isStrict = counts.some(({ rule }) => rule[1] >= STRICT_RATE_SECONDS)
      return owner && isStrict
        ? takeFrom(owner, counts, { nowMs: nowMs(), noteRefusal })
        : takeHere(counts)
    },
    refusals: () => refusals,
    sweep: async () => owner?.sweep(),
    add(counts) {
      for (const count of isOn ? counts : []) {
        const window = currentWindow(windows, count, nowMs())
        window.calls += count.amount ?? 1
        say?.(count, window)
      }
    },
    async giveBack(counts) {
      if (!isOn) return
      if (owner) {
        await owner.add(counts.map((count) => ({ ...shareOf(count), amount: -1 })))
        return
      }
      for (const count of counts) {
        const window = windows.get(idOf(count))
        if (window && window.calls > 0) window.calls--
      }
    },
    async forget(count) {
      if (owner && isOn) await owner.forget(idOf(count))
      else windows.delete(idOf(count))
    },
  }
}

function shareOf(count: Count): Share {
  return { id: idOf(count), windowMs: count.rule[1] * 1000, amount: count.amount ?? 1 }
}

async function takeFrom(
  owner: CountOwner,
  counts: Count[],
  { nowMs, noteRefusal }: { nowMs: number; noteRefusal: (name: string) => void },
): Promise<RateLimitStatus | undefined> {
  const wishes = counts.map((count) => ({ ...shareOf(count), max: count.rule[0] }))
  const taken = await owner.take(wishes)
  if ('full' in taken) {
    const [full, wish] = [counts[taken.full], wishes[taken.full]]
    if (!full || !wish) throw new Error('A count is full that was not asked for')
    noteRefusal(full.name)
    throw exceeded(full, endOfWindow(wish.windowMs, nowMs), nowMs)
  }
  let tightest: RateLimitStatus | undefined
  for (const [at, { rule }] of counts.entries()) {
    const endMs = endOfWindow(rule[1] * 1000, nowMs)
    tightest = tighter(tightest, rule, taken.sums[at] ?? 0, endMs)
  }
  return tightest
}

type Say = (count: Count, window: Window) => void

/**
 * Says what this process has counted, once that is a part of the limit worth saying. So a visitor
 * who stays far below the limits costs nothing, and no process is behind by more than that part and
 * what it counts until it is answered.
 */
function makeSaying(owner: CountOwner): Say {
  const untold = new Map<string, { count: Count; window: Window }>()
  let isSaying = false
  async function sayAll(): Promise<void> {
    isSaying = true
    while (untold.size > 0) {
      const all = [...untold]
      untold.clear()
      const shares = all.map(([, { count, window }]) => ({
        ...shareOf(count),
        amount: window.calls - window.said,
      }))
      for (const [, { window }] of all) window.said = window.calls
      try {
        const sums = await owner.add(shares)
        for (const [at, [, { window }]] of all.entries())
          window.others = Math.max(0, (sums[at] ?? 0) - window.said)
      } catch {
        // Without the owner each process counts for itself.
      }
      await delay(RATE_SAID_EVERY_MS, undefined, { ref: false })
    }
    isSaying = false
  }
  return (count, window) => {
    if (window.calls - window.said < count.rule[0] / RATE_SAID_SHARE) return
    untold.set(idOf(count), { count, window })
    if (!isSaying) void sayAll()
  }
}

function take(
  windows: Windows,
  counts: Count[],
  {
    nowMs,
    noteRefusal,
    say,
  }: { nowMs: number; noteRefusal: (name: string) => void; say: Say | undefined },
): RateLimitStatus | undefined {
  for (const count of counts) {
    const { calls, others, endMs } = currentWindow(windows, count, nowMs)
    if (calls + others < count.rule[0]) continue
    noteRefusal(count.name)
    throw exceeded(count, endMs, nowMs)
  }
  let tightest: RateLimitStatus | undefined
  for (const count of counts) {
    const window = currentWindow(windows, count, nowMs)
    window.calls += count.amount ?? 1
    say?.(count, window)
    tightest = tighter(tightest, count.rule, window.calls + window.others, window.endMs)
  }
  return tightest
}

function tighter(
  before: RateLimitStatus | undefined,
  [max]: Rule,
  calls: number,
  endMs: number,
): RateLimitStatus {
  const remaining = Math.max(0, Math.floor(max - calls))
  if (before && before.remaining <= remaining) return before
  return { limit: max, remaining, resetSeconds: endMs / 1000 }
}

function idOf({ name, key }: Count): string {
  return `${name}|${key}`
}

function currentWindow(windows: Windows, count: Count, nowMs: number): Window {
  const id = idOf(count)
  const endMs = endOfWindow(count.rule[1] * 1000, nowMs)
  const known = windows.get(id)
  // One that ends later was begun before the clock was put back.
  if (known?.endMs === endMs) return known
  const window = { calls: 0, others: 0, said: 0, endMs }
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

function exceeded({ rule: [max] }: Count, endMs: number, nowMs: number): Refusal {
  const retryAfterSeconds = Math.max(1, Math.ceil((endMs - nowMs) / 1000))
  return new Refusal('general_rate_limit_exceeded', undefined, {
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
