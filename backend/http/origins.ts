// Which sites may call: CORS headers for listed origins, writes from others refused (api.md
// §1.5, threat-model.md §7).
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'

const ALLOW_HEADERS = [
  'content-type, content-range, x-appwrite-id, x-appwrite-project, x-appwrite-response-format, x-fallback-cookies',
  'x-sdk-language, x-sdk-name, x-sdk-platform, x-sdk-version, x-appwrite-jwt, x-appwrite-key, x-appwrite-locale, x-appwrite-mode',
  'x-appwrite-session, x-appwrite-timeout, x-appwrite-timestamp, range, cache-control, expires, pragma, x-requested-with, accept, origin',
].join(', ')

/** Methods that change nothing. */
export function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

/** An origin that is not listed gets no CORS header. */
export function setCorsHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  allowedOrigins: readonly string[],
): void {
  reply.header('vary', 'Origin')
  const { origin } = request.headers
  if (!origin || !allowedOrigins.includes(origin)) return
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': ALLOW_HEADERS,
    'access-control-expose-headers': 'X-Fallback-Cookies',
    'access-control-max-age': '600',
  })
}

export type Origins = { publicUrl: string; allowedOrigins: readonly string[] }

/**
 * Refuses a write that a page of another site makes the browser send.
 *
 * @throws Refusal `general_unknown_origin`; nothing has been read or changed by then
 */
export function refuseForeignWrite(
  request: Pick<FastifyRequest, 'method' | 'headers'>,
  origins: Origins,
): void {
  if (isReading(request.method)) return
  const { origin, referer } = request.headers
  const isListed = (one: string | undefined) =>
    one !== undefined && origins.allowedOrigins.includes(one)
  const site = request.headers['sec-fetch-site']
  if (
    (site === 'cross-site' || site === 'same-site') &&
    !(isListed(origin) && !isOwn(request, origins))
  )
    throw new Refusal('general_unknown_origin')
  if (origin !== undefined) {
    if (!isListed(origin)) throw new Refusal('general_unknown_origin')
  } else if (
    referer !== undefined &&
    !isListed(URL.canParse(referer) ? new URL(referer).origin : '')
  ) {
    throw new Refusal('general_unknown_origin')
  }
}

/**
 * Whether the origin of a request is that of this blog, under its own name or the one that was
 * asked for. No browser calls a page of the same origin another site.
 */
function isOwn(
  { headers: { origin = '', host } }: Pick<FastifyRequest, 'headers'>,
  { publicUrl }: Origins,
): boolean {
  return origin === publicUrl || (URL.canParse(origin) && new URL(origin).host === host)
}
