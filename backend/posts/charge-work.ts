// Charges expensive requests, in milliseconds of work, against the rate limits of their callers.
import type { FastifyRequest } from 'fastify'
import { RATE } from '#contract/limits.ts'
import { type Count, countedAlready, countPerUser, type RateLimits } from '../http/rate-limits.ts'

/** Charges calls of programs. The calls that a rendered page makes were counted with the page. */
export function makeApiCharger(request: Caller, rateLimits: RateLimits): ChargeCost | undefined {
  if (countedAlready.getStore() || request.viewer.role === 'key') return undefined
  return {
    before: (ms) => void rateLimits.take(listWork(request, ms)),
    after: (ms) => rateLimits.add(listWork(request, ms)),
  }
}

/** Charges the time that the work takes, also for calls that a rendered page makes. */
export async function countTime<Result>(
  request: Caller,
  rateLimits: RateLimits,
  work: () => Promise<Result>,
): Promise<Result> {
  if (request.viewer.role === 'key') return work()
  rateLimits.take(listWork(request, 1))
  const beganMs = performance.now()
  try {
    return await work()
  } finally {
    rateLimits.add(listWork(request, performance.now() - beganMs))
  }
}

type Caller = Pick<FastifyRequest, 'viewer' | 'ip'>

function listWork(request: Caller, amount: number): Count[] {
  const counts = countPerUser('list work', RATE.listWorkPerUser)(request)
  return counts.map((count) => ({ ...count, amount }))
}

export type ChargeCost = { before(ms: number): void; after(ms: number): void }
