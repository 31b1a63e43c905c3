// Whether a request is somebody who reads, and no program: browsers that load a page in advance,
// search engines and other bots say so themselves.
import type { FastifyRequest } from 'fastify'
import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'

/** What browsers send while nobody has opened the page yet. */
const IN_ADVANCE = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const

/** Of the programs seen last: looking at a name costs more than sending a page. */
const bots = new LRUCache<string, boolean>({ max: 1000 })

function isBot(program: string): boolean {
  const known = bots.get(program)
  if (known !== undefined) return known
  const is = isbot(program)
  if (program.length <= PROGRAM_KEPT_MAX_CHARS) bots.set(program, is)
  return is
}

const PROGRAM_KEPT_MAX_CHARS = 500

export function isReader({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  const program = headers['user-agent'] ?? ''
  if (method === 'HEAD' || program === '' || isBot(program)) return false
  return !IN_ADVANCE.some((name) => {
    const value = headers[name]
    return value !== undefined && /prefetch|prerender|preview/i.test(String(value))
  })
}

/** A page that was opened in a tab, not fetched by a script or put into a frame. */
export function isOpened({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const target = headers['sec-fetch-dest']
  return target === undefined || target === 'document'
}
