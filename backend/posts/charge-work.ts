// Work beyond that of a page counts against the limits of who asks for it, in milliseconds.
import type { FastifyRequest } from 'fastify'
import { RATE } from '#contract/limits.ts'
import { type Count, countedAlready, countPerUser, type RateLimits } from '../http/rate-limits.ts'

/** Work beyond that of a page is counted; pages, which ask for little, have been counted. */
export function makeApiCharger(
  request: FastifyRequest,
  rateLimits: RateLimits,
): ChargeCost | undefined {
  if (countedAlready.getStore() || request.viewer.role === 'key') return undefined
  return {
    before: (ms) => void rateLimits.take(listWork(request, ms)),
    after: (ms) => rateLimits.add(listWork(request, ms)),
  }
}

/** Counts the time that work takes, also when a page asks for it as its visitor says. */
export async function countTime<Result>(
  request: FastifyRequest,
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

function listWork(request: FastifyRequest, amount: number): Count[] {
  const counts = countPerUser('list work', RATE.listWorkPerUser)(request)
  return counts.map((count) => ({ ...count, amount }))
}

export type ChargeCost = { before(ms: number): void; after(ms: number): void }
