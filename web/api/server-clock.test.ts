import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const DAY_MS = 24 * 3600 * 1000
const SERVER_MS = Date.UTC(2026, 10, 28, 12)

let clock: typeof import('./server-clock.ts')
beforeEach(async () => {
  vi.useFakeTimers({ now: SERVER_MS - 40 * DAY_MS })
  vi.resetModules()
  clock = await import('./server-clock.ts')
})
afterEach(() => void vi.useRealTimers())

test("the clock shows the server's time, and is not affected when the device's clock jumps", () => {
  clock.recordServerTime(SERVER_MS)
  vi.advanceTimersByTime(60_000)
  vi.setSystemTime(SERVER_MS + 7 * DAY_MS)
  expect(clock.serverNowMs()).toBe(SERVER_MS + 60_000)
})

test('a response that took longer, or contains no time, changes nothing', () => {
  clock.recordServerTime(SERVER_MS)
  clock.recordServerTime(SERVER_MS - 2000)
  clock.recordServerTime(Number.NaN)
  expect(clock.serverNowMs()).toBe(SERVER_MS)
})

test("until the server has reported its time, the clock shows the device's", () => {
  expect(clock.serverNowMs()).toBe(SERVER_MS - 40 * DAY_MS)
})
