// Long work in turns with others. Knows nothing of the work.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Called between pieces: others have their turn once the work has held the loop for a while. */
export type Turns = () => Promise<void>

const TURN_MS = 5

export function makeTurns(): Turns {
  let beganMs = performance.now()
  return async () => {
    if (performance.now() - beganMs < TURN_MS) return
    await nextTurn()
    beganMs = performance.now()
  }
}
