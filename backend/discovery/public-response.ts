// What this room is handed, and responses that are the same for everybody: no cookie is looked at,
// and caches ask before each use, because a post may have been changed or taken back.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import { keyOf, type NewResponse, sendResponse } from '../cache/response-cache.ts'
import { countRequest } from '../http/rate-limits.ts'
import type { DiscoveryContext } from './context.ts'

/** @throws Refusal `general_route_not_found` where the list is for members */
export async function requirePublicList({ site }: DiscoveryContext): Promise<void> {
  if ((await site.read()).reading !== 'everyone') throw new Refusal('general_route_not_found')
}

/** @param url names the response */
export async function sendPublic(
  { cache, rateLimits }: DiscoveryContext,
  url: string,
  request: FastifyRequest,
  reply: FastifyReply,
  make: () => Promise<NewResponse>,
): Promise<FastifyReply> {
  countRequest(request, rateLimits)
  const found = await cache.readOrMake(keyOf('guest', url, {}), make)
  return 'other' in found ? reply : await sendResponse(cache, found, request, reply)
}

/**
 * @param tags cache tags of what it shows
 * @param isCompressible false for images and what is short
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
