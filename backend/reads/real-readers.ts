// Whether a request is somebody who reads, and no program: browsers that load a page in advance,
// search engines and other bots say so themselves.
import type { FastifyRequest } from 'fastify'
import { isbot } from 'isbot'

/** What browsers send while nobody has opened the page yet. */
const IN_ADVANCE = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const

export function isReader({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  const program = headers['user-agent'] ?? ''
  if (method === 'HEAD' || program === '' || isbot(program)) return false
  return !IN_ADVANCE.some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? '')))
}

/** A page that was opened in a tab, not fetched by a script or put into a frame. */
export function isOpened({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const target = headers['sec-fetch-dest']
  return target === undefined || target === 'document'
}
