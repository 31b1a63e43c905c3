// Remembers today's readers of each post, so that no reader counts twice: as hashes in memory, with
// a random salt for each day and process that is never stored. The hashes reveal no address, name
// or user agent, and are dropped at the end of the day.
import { createHmac, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'
import { networkOf } from '../http/rate-limits.ts'

/** Takes some ten megabytes. */
const READERS_REMEMBERED_MAX = 100_000
/**
 * Readers of one post at one address: people may share it, but one client cannot inflate the count.
 */
export const READERS_PER_ADDRESS_MAX = 20

/** A signed-in user, or a guest as IP address and user agent. */
export type Reader = { userId: string } | { address: string; userAgent: string }

const HASH_CHARS = 12

export function makeUniqueReaders(max = READERS_REMEMBERED_MAX) {
  let day = ''
  let salt = randomBytes(32)
  /** The reader seen longest ago is forgotten first, and may then count once more. */
  const userAgentsByReader = new LRUCache<string, Set<string>>({
    maxSize: max,
    sizeCalculation: ({ size }) => 1 + size,
  })
  const hash = (...parts: string[]) =>
    createHmac('sha256', salt).update(JSON.stringify(parts)).digest('base64').slice(0, HASH_CHARS)

  return {
    /** Whether this is the first read of a post by a reader on a day. */
    isFirst(today: string, postId: string, reader: Reader): boolean {
      if (today !== day) {
        day = today
        salt = randomBytes(32)
        userAgentsByReader.clear()
      }
      const isUser = 'userId' in reader
      const source = isUser ? reader.userId : networkOf(reader.address)
      const key = hash(postId, isUser ? 'person' : 'address', source)
      const userAgents = userAgentsByReader.get(key) ?? new Set<string>()
      const userAgent = isUser ? '' : hash(postId, source, reader.userAgent)
      // Limits a client that names another user agent each time.
      if (userAgents.has(userAgent) || userAgents.size >= READERS_PER_ADDRESS_MAX) return false
      userAgentsByReader.set(key, new Set([...userAgents, userAgent]))
      return true
    },
  }
}

// --- whether a person sent a request: browsers that prefetch a page, search engines and other bots
// identify themselves in its headers.

/** Headers with which browsers mark requests for a page that the user has not opened yet. */
const PREFETCH_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const

const USER_AGENT_MAX_CHARS = 500
const USER_AGENTS_CACHED_MAX = 1000
/** Caches whether a user agent is a bot: parsing one costs more than sending a page. */
const isBotByUserAgent = new Map<string, boolean>()

export function userAgentOf({ headers }: Pick<FastifyRequest, 'headers'>): string {
  return (headers['user-agent'] ?? '').slice(0, USER_AGENT_MAX_CHARS)
}

export function isHumanRequest(request: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  const userAgent = userAgentOf(request)
  const isBot = isBotByUserAgent.get(userAgent) ?? (userAgent === '' || isbot(userAgent))
  if (isBotByUserAgent.size >= USER_AGENTS_CACHED_MAX) isBotByUserAgent.clear()
  isBotByUserAgent.set(userAgent, isBot)
  const isPrefetch = PREFETCH_HEADERS.some((name) =>
    /prefetch|prerender|preview/i.test(String(request.headers[name] ?? '')),
  )
  return request.method !== 'HEAD' && !isBot && !isPrefetch
}

/** A page that was opened in a tab, not fetched by a script or put into a frame. */
export function isOpenedInTab({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return (headers['sec-fetch-dest'] ?? 'document') === 'document'
}
