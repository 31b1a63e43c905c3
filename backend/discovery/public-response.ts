// Responses that are the same for everybody: cookies are ignored, and caches must revalidate before
// each use, because a post may have been changed or hidden.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import { keyOf, type NewResponse, sendResponse } from '../cache/response-cache.ts'
import { countRequest } from '../http/rate-limits.ts'
import type { DiscoveryContext } from './context.ts'

/** @throws Refusal `general_route_not_found` when the list of posts is for members only */
export async function requirePublicList({ site }: DiscoveryContext): Promise<void> {
  if ((await site.read()).reading !== 'everyone') throw new Refusal('general_route_not_found')
}

/** @param url the key of the response in the cache */
export async function sendPublic(
  { cache, rateLimits }: DiscoveryContext,
  url: string,
  request: FastifyRequest,
  reply: FastifyReply,
  make: () => Promise<NewResponse>,
): Promise<FastifyReply> {
  countRequest(request, rateLimits)
  const response = await cache.readOrMake(keyOf('guest', url, {}), make)
  return 'other' in response ? reply : await sendResponse(cache, response, request, reply)
}

/**
 * @param tags cache tags of the content
 * @param isCompressible false for images and short texts
 */
export function toPublicResponse(
  type: string,
  text: string | Buffer,
  tags: readonly string[],
  { isCompressible = true, headers = {} as Record<string, string> } = {},
): NewResponse {
  return {
    body: Buffer.from(text),
    tags,
    isCompressible,
    headers: {
      'cache-control': 'public, no-cache',
      ...(isCompressible ? { vary: 'accept-encoding' } : {}),
      ...headers,
    },
    bodyHeaders: { 'content-type': type },
  }
}
