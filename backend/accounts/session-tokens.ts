// The text that proves a session: where a request carries it and how it is spelled (api.md §1.1,
// §1.7). Knows no store.
import type { IncomingHttpHeaders } from 'node:http'
import { isId } from '#contract/ids.ts'

export type SessionToken = { userId: string; secret: string }

/** Names under which a project's sessions travel. */
export type TokenNames = {
  /** The cookie that is set. */
  cookie: string
  /** Every cookie that is read, first one first. */
  cookies: readonly string[]
  /**
   * Keys of the JSON in X-Fallback-Cookies: the one that is written, then one that is also read.
   */
  fallback: readonly [written: string, ...string[]]
}

const TOKEN_MAX_CHARS = 512

/**
 * @param isHttps then a browser keeps the cookie to this host and to safe connections by its name
 *   alone
 */
export function makeTokenNames(projectId: string, { isHttps }: { isHttps: boolean }): TokenNames {
  const plain = `a_session_${projectId.toLowerCase()}`
  const cookie = isHttps ? `__Host-${plain}` : plain
  return {
    cookie,
    cookies: [...new Set([cookie, plain, `__Host-${plain}`, `${plain}_legacy`])],
    fallback: plain === `a_session_${projectId}` ? [plain] : [`a_session_${projectId}`, plain],
  }
}

export function formatToken({ userId, secret }: SessionToken): string {
  return Buffer.from(JSON.stringify({ id: userId, secret })).toString('base64')
}

/** @returns undefined for everything that `formatToken` could not have made, to the last byte */
export function parseToken(text: string): SessionToken | undefined {
  if (text.length > TOKEN_MAX_CHARS) return undefined
  const found = parseRecord(Buffer.from(text, 'base64').toString())
  if (!found || !isId(found.id) || typeof found.secret !== 'string') return undefined
  const token = { userId: found.id, secret: found.secret }
  return formatToken(token) === text ? token : undefined
}

/**
 * The first token that a request carries: a cookie, X-Appwrite-Session, X-Fallback-Cookies.
 *
 * @returns undefined when there is none or it is broken: a broken one hides the later ones
 */
export function readToken(
  headers: IncomingHttpHeaders,
  names: TokenNames,
): SessionToken | undefined {
  const text =
    readCookies(headers.cookie, names.cookies) ??
    single(headers['x-appwrite-session']) ??
    readFallback(headers, names)
  return text === undefined ? undefined : parseToken(text)
}

/**
 * The value of one cookie; undefined when it is absent, empty, or sent with two different values.
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  return readCookies(header, [name]) || undefined
}

/**
 * Two different values under one name: somebody planted one of them, and nobody knows which. That
 * reads as a broken token.
 */
function readCookies(header: string | undefined, names: readonly string[]): string | undefined {
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

function readFallback(headers: IncomingHttpHeaders, names: TokenNames): string | undefined {
  const sent = parseRecord(single(headers['x-fallback-cookies']) ?? '')
  const found = names.fallback.map((name) => sent?.[name]).find((value) => value !== undefined)
  return typeof found === 'string' ? found : undefined
}

function single(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && header !== '' ? header : undefined
}

function decode(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
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
