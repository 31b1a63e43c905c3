// A monotonic clock that the test advances. Timers are real: code that polls reads the advanced
// time at its next poll.
import { vi } from 'vitest'

/** Replaces `performance.now` until the end of the scope; `pass` advances it. */
export function makeTestClock(): Disposable & { pass(ms: number): void } {
  const realNow = performance.now.bind(performance)
  let shiftMs = 0
  const nowMock = vi.spyOn(performance, 'now').mockImplementation(() => realNow() + shiftMs)
  return {
    pass(ms) {
      shiftMs += ms
    },
    [Symbol.dispose]: () => nowMock.mockRestore(),
  }
}
