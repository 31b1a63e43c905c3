// Counting calls in windows aligned to the clock.
import { expect, test } from 'vitest'
import type { Refusal } from '#contract/errors.ts'
import { type Count, makeRateLimits, networkOf } from './rate-limits.ts'

const HOUR = 3600
/** Ten seconds before an hour ends. */
const START_MS = Date.UTC(2026, 0, 1, 11, 59, 50)

function make() {
  let nowMs = START_MS
  const limits = makeRateLimits({ isOn: true, nowMs: () => nowMs })
  return { ...limits, passTime: (ms: number) => (nowMs += ms) }
}

const charge = (key: string, max = 2, name = 'rule'): Count => ({ name, rule: [max, HOUR], key })

function refusalOf(work: () => unknown): Refusal {
  try {
    work()
  } catch (error) {
    return error as Refusal
  }
  throw new Error('Nothing was refused')
}

test('a window ends with the hour, not an hour after the first call', () => {
  const limits = make()
  const endOfHour = (START_MS + 10_000) / 1000
  expect(limits.take([charge('a')])).toEqual({ limit: 2, remaining: 1, resetSeconds: endOfHour })
  expect(limits.take([charge('a')])).toEqual({ limit: 2, remaining: 0, resetSeconds: endOfHour })
  const refusal = refusalOf(() => limits.take([charge('a')]))
  expect(refusal).toMatchObject({ type: 'general_rate_limit_exceeded', status: 429 })
  expect(refusal.headers).toEqual({
    'retry-after': '10',
    'x-ratelimit-limit': '2',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(endOfHour),
  })
  limits.passTime(10_000)
  expect(limits.take([charge('a')])).toMatchObject({ remaining: 1 })
})

test('after the clock jumped forward and back, a window ends at most its own length from now', () => {
  const limits = make()
  limits.passTime(24 * HOUR * 1000)
  limits.take([charge('a', 1)])
  expect(refusalOf(() => limits.take([charge('a', 1)])).headers['retry-after']).toBe('10')
  limits.passTime(-24 * HOUR * 1000)
  expect(limits.take([charge('a', 1)])).toMatchObject({ remaining: 0 })
  expect(refusalOf(() => limits.take([charge('a', 1)])).headers['retry-after']).toBe('10')
})

test('each key and each rule is counted separately', () => {
  const limits = make()
  limits.take([charge('a', 1)])
  expect(limits.take([charge('b', 1)])).toMatchObject({ remaining: 0 })
  expect(limits.take([charge('a', 1, 'another rule')])).toMatchObject({ remaining: 0 })
})

test('the tightest of several limits is reported, and a refused call counts towards none of them', () => {
  const limits = make()
  expect(limits.take([charge('wide', 9), charge('narrow', 1)])).toMatchObject({
    limit: 1,
    remaining: 0,
  })
  refusalOf(() => limits.take([charge('wide', 9), charge('narrow', 1)]))
  expect(limits.take([charge('wide', 9)])).toMatchObject({ remaining: 7 })
})

test('each of several processes has its share of a general limit, rounded up', () => {
  const limits = makeRateLimits({ isOn: true, processes: 4, nowMs: () => 0 })
  const perMinute = (max: number): Count => ({ name: `up to ${max}`, rule: [max, 60], key: 'a' })
  expect(limits.take([perMinute(1200)])).toMatchObject({ limit: 300, remaining: 299 })
  expect(limits.take([perMinute(2)])).toMatchObject({ limit: 1, remaining: 0 })
  expect(refusalOf(() => limits.take([perMinute(2)])).headers['x-ratelimit-limit']).toBe('1')
})

test('while rate limits are switched off, nothing is counted', () => {
  const limits = makeRateLimits({ isOn: false })
  for (let call = 0; call < 5; call++) expect(limits.take([charge('a', 1)])).toBe(undefined)
})

test('the memory for keys is bounded: the oldest are dropped', () => {
  const limits = make()
  limits.take([charge('first', 1)])
  for (let index = 0; index < 200_001; index++) limits.take([charge(`flood ${index}`, 1)])
  expect(limits.take([charge('first', 1)])).toMatchObject({ remaining: 0 })
})

test('a call may count for more than one; it is allowed while anything is left', () => {
  const limits = make()
  const heavy = { ...charge('a', 10), amount: 8.5 }
  expect(limits.take([heavy])).toMatchObject({ remaining: 1 })
  expect(limits.take([heavy])).toMatchObject({ remaining: 0 })
  expect(refusalOf(() => limits.take([charge('a', 10)])).status).toBe(429)
  limits.add([{ ...charge('b', 10), amount: 20 }])
  expect(refusalOf(() => limits.take([charge('b', 10)])).status).toBe(429)
})

// Addresses of one network are counted together.

test.each([
  { address: '203.0.113.7', key: '203.0.113.7' },
  { address: '127.0.0.1', key: '127.0.0.1' },
  { address: '::ffff:203.0.113.7', key: '203.0.113.7' },
  { address: '::FFFF:cb00:7107', key: '203.0.113.7' },
  { address: '0:0:0:0:0:ffff:203.0.113.7', key: '203.0.113.7' },
  { address: '2001:db8:1:2:3:4:5:6', key: '2001:db8:1:2::/64' },
  { address: '2001:0DB8:0001:0002::', key: '2001:db8:1:2::/64' },
  { address: '2001:db8::1', key: '2001:db8:0:0::/64' },
  { address: '2001:db8:0:0:ffff:ffff:ffff:ffff', key: '2001:db8:0:0::/64' },
  { address: '2001:db8:0:1::1', key: '2001:db8:0:1::/64' },
  { address: 'fe80::1%eth0', key: 'fe80:0:0:0::/64' },
  { address: 'fe80::1%br-lan.100', key: 'fe80:0:0:0::/64' },
  { address: '::1', key: '0:0:0:0::/64' },
  { address: '64:ff9b::203.0.113.7', key: '64:ff9b:0:0::/64' },
  { address: '', key: '' },
])('$address counts as $key', ({ address, key }) => {
  expect(networkOf(address)).toBe(key)
})
