// What this room is handed, and responses that are the same for everybody: no cookie is looked at,
// and caches ask before each use, because a post may have been changed or taken back.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DescribeBody, SiteWords } from '#contract/pages.ts'
import type { Reading } from '#contract/site-settings.ts'
import {
  keyOf,
  type MadeResponse,
  type ResponseCache,
  sendResponse,
} from '../cache/response-cache.ts'
import type { Database } from '../database/schema.ts'
import type { Files } from '../files/files.ts'
import { countRequest, type RateLimits } from '../http/rate-limits.ts'
import type { PostNeeds } from '../posts/needs.ts'
import type { Background } from '../process/background.ts'
import type { Log } from '../process/log.ts'

export type DiscoveryNeeds = {
  db: Database
  cache: ResponseCache
  rateLimits: RateLimits
  background: Background
  log: Log
  posts: PostNeeds
  files: Pick<Files, 'drawCard' | 'readVisible' | 'preview'>
  siteName: string
  /** The line about the blog. */
  about: string
  /** Without a slash at its end. */
  publicUrl: string
  /** Where only members read, nothing is listed and there are no feeds. */
  reading: Reading
  projectId: string
  contentBucketId: string
  avatarBucketId: string
  /** Is told of changes, and tells who follows. */
  hubUrl: string | undefined
  /** What the web part says of posts; without it there are no pages, and cards have no line. */
  cardWords:
    | {
        words: Pick<SiteWords, 'postLine'>
        describeBody: DescribeBody
        textsVersion: string | undefined
      }
    | undefined
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
    ...{ body: Buffer.from(text), route, isCompressible },
    headersFor: (form) => ({
      'cache-control': 'public, no-cache',
      ...(isCompressible ? { vary: 'accept-encoding' } : {}),
      ...headers,
      ...(form === 'unchanged' ? {} : { 'content-type': type }),
      ...(form === 'unchanged' || form === 'identity' ? {} : { 'content-encoding': form }),
    }),
  }
}
