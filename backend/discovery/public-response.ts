// What this room is handed, and responses that are the same for everybody: no cookie is looked at,
// and caches ask before each use, because a post may have been changed or taken back.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import type { DescribeBody, SiteWords } from '#contract/pages.ts'
import {
  keyOf,
  type MadeResponse,
  type ResponseCache,
  sendResponse,
} from '../cache/response-cache.ts'
import type { Live } from '../database/transaction.ts'
import type { Files } from '../files/file-access.ts'
import { countRequest, type RateLimits } from '../http/rate-limits.ts'
import type { PostNeeds } from '../posts/needs.ts'
import type { Config } from '../settings/config.ts'
import type { Site } from '../site/site.ts'

export type DiscoveryNeeds = Live &
  Config & {
    site: Site
    cache: ResponseCache
    rateLimits: RateLimits
    posts: PostNeeds
    files: Files
    /** What the web part says of posts; without it there are no pages, and cards have no line. */
    pages:
      | {
          words: Pick<SiteWords, 'postLine'>
          describeBody: DescribeBody
          textsVersion: string | undefined
        }
      | undefined
  }

/** @throws Refusal `general_route_not_found` where the list is for members */
export async function requireOpen({ site }: Pick<DiscoveryNeeds, 'site'>): Promise<void> {
  if ((await site.read()).reading !== 'everyone') throw new Refusal('general_route_not_found')
}

/** @param url names the response */
export async function sendPublic(
  { cache, rateLimits }: Pick<DiscoveryNeeds, 'cache' | 'rateLimits'>,
  url: string,
  request: FastifyRequest,
  reply: FastifyReply,
  make: () => Promise<MadeResponse>,
): Promise<FastifyReply> {
  countRequest(request, rateLimits)
  const found = await cache.readOrMake(keyOf('guest', url, {}), make)
  return 'other' in found ? reply : await sendResponse(cache, found, request, reply)
}

/** @param isCompressible false for images and what is short */
export function toPublicResponse(
  route: string,
  type: string,
  text: string | Buffer,
  { isCompressible = true, headers = {} as Record<string, string> } = {},
): MadeResponse {
  return {
    body: Buffer.from(text),
    route,
    isCompressible,
    headers: {
      'cache-control': 'public, no-cache',
      ...(isCompressible ? { vary: 'accept-encoding' } : {}),
      ...headers,
    },
    bodyHeaders: { 'content-type': type },
  }
}
