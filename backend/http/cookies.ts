// Cookies: the one place that sets and clears them, with all their attributes, and that finds them
// in a request. Knows no session.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { trimmed } from '#contract/plain-text.ts'

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
    find: ({ headers }) => findCookie(headers.cookie, name) || undefined,
  }
}

/**
 * The value of a cookie in a request.
 *
 * @param header of a request
 * @returns `""` when it is sent with two different values: one of them may be an attacker's, and
 *   nothing says which
 */
export function findCookie(header: string | undefined, name: string): string | undefined {
  if (!header?.includes(name)) return undefined
  const values = new Set<string>()
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=')
    if (trimmed(pair.slice(0, Math.max(at, 0)), SPACES) !== name) continue
    const value = decode(trimmed(pair.slice(at + 1), SPACES))
    if (value !== '') values.add(value)
  }
  if (values.size === 0) return undefined
  return values.size === 1 ? [...values][0] : ''
}

/**
 * Only the spaces that the header's grammar knows. `String.trim` takes more, and to a browser a
 * name with such a space before the prefix is a name without the prefix.
 */
const SPACES = ' \t'

function decode(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
