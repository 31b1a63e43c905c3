// Who is asking, and the cookies that say so. accounts/find-viewer.ts finds out; routes and rules
// only use `request.viewer`.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import { trimmed } from '#contract/plain-text.ts'

export type UserViewer = {
  role: 'user'
  userId: string
  email: string
  name: string
  isVerified: boolean
  /**
   * Empty when a JWT proves who asks: it acts for the person, but no session is its own, so that
   * what needs a current or a fresh one refuses it.
   */
  sessionId: string
}
export type Viewer = { role: 'guest' } | UserViewer | { role: 'key' }

export const GUEST: Viewer = { role: 'guest' }

const CREDENTIAL_HEADERS = [
  'x-appwrite-jwt',
  'x-appwrite-key',
  'x-appwrite-session',
  'x-fallback-cookies',
] as const

/** Whether anything but a cookie may say who is asking. */
export function hasCredentialHeader(headers: IncomingHttpHeaders): boolean {
  return CREDENTIAL_HEADERS.some((name) => (headers[name] ?? '') !== '')
}

/** JWT or session, then API key, else guest. @throws Refusal `user_blocked`, `user_jwt_invalid` */
export type FindViewer = (request: FastifyRequest) => Promise<Viewer>

/**
 * What a route needs of its caller: `public` is open to all, `account` needs a session, the rest
 * needs the API key.
 */
export type Scope =
  | 'public'
  | 'account'
  | 'health.read'
  | 'users.read'
  | 'users.write'
  | 'documents.write'
  | `${'databases' | 'collections' | 'attributes' | 'indexes' | 'buckets'}.${'read' | 'write'}`

/** @throws Refusal `general_unauthorized_scope` (api.md §1.4) */
export function requireScope(viewer: Viewer, scope: Scope): void {
  if (scope === 'public') return
  const isAllowed = scope === 'account' ? viewer.role === 'user' : viewer.role === 'key'
  if (isAllowed) return
  const who =
    viewer.role === 'user'
      ? `${viewer.email} (role: users)`
      : viewer.role === 'key'
        ? 'app (role: applications)'
        : 'User (role: guests)'
  throw new Refusal('general_unauthorized_scope', `${who} missing scope (${scope})`)
}

/** The signed-in user. @throws Refusal `general_unauthorized_scope` for everybody else */
export function readUser(viewer: Viewer): UserViewer {
  requireScope(viewer, 'account')
  return viewer as UserViewer
}

// --- cookies: the one place that sets and clears them, with all their attributes, and that finds
// them in a request

export type Cookie = ReturnType<typeof makeCookie>

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
export function makeCookie(name: string, { isHttps, isCrossSite }: CookieSite) {
  const attributes = {
    path: '/',
    httpOnly: true,
    sameSite: isCrossSite ? 'none' : 'lax',
    secure: isHttps || isCrossSite,
    encode: (value: string) => value,
  } as const
  return {
    set(reply: FastifyReply, value: string, lifetime: CookieLifetime): void {
      const life =
        'expiresAt' in lifetime
          ? { expires: new Date(lifetime.expiresAt) }
          : { maxAge: lifetime.maxAgeSeconds }
      reply.setCookie(name, value, { ...attributes, ...life })
    },
    clear(reply: FastifyReply): void {
      reply.clearCookie(name, attributes)
    },
    /** @returns undefined when it is absent, empty, or sent with two different values */
    find: ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined =>
      findCookie(headers.cookie, name) || undefined,
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
