// A clock that the test moves. Timers run on by themselves, so what waits looks again soon; what it
// reads then is the time that the test has set.
import { vi } from 'vitest'

/** @returns moves the clock of `performance` ahead, until the end of the scope */
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
