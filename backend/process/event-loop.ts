// Gives other requests their turn during long work.
import { setImmediate as nextTurn } from 'node:timers/promises'

const TURN_MS = 5

/** Called between pieces of long work: others have their turn once it has held the loop a while. */
export function makeYieldToEventLoop(): () => Promise<void> {
  let beganMs = performance.now()
  return async () => {
    if (performance.now() - beganMs < TURN_MS) return
    await nextTurn()
    beganMs = performance.now()
  }
}
