// Counts calls in fixed windows aligned to the clock, in memory, per process (api.md §8,
// threat-model.md §3).
import { AsyncLocalStorage } from 'node:async_hooks'
import { Refusal } from '#contract/errors.ts'

export type Rule = readonly [max: number, windowSeconds: number]
/** A count to take: a name for the rule, and whom it is counted for. */
export type Count = { name: string; rule: Rule; key: string }
/** What a count stands at; `resetSeconds` is Unix time. */
export type RateLimitStatus = { limit: number; remaining: number; resetSeconds: number }

export type RateLimits = {
  /**
   * Counts one call under each rule.
   * @throws Refusal `general_rate_limit_exceeded` with Retry-After; counts nothing more then
   */
  take(counts: Count[]): RateLimitStatus | undefined
  /** Takes one call off each count: it turned out not to be one of those that count. */
  giveBack(counts: Count[]): void
  /** Takes the count back to nothing, as a successful sign-in does. */
  forget(count: Count): void
}

/**
 * Set while a page is rendered: the page has been counted, and the calls it makes do not count as
 * requests of their own.
 */
export const countedAlready = new AsyncLocalStorage<true>()

const KEYS_MAX = 200_000

/** @param isOn false switches every rule off (tests, development) */
export function makeRateLimits({
  isOn,
  nowMs = Date.now,
}: {
  isOn: boolean
  nowMs?: () => number
}): RateLimits {
  const used = new Map<string, { calls: number; endMs: number }>()

  function find({ name, rule: [, windowSeconds], key }: Count): { calls: number; endMs: number } {
    const now = nowMs()
    const id = `${name}|${key}`
    const known = used.get(id)
    if (known && known.endMs > now) return known
    const windowMs = windowSeconds * 1000
    const fresh = { calls: 0, endMs: (Math.floor(now / windowMs) + 1) * windowMs }
    if (used.size >= KEYS_MAX) dropEnded(now)
    used.set(id, fresh)
    return fresh
  }

  function dropEnded(now: number): void {
    for (const [id, { endMs }] of used) if (endMs <= now) used.delete(id)
    // Still full: somebody makes keys faster than windows end. The oldest go first.
    for (const id of used.keys()) {
      if (used.size < KEYS_MAX) break
      used.delete(id)
    }
  }

  function refuse({ rule: [max] }: Count, endMs: number): never {
    const retryAfterSeconds = Math.max(1, Math.ceil((endMs - nowMs()) / 1000))
    throw new Refusal('general_rate_limit_exceeded', undefined, {
      headers: {
        'retry-after': String(retryAfterSeconds),
        ...rateLimitHeaders({ limit: max, remaining: 0, resetSeconds: endMs / 1000 }),
      },
    })
  }

  function check(counts: Count[]): void {
    if (!isOn) return
    for (const count of counts) {
      const { calls, endMs } = find(count)
      if (calls >= count.rule[0]) refuse(count, endMs)
    }
  }

  return {
    take(counts) {
      if (!isOn) return undefined
      check(counts)
      let tightest: RateLimitStatus | undefined
      for (const count of counts) {
        const entry = find(count)
        entry.calls++
        const status = {
          limit: count.rule[0],
          remaining: count.rule[0] - entry.calls,
          resetSeconds: entry.endMs / 1000,
        }
        if (!tightest || status.remaining < tightest.remaining) tightest = status
      }
      return tightest
    },
    giveBack(counts) {
      for (const count of counts) {
        const entry = used.get(`${count.name}|${count.key}`)
        if (entry && entry.calls > 0) entry.calls--
      }
    },
    forget({ name, key }) {
      used.delete(`${name}|${key}`)
    },
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
