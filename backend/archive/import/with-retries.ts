// The server writes while an import runs, and may be restarted: a transaction that could not begin
// is tried again for a while.
import { setTimeout as delay } from 'node:timers/promises'
import { CommitOutcomeUnknown, DatabaseUnavailable } from '../../database/database-errors.ts'

const ATTEMPTS = 6
const PAUSE_MS = 500

/** @throws the error of the last attempt; at once when it is unknown whether it has committed */
export async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isOver = attempt === ATTEMPTS || error instanceof CommitOutcomeUnknown
      if (isOver || !(error instanceof DatabaseUnavailable)) throw error
      await delay(PAUSE_MS * attempt)
    }
  }
}
