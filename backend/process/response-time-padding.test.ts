// Responses end at multiples of a step, on a clock that only the test advances.
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { padResponseTime, RESPONSE_TIME_STEP_MS } from './response-time-padding.ts'

vi.mock('node:timers/promises', () => ({
  setTimeout: vi.fn(async (ms: number) => void vi.advanceTimersByTime(ms)),
}))
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

test.each([
  { spentMs: 1, steps: 1 },
  { spentMs: RESPONSE_TIME_STEP_MS - 1, steps: 1 },
  { spentMs: RESPONSE_TIME_STEP_MS, steps: 1 },
  { spentMs: RESPONSE_TIME_STEP_MS + 1, steps: 2 },
  { spentMs: 10 * RESPONSE_TIME_STEP_MS - 1, steps: 10 },
])(
  'work of $spentMs ms is answered after $steps steps, done or failed',
  async ({ spentMs, steps }) => {
    for (const fault of [undefined, new Error('no such account')]) {
      const startMs = performance.now()
      const answer = padResponseTime(async () => {
        vi.advanceTimersByTime(spentMs)
        if (fault) throw fault
      })
      if (fault) await expect(answer).rejects.toBe(fault)
      else await answer
      expect(performance.now() - startMs).toBe(steps * RESPONSE_TIME_STEP_MS)
      expect(delay).toHaveBeenLastCalledWith(steps * RESPONSE_TIME_STEP_MS - spentMs)
    }
  },
)
