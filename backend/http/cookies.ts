// Cookies: the one place that sets and clears them, with all their attributes, and that finds them
// in a request. Knows no session.
import type { FastifyReply, FastifyRequest } from 'fastify'

export type Cookie = {
  set(reply: FastifyReply, value: string, lifetime: CookieLifetime): void
  clear(reply: FastifyReply): void
  /** @returns undefined when it is absent, empty, or sent with two different values */
  find(request: Pick<FastifyRequest, 'headers'>): string | undefined
}

/** `expiresAt` is an ISO time. */
type CookieLifetime = { maxAgeSeconds: number } | { expiresAt: string }

export type CookieSite = {
  isHttps: boolean
  /** Sent along with requests of pages of other sites, too. */
  isCrossSite: boolean
}

/** On HTTPS the prefix makes browsers keep the cookie to this host and to safe connections. */
export function cookieName(plainName: string, { isHttps }: { isHttps: boolean }): string {
  return isHttps ? `__Host-${plainName}` : plainName
}

/** @param name as {@link cookieName} makes it; values must need no escaping */
export function makeCookie(name: string, { isHttps, isCrossSite }: CookieSite): Cookie {
  const attributes = {
    path: '/',
    httpOnly: true,
    sameSite: isCrossSite ? 'none' : 'lax',
    secure: isHttps || isCrossSite,
    encode: (value: string) => value,
  } as const
  return {
    set(reply, value, lifetime) {
      const life =
        'expiresAt' in lifetime
          ? { expires: new Date(lifetime.expiresAt) }
          : { maxAge: lifetime.maxAgeSeconds }
      reply.setCookie(name, value, { ...attributes, ...life })
    },
    clear(reply) {
      reply.clearCookie(name, attributes)
    },
    find: ({ headers }) => findCookie(headers.cookie, [name]) || undefined,
  }
}

/**
 * The first of the named cookies that is sent with a value.
 *
 * @param header of a request
 * @returns `""` when it is sent with two different values: one of them may be an attacker's, and
 *   nothing says which
 */
export function findCookie(
  header: string | undefined,
  names: readonly string[],
): string | undefined {
  if (!header) return undefined
  const pairs = header.split(';').map((pair) => {
    const at = pair.indexOf('=')
    return [pair.slice(0, Math.max(at, 0)).trim(), decode(pair.slice(at + 1).trim())] as const
  })
  for (const name of names) {
    const values = new Set(
      pairs.filter(([key, value]) => key === name && value !== '').map(([, value]) => value),
    )
    if (values.size > 0) return values.size === 1 ? [...values][0] : ''
  }
  return undefined
}

function decode(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
