// Charges the work of expensive calls, in milliseconds, to the rate limit of their callers.
import type { FastifyRequest } from 'fastify'
import { RATE } from '#contract/limits.ts'
import { type Count, countPerUser, type RateLimits } from '../http/rate-limits.ts'

type Caller = Pick<FastifyRequest, 'viewer' | 'ip'>

export type Charge = ReturnType<typeof makeCharge>

/** The API key is not charged. */
export function makeCharge(caller: Caller, rateLimits: RateLimits) {
  const isFree = caller.viewer.role === 'key'
  const work = (amount: number): Count[] =>
    isFree ? [] : countPerUser('list work', RATE.listWorkPerUser)(caller).map(withAmount(amount))
  return {
    /** The rate limit key of the user or network; undefined for the API key. */
    key: work(1)[0]?.key,
    /** @throws Refusal `general_rate_limit_exceeded` */
    take: (ms: number): void => void rateLimits.take(work(ms)),
    add: (ms: number): void => rateLimits.add(work(ms)),
    /**
     * Charges the time that the work takes.
     *
     * @throws Refusal `general_rate_limit_exceeded`
     */
    async time<Result>(run: () => Promise<Result>): Promise<Result> {
      rateLimits.take(work(1))
      const beganMs = performance.now()
      try {
        return await run()
      } finally {
        rateLimits.add(work(performance.now() - beganMs))
      }
    },
  }
}

function withAmount(amount: number): (count: Count) => Count {
  return (count) => ({ ...count, amount })
}
