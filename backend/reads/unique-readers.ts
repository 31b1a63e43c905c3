// Who has read what today, so that no reader counts twice: in memory, under a salt that is made
// anew for each day and each process and written nowhere. No address, name or program can be found
// out from it, and it ends with the day.
import { createHmac, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'
import { networkOf } from '../http/rate-limits.ts'

/** Readers of a day that are remembered, so that they count once: some ten megabytes. */
const READERS_REMEMBERED_MAX = 100_000
/** Readers of one post at one address: many may share it, but it cannot count a hundred times. */
export const READERS_PER_ADDRESS_MAX = 20

/** A signed-in user, or a guest as IP address and user agent. */
export type Reader = { userId: string } | { address: string; userAgent: string }

const HASH_CHARS = 12

export function makeUniqueReaders(max = READERS_REMEMBERED_MAX) {
  let day = ''
  let salt = randomBytes(32)
  /** What is forgotten first was seen longest ago: then a reader may count once more. */
  const seen = new LRUCache<string, Set<string>>({
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
        seen.clear()
      }
      const isPerson = 'userId' in reader
      const from = isPerson ? reader.userId : networkOf(reader.address)
      const key = hash(postId, isPerson ? 'person' : 'address', from)
      const programs = seen.get(key) ?? new Set<string>()
      const program = isPerson ? '' : hash(postId, from, reader.userAgent)
      // A client that names another user agent each time counts a few times only.
      if (programs.has(program) || programs.size >= READERS_PER_ADDRESS_MAX) return false
      seen.set(key, new Set([...programs, program]))
      return true
    },
  }
}

// --- whether a request is somebody who reads, and no program: browsers that load a page in
// advance, search engines and other bots say so themselves.

/** What browsers send before a user has opened the page. */
const IN_ADVANCE = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const

const PROGRAM_MAX_CHARS = 500
const PROGRAMS_KEPT_MAX = 1000
/** Caches which user agents are bots: parsing one costs more than sending a page. */
const bots = new Map<string, boolean>()

export function userAgentOf({ headers }: Pick<FastifyRequest, 'headers'>): string {
  return (headers['user-agent'] ?? '').slice(0, PROGRAM_MAX_CHARS)
}

export function isHumanRequest(request: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  const program = userAgentOf(request)
  const isBot = bots.get(program) ?? (program === '' || isbot(program))
  if (bots.size >= PROGRAMS_KEPT_MAX) bots.clear()
  bots.set(program, isBot)
  const isInAdvance = IN_ADVANCE.some((name) =>
    /prefetch|prerender|preview/i.test(String(request.headers[name] ?? '')),
  )
  return request.method !== 'HEAD' && !isBot && !isInAdvance
}

/** A page that was opened in a tab, not fetched by a script or put into a frame. */
export function isOpenedInTab({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return (headers['sec-fetch-dest'] ?? 'document') === 'document'
}
