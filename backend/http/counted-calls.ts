// Counts calls under the rate limits of their routes. Knows no route.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { COUNTED_BODY_BYTES } from '#contract/request-limits.ts'
import { type Count, type RateLimits, rateLimitHeaders } from './rate-limits.ts'

function countsOfCall(request: FastifyRequest): Count[] {
  const all = request.routeOptions.config?.counts?.(request) ?? []
  return request.viewer.role === 'key' ? all.filter(({ isOfTarget }) => isOfTarget) : all
}

/** @throws Refusal `general_rate_limit_exceeded` */
export async function countCall(
  request: FastifyRequest,
  reply: FastifyReply,
  rateLimits: RateLimits,
): Promise<void> {
  const counts = countsOfCall(request)
  if (counts.length === 0) return
  const rateLimitStatus = await rateLimits.takeExactly(counts)
  if (rateLimitStatus) reply.headers(rateLimitHeaders(rateLimitStatus))
}

/** For a long body that did not say before how long it is. */
export function countLateLength(request: FastifyRequest, rateLimits: RateLimits): void {
  if (request.bodyChars > COUNTED_BODY_BYTES && request.headers['content-length'] === undefined)
    rateLimits.add(countsOfCall(request))
}
