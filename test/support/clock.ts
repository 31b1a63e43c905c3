// A clock that the test moves. Timers run on by themselves, so what waits looks again soon; what it
// reads then is the time that the test has set.
import { vi } from 'vitest'

/** @returns moves the clock of `performance` ahead, until the end of the scope */
export function openClock(): Disposable & { pass(ms: number): void } {
  const read = performance.now.bind(performance)
  let aheadMs = 0
  const reading = vi.spyOn(performance, 'now').mockImplementation(() => read() + aheadMs)
  return {
    pass(ms) {
      aheadMs += ms
    },
    [Symbol.dispose]: () => reading.mockRestore(),
  }
}
