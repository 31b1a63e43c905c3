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
export function isCopyCurrent({ headers }: FastifyRequest, etag: string): boolean {
  return fresh({ 'if-none-match': headers['if-none-match'] }, { etag })
}
