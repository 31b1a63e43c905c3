// Conditional requests: whether the caller's copy is still current. Knows nothing of what is sent.
import type { FastifyRequest } from 'fastify'
import fresh from 'fresh'

/**
 * Whether `If-None-Match` names this entity tag, weak or strong, or `*`.
 *
 * @note only this header is looked at: a request's own `Cache-Control: no-cache` speaks to caches,
 *   and we are the origin
 * @source RFC 9110 §13.1.2
 */
export function isCopyCurrent({ headers }: Pick<FastifyRequest, 'headers'>, etag: string): boolean {
  const asked = headers['if-none-match']
  if (asked === undefined || asked === etag) return asked !== undefined
  return fresh({ 'if-none-match': asked }, { etag })
}

/**
 * The same for an answer that also says when it was last changed: without `If-None-Match` it counts
 * whether that is after `If-Modified-Since`.
 *
 * @source RFC 9110 §13.2.2
 */
export function isDatedCopyCurrent(
  { headers }: Pick<FastifyRequest, 'headers'>,
  { etag, lastModified }: { etag: string; lastModified: string },
): boolean {
  const asked = {
    'if-none-match': headers['if-none-match'],
    'if-modified-since': headers['if-modified-since'],
  }
  return fresh(asked, { etag, 'last-modified': lastModified })
}
