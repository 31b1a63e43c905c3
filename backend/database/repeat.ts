// Work that PostgreSQL gave up in favour of somebody else's, by a deadlock or because it could not
// be put in order with it: done again a few times, after pauses of random length.
import { setTimeout as delay } from 'node:timers/promises'
import { REPEAT_ATTEMPTS, REPEAT_PAUSE_MS } from '#contract/server-limits.ts'
import { codeOf, DatabaseAway } from './faults.ts'

/** A table was changed under a prepared statement, by a newer program that has just started. */
export const STALE_PLAN = '0A000'

/** Serialisation failure and deadlock: all of it was rolled back, and may succeed next time. */
const GIVEN_UP = ['40001', '40P01', STALE_PLAN]

/**
 * @param work changes nothing but the database until it succeeds: it may be run several times
 * @throws the last fault, a 503, when it was given up each time; every other fault at once
 */
export async function repeated<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === REPEAT_ATTEMPTS || !wasGivenUp(error)) throw error
      await delay(Math.random() * REPEAT_PAUSE_MS * 2 ** attempt)
    }
  }
}

function wasGivenUp(error: unknown): boolean {
  return error instanceof DatabaseAway && GIVEN_UP.includes(codeOf(error.cause))
}
