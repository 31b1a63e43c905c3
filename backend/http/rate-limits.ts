// Counts calls in fixed windows aligned to the clock (api.md §8, threat-model.md §3). Rules that
// protect accounts and mail are counted in the database, for all processes exactly; the others in
// the memory of each process, which has a share of the limit (decision 0055).
import type { FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { Refusal } from '#contract/errors.ts'
import { RATE } from '#contract/limits.ts'
import type { Database } from '../database/schema.ts'
import {
  type Count,
  endOfWindow,
  forgetCount,
  giveBackCount,
  idOf,
  type RateLimitRule,
  sweepCounts,
  takeCounts,
} from './counts-store.ts'
import { ANY_USER_ID } from './viewer.ts'

export type { Count, RateLimitRule } from './counts-store.ts'

/** A write counts once for each started piece of its body of this length. */
const COUNTED_BODY_BYTES = 64 * 1024

/** The state of a rule; `resetSeconds` is the Unix time at which its window ends. */
export type RateLimitStatus = { limit: number; remaining: number; resetSeconds: number }

export type RateLimits = ReturnType<typeof makeRateLimits>

/** Rules with windows of at least this length protect accounts and mail. */
const STRICT_FROM_SECONDS = 60 * 60
const KEYS_MAX = 200_000

type Window = { calls: number; endMs: number }
/** Windows by rule and key, in the order of their start. */
type Windows = Map<string, Window>

/**
 * @param options `isOn` false switches every rule off (tests, development); without `db` strict
 *   rules are counted in memory, too; `processes` is the number that share the general limits
 */
export function makeRateLimits(options: {
  isOn: boolean
  db?: Database
  processes?: number
  nowMs?: () => number
}) {
  const { isOn, db, processes = 1, nowMs = Date.now } = options
  const windows: Windows = new Map()
  const refusals = new Map<string, number>()

  function refuse(count: Count): never {
    const { name, rule } = count
    refusals.set(name, (refusals.get(name) ?? 0) + 1)
    const endMs = endOfWindow(count, nowMs())
    const retryAfterSeconds = Math.max(1, Math.ceil((endMs - nowMs()) / 1000))
    const status = { limit: rule[0], remaining: 0, resetSeconds: endMs / 1000 }
    const headers = { 'retry-after': String(retryAfterSeconds), ...rateLimitHeaders(status) }
    throw new Refusal('general_rate_limit_exceeded', undefined, { headers })
  }
  /**
   * Counts one call under each rule, in this process.
   *
   * @returns the status of the rule with the least left; undefined when there is nothing to count
   * @throws Refusal `general_rate_limit_exceeded` with Retry-After; then none of the counts grows
   */
  function take(counts: Count[]): RateLimitStatus | undefined {
    if (!isOn) return undefined
    const shares = shareOf(counts, processes)
    const full = shares.find((count) => windowOf(windows, count, nowMs()).calls >= count.rule[0])
    if (full) refuse(full)
    const sums = shares.map((count) => addTo(windowOf(windows, count, nowMs()), count))
    return tightest(shares, sums, nowMs())
  }
  return {
    take,
    /** As `take`, but in the database where one of the rules is strict. */
    async takeExactly(counts: Count[]): Promise<RateLimitStatus | undefined> {
      if (!isOn || !db || counts.every(({ rule }) => rule[1] < STRICT_FROM_SECONDS))
        return take(counts)
      return tightest(counts, await takeCounts(db, counts, nowMs(), refuse), nowMs())
    },
    /** Counts what has already been done. Refuses nothing. */
    add(counts: Count[]): void {
      if (isOn) for (const count of counts) addTo(windowOf(windows, count, nowMs()), count)
    },
    /** Undoes counts in the database: the call turned out not to count. */
    async giveBack(counts: Count[]): Promise<void> {
      if (!isOn || !db) return
      await Promise.all(counts.map((count) => giveBackCount(db, count, nowMs())))
    },
    /** Resets a count in the database to zero, as a successful sign-in does. */
    async forget(count: Count): Promise<void> {
      if (isOn && db) await forgetCount(db, count)
    },
    /** How many calls were refused under each rule, by its name. */
    refusals: (): ReadonlyMap<string, number> => refusals,
    /** Deletes ended windows from the database. */
    async sweep(): Promise<void> {
      if (db) await sweepCounts(db, nowMs())
    },
  }
}

/** The share of the limits that each process has. */
function shareOf(counts: Count[], processes: number): Count[] {
  return counts.map(({ rule: [max, seconds], ...count }) => ({
    ...count,
    rule: [Math.ceil(max / processes), seconds],
  }))
}

function addTo(window: Window, { amount = 1 }: Count): number {
  window.calls += amount
  return window.calls
}

function tightest(counts: Count[], sums: number[], nowMs: number): RateLimitStatus | undefined {
  const statuses = counts.map((count, at) => ({
    limit: count.rule[0],
    remaining: Math.max(0, Math.floor(count.rule[0] - (sums[at] ?? 0))),
    resetSeconds: endOfWindow(count, nowMs) / 1000,
  }))
  // The first one wins a tie.
  return statuses.toSorted((a, b) => a.remaining - b.remaining)[0]
}

function windowOf(windows: Windows, count: Count, nowMs: number): Window {
  const id = idOf(count)
  const endMs = endOfWindow(count, nowMs)
  const existing = windows.get(id)
  // A window that ends later was started before the clock was set back.
  if (existing?.endMs === endMs) return existing
  const window = { calls: 0, endMs }
  if (windows.size >= KEYS_MAX) dropEnded(windows, nowMs)
  windows.set(id, window)
  return window
}

function dropEnded(windows: Windows, nowMs: number): void {
  for (const [id, { endMs }] of windows) if (endMs <= nowMs) windows.delete(id)
  // Still full: a caller creates keys faster than windows end. The oldest are dropped first.
  for (const id of windows.keys()) {
    if (windows.size < KEYS_MAX) break
    windows.delete(id)
  }
}

/** The three headers of a counted answer. */
export function rateLimitHeaders(status: RateLimitStatus): Record<string, string> {
  return {
    'x-ratelimit-limit': String(status.limit),
    'x-ratelimit-remaining': String(status.remaining),
    'x-ratelimit-reset': String(status.resetSeconds),
  }
}

// --- the key that a call counts for

/** The /64 of an IPv6 address: its first four groups of sixteen bits. */
const NETWORK_GROUPS = 4

const MAPPED = /^::ffff:\d{1,3}(?:\.\d{1,3}){3}$/

/**
 * The key under which an address is counted: an IPv6 address as its /64 network, because one
 * subscriber has all addresses of it; an IPv4 address unchanged, also if a socket maps it into
 * IPv6. Anything else is its own key.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  // Sockets show IPv4 addresses in this form.
  if (MAPPED.test(address)) return address.slice('::ffff:'.length)
  // Without the zone of a link-local address: the library refuses names like `br-lan.100`.
  const [bare = ''] = address.split('%')
  if (!ipaddr.IPv6.isValid(bare)) return address
  const parsed = ipaddr.IPv6.parse(bare)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  const groups = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16))
  return `${groups.join(':')}::/64`
}

/** The fields of a request that name its caller. */
type Caller = Pick<FastifyRequest, 'viewer' | 'ip'>

type CountedRequest = Pick<
  FastifyRequest,
  'viewer' | 'ip' | 'params' | 'query' | 'body' | 'headers' | 'bodyChars'
>

/** Returns the counts that a call adds to. */
export type CountCalls = (request: CountedRequest) => Count[]

/** Counts each call for the network that it comes from. */
export function countPerAddress(name: string, rule: RateLimitRule): CountCalls {
  return ({ ip }) => [{ name, rule, key: networkOf(ip) }]
}

/** Counts each call for its user, or for the network if the viewer is no single user. */
export function countPerUser(name: string, rule: RateLimitRule) {
  const keyOf = ({ viewer, ip }: Caller) =>
    viewer.role === 'user' && viewer.userId !== ANY_USER_ID ? viewer.userId : networkOf(ip)
  return (request: Caller): Count[] => [{ name, rule, key: keyOf(request) }]
}

/** As `countPerUser`, weighted by the length of the body. */
export function countBodyPerUser(name: string, rule: RateLimitRule): CountCalls {
  const counts = countPerUser(name, rule)
  return (request) => {
    const bytes = Number(request.headers['content-length'] ?? request.bodyChars)
    // One call with the largest body takes the whole limit, never more.
    const amount = Math.min(Math.max(1, Math.ceil(bytes / COUNTED_BODY_BYTES)), rule[0])
    return counts(request).map((count) => ({ ...count, amount }))
  }
}

// --- calls of routes

/** The options of a route whose calls count. */
export const limited = (counts: CountCalls) => ({ config: { counts } })
/** The same for a route for signed-in users. */
export const limitedAccount = (counts: CountCalls) =>
  ({ config: { scope: 'account', counts } }) as const

function countsOfCall(request: FastifyRequest): Count[] {
  const counts = request.routeOptions.config?.counts?.(request) ?? []
  return request.viewer.role === 'key' ? counts.filter(({ isOfTarget }) => isOfTarget) : counts
}

/** @throws Refusal `general_rate_limit_exceeded` */
export async function countCall(request: FastifyRequest, reply: FastifyReply, limits: RateLimits) {
  const counts = countsOfCall(request)
  if (counts.length === 0) return
  const rateLimitStatus = await limits.takeExactly(counts)
  if (rateLimitStatus) reply.headers(rateLimitHeaders(rateLimitStatus))
}

/** Counts a long body without a `Content-Length`, whose length is known only now. */
export function countLateLength(request: FastifyRequest, rateLimits: RateLimits): void {
  if (request.bodyChars > COUNTED_BODY_BYTES && request.headers['content-length'] === undefined)
    rateLimits.add(countsOfCall(request))
}

/**
 * Counts one request from an IP address, whatever its route.
 *
 * @throws Refusal `general_rate_limit_exceeded`
 * @source threat-model.md §3 "Everything else"
 */
export function countRequest(request: FastifyRequest, rateLimits: RateLimits): void {
  rateLimits.take(countsOfAddress(request.ip))
}

export function countsOfAddress(address: string): Count[] {
  return [{ name: 'anything', rule: RATE.anythingPerAddress, key: networkOf(address) }]
}
