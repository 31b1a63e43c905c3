// The text that proves a session: where a request carries it and how it is spelled (api.md §1.1,
// §1.7). Knows no store.
import type { IncomingHttpHeaders } from 'node:http'
import { isId } from '#contract/ids.ts'
import type { SessionRow } from '../database/schema.ts'
import { cookieName, findCookie, hasCredentialHeader } from '../http/viewer.ts'

export type SessionToken = { userId: string; secret: string }

/** A new session, and the token that is shown to its browser alone. */
export type StartedSession = { session: SessionRow; token: string }

/** The names under which a project's session tokens are sent. */
export type SessionNames = {
  /**
   * The one cookie that is set and read. On HTTPS its prefix keeps sibling domains and unsafe
   * connections from planting one; a cookie of any other name could be planted.
   */
  cookie: string
  /**
   * Keys of the JSON in X-Fallback-Cookies: the one that is written, then one that is also read.
   */
  fallback: readonly [written: string, ...string[]]
}

const TOKEN_MAX_CHARS = 512

export function makeSessionNames(
  projectId: string,
  { isHttps }: { isHttps: boolean },
): SessionNames {
  const plain = `a_session_${projectId.toLowerCase()}`
  return {
    cookie: cookieName(plain, { isHttps }),
    fallback: plain === `a_session_${projectId}` ? [plain] : [`a_session_${projectId}`, plain],
  }
}

export function formatSessionToken({ userId, secret }: SessionToken): string {
  return Buffer.from(JSON.stringify({ id: userId, secret })).toString('base64')
}

/**
 * @returns undefined for everything that `formatSessionToken` could not have made, to the last byte
 */
export function parseSessionToken(text: string): SessionToken | undefined {
  if (text.length > TOKEN_MAX_CHARS) return undefined
  const found = parseRecord(Buffer.from(text, 'base64').toString())
  if (!found || !isId(found.id) || typeof found.secret !== 'string') return undefined
  const token = { userId: found.id, secret: found.secret }
  return formatSessionToken(token) === text ? token : undefined
}

/**
 * The first token that a request carries: the cookie, X-Appwrite-Session, X-Fallback-Cookies.
 *
 * @returns undefined when there is none or it is malformed: a malformed one hides the later ones
 */
export function findSessionToken(
  headers: IncomingHttpHeaders,
  names: SessionNames,
): SessionToken | undefined {
  const text =
    findCookie(headers.cookie, names.cookie) ??
    single(headers['x-appwrite-session']) ??
    findFallback(headers, names)
  return text === undefined ? undefined : parseSessionToken(text)
}

/**
 * Whether a request carries anything that may make its sender somebody else than a guest. The
 * pinned client always sends an empty X-Fallback-Cookies.
 */
export function mayHaveCredentials(headers: IncomingHttpHeaders, names: SessionNames): boolean {
  return hasCredentialHeader(headers) || findCookie(headers.cookie, names.cookie) !== undefined
}

function findFallback(headers: IncomingHttpHeaders, names: SessionNames): string | undefined {
  const text = single(headers['x-fallback-cookies'])
  if (text === undefined) return undefined
  const sent = parseRecord(text)
  const found = names.fallback.map((name) => sent?.[name]).find((value) => value !== undefined)
  return typeof found === 'string' ? found : undefined
}

function single(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && header !== '' ? header : undefined
}

function parseRecord(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
