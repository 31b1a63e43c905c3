// Lets other requests run during long work.
import { setImmediate as nextTurn } from 'node:timers/promises'

const YIELD_AFTER_MS = 5

/** @returns a function for long work to call between its steps: yields after `YIELD_AFTER_MS` */
export function makeYieldToEventLoop(): () => Promise<void> {
  let startedMs = performance.now()
  return async () => {
    if (performance.now() - startedMs < YIELD_AFTER_MS) return
    await nextTurn()
    startedMs = performance.now()
  }
}
