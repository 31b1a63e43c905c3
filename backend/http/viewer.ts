// The viewer (the caller of a request), cookies, and the origins of requests.
// accounts/resolve-viewer.ts finds the viewer; routes and rules only use `request.viewer`.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalidParam, Refusal } from '#contract/errors.ts'
import { type AccountRole, lowerRole, type Readers, roleIn } from '#contract/permissions.ts'
import { trimChars } from '#contract/plain-text.ts'
import { type Log, makeThrottledLog } from '../process/log.ts'
import { LOOPBACK_HOSTS } from '../settings/read-settings.ts'

export type UserViewer = {
  role: 'user'
  userId: string
  email: string
  name: string
  isVerified: boolean
  accountRole: AccountRole
  /**
   * Empty for a viewer with a proof, who has no session of their own: calls that need a current or
   * fresh session refuse such viewers.
   */
  sessionId: string
  proof?: SessionProof
  /** The operator or key that created the session or the proof instead of the account's owner. */
  openedBy?: { role: 'key' } | { role: 'user'; userId: string; name: string }
}
/** A substitute for the token of a session, such as a JWT. */
export type SessionProof = {
  userId: string
  sessionId: string
  /** Whether it is still valid: the secret of the session may have changed. */
  isValid: (session: { secretHash: string }, now: Date) => boolean
  /** The account's role when the API key created it; undefined if the owner did. */
  openedRole?: AccountRole | undefined
}
export type Viewer = { role: 'guest' } | UserViewer | { role: 'key' }

/**
 * The role of a session. If somebody else opened it, it has no more rights than the account had at
 * that time.
 *
 * @param owner `labels` are the current ones
 */
export function roleOfSession(
  { labels, openedRole }: { labels: string; openedRole: string },
  proof?: SessionProof,
): AccountRole {
  const limits = [openedRole, proof?.openedRole].filter(Boolean) as AccountRole[]
  return limits.reduce(lowerRole, roleIn({ labels }))
}

/** Whether the operator who opened a session, if one did, still is an operator who may sign in. */
export function isOpenerStillOperator(session: {
  openedBy: string
  openerLabels: string | null
  openerIsBlocked: number | null
}): boolean {
  const { openedBy, openerLabels: labels, openerIsBlocked } = session
  if (openedBy === '') return true
  return labels !== null && openerIsBlocked === 0 && roleIn({ labels }) === 'operator'
}

export const GUEST: Viewer = { role: 'guest' }

/** Id of the viewer that stands for all users; ids of rows have no brackets. */
export const ANY_USER_ID = '(any user)'

/**
 * Finds the user of a JWT or a session, else the API key, else a guest.
 *
 * @throws Refusal `user_blocked`, `user_jwt_invalid`
 */
export type FindViewer = (request: FastifyRequest) => Promise<Viewer>

/**
 * Who may call a route: `public` is open to all, `account` needs a session, every other scope needs
 * the API key.
 */
export type Scope =
  | 'public'
  | 'account'
  | 'health.read'
  | 'users.read'
  | 'users.write'
  | 'documents.write'
  | `${'databases' | 'collections' | 'attributes' | 'indexes' | 'buckets'}.${'read' | 'write'}`

/**
 * @param isForOperators whether the account of an operator may do what the API key may
 * @throws Refusal `general_unauthorized_scope` (api.md §1.4)
 */
export function requireScope(viewer: Viewer, scope: Scope, isForOperators = false): void {
  if (scope === 'public' || (isForOperators && isOperator(viewer))) return
  const isAllowed = scope === 'account' ? viewer.role === 'user' : viewer.role === 'key'
  if (isAllowed) return
  const caller = {
    user: `${'email' in viewer ? viewer.email : ''} (role: users)`,
    key: 'app (role: applications)',
    guest: 'User (role: guests)',
  }[viewer.role]
  throw new Refusal('general_unauthorized_scope', `${caller} missing scope (${scope})`)
}

/** The signed-in user. @throws Refusal `general_unauthorized_scope` for every other viewer */
export function readUser(viewer: Viewer): UserViewer {
  requireScope(viewer, 'account')
  return viewer as UserViewer
}

export function isOperator(viewer: Viewer): boolean {
  return viewer.role === 'user' && viewer.accountRole === 'operator'
}

/** The groups of readers that the viewer is in; the API key reads what guests do. */
export function readerGroups(viewer: Viewer): Readers[] {
  if (viewer.role !== 'user') return ['any']
  return ['any', 'users', viewer.isVerified ? 'verified' : 'unverified']
}

// --- cookies: the one place that sets, clears and finds them

/** `maxAge` in seconds. */
type CookieLifetime = { maxAge: number } | { expires: Date }

export type CookieSite = {
  publicUrl: string
  isHttps: boolean
  /** Whether the cookies are also sent with requests that pages of other sites make. */
  isCrossSite: boolean
}

/**
 * Browsers send a host's cookies to all of its ports: the port in the name separates the blogs of
 * one host. On HTTPS the prefix makes browsers restrict the cookie to this host and to secure
 * connections.
 */
export function cookieName(
  plainName: string,
  { publicUrl, isHttps }: Pick<CookieSite, 'publicUrl' | 'isHttps'>,
): string {
  const { port } = new URL(publicUrl)
  return portlessCookieName(port === '' ? plainName : `${plainName}_${port}`, { isHttps })
}

/** The {@link cookieName} from before names had the port. */
export function portlessCookieName(
  plainName: string,
  { isHttps }: Pick<CookieSite, 'isHttps'>,
): string {
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
      reply.setCookie(name, value, { ...attributes, ...lifetime })
    },
    clear: (reply: FastifyReply) => void reply.clearCookie(name, attributes),
    /** @returns undefined when it is absent, empty, or sent with two different values */
    find: ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined =>
      findCookie(headers.cookie, name) || undefined,
  }
}

/**
 * The value of a cookie in a request.
 *
 * @param header the `Cookie` header of a request
 * @returns `""` when it is sent with two different values: one of them may be an attacker's, and
 *   the header does not tell which
 */
export function findCookie(header: string | undefined, name: string): string | undefined {
  if (!header?.includes(name)) return undefined
  const values = new Set<string>()
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=')
    if (trimChars(pair.slice(0, Math.max(at, 0)), SPACES) !== name) continue
    const value = decode(trimChars(pair.slice(at + 1), SPACES))
    if (value !== '') values.add(value)
  }
  if (values.size === 0) return undefined
  return values.size === 1 ? [...values][0] : ''
}

/**
 * Only the spaces of the header's grammar. `String.trim` removes more, and for a browser a name
 * with such a space before the prefix lacks the prefix.
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

// --- origins: CORS headers for listed ones, and refused writes of others, with their log (api.md
// §1.5, threat-model.md §7).

/** Names of `Access-Control-Request-Headers` that are read, at most. */
const CORS_HEADERS_MAX = 64
/** Length of an origin in the log or in a response. */
const ORIGIN_MAX_CHARS = 255

/** How often one refused origin is logged. */
const REFUSED_ORIGIN_LOG_EVERY_MS = 60_000

const ALLOW_HEADERS = [
  'content-type, content-range, x-appwrite-id, x-appwrite-project, x-appwrite-response-format, x-fallback-cookies',
  'x-sdk-language, x-sdk-name, x-sdk-platform, x-sdk-version, x-appwrite-jwt, x-appwrite-key, x-appwrite-locale, x-appwrite-mode',
  'x-appwrite-session, x-appwrite-timeout, x-appwrite-timestamp, range, cache-control, expires, pragma, x-requested-with, accept, origin',
].join(', ')
/** A token of RFC 9110, of at most 64 characters. */
const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,64}$/

/** Methods that change nothing. */
export function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

/** An origin that is not listed gets no CORS header here. */
export function setCorsHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  allowedOrigins: readonly string[],
): void {
  reply.header('vary', 'Origin')
  const { origin } = request.headers
  if (!origin || !allowedOrigins.includes(origin)) return
  allow(request, reply, origin)
  reply.header('access-control-max-age', '600')
}

function allow(request: FastifyRequest, reply: FastifyReply, origin: string): void {
  const requested = request.method === 'OPTIONS' ? requestedHeaders(request) : []
  const names = new Set([...ALLOW_HEADERS.split(', '), ...requested])
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': [...names].join(', '),
    'access-control-expose-headers': 'X-Fallback-Cookies',
  })
}

/** Further header names that newer clients and programs send. */
function requestedHeaders({ headers }: FastifyRequest): string[] {
  const names = String(headers['access-control-request-headers'] ?? '').split(',', CORS_HEADERS_MAX)
  return names.map((name) => name.trim().toLowerCase()).filter((name) => HEADER_NAME.test(name))
}

export type Origins = { publicUrl: string; allowedOrigins: readonly string[] }

/**
 * The origins that may write: the listed ones and, if the blog's URL is this machine, the requested
 * host. A container's port may differ on its host.
 *
 * @param host the `Host` of the request; a name of another machine adds nothing
 */
export function originsFor(
  host: string | undefined,
  { publicUrl, allowedOrigins }: Origins,
): readonly string[] {
  const publicAddress = new URL(publicUrl)
  const requested = URL.parse(`${publicAddress.protocol}//${host}`)
  const isLocal =
    requested &&
    [publicAddress, requested].every(({ hostname }) => LOOPBACK_HOSTS.includes(hostname))
  return isLocal ? [...allowedOrigins, requested.origin] : allowedOrigins
}

type OriginRequest = Pick<FastifyRequest, 'method' | 'headers'>

/** Whether a page of another site makes the browser send this write. */
export function isForeignWrite(request: OriginRequest, origins: Origins): boolean {
  if (isReading(request.method)) return false
  const { origin, referer, host } = request.headers
  const listed = originsFor(host, origins)
  const isListed = (site: string | undefined) => site !== undefined && listed.includes(site)
  if (isFromOtherSite(request.headers) && (!isListed(origin) || isOwnOrigin(request, origins)))
    return true
  if (origin !== undefined) return !isListed(origin)
  return referer !== undefined && !isListed(originOf(referer))
}

/**
 * Whether the origin of a request is this blog, by its URL or the requested host. No browser
 * marks a request from the same origin as one of another site.
 */
function isOwnOrigin(
  { headers: { origin = '', host } }: OriginRequest,
  { publicUrl }: Origins,
): boolean {
  return origin === publicUrl || URL.parse(origin)?.host === (host ?? '')
}

export type RefusedOrigins = ReturnType<typeof makeRefusedOrigins>

export function makeRefusedOrigins(log: Log, { allowedOrigins }: Origins) {
  const logThrottled = makeOriginLog(log, 'general_unknown_origin')
  const logRequest = (request: FastifyRequest): void => {
    const { id: requestId, method, ip: address, routeOptions } = request
    logThrottled(originForLog(request), { requestId, method, route: routeOptions.url, address })
  }
  return {
    /**
     * Refuses a write of another site. The page can read this response, which says nothing about
     * the user.
     *
     * @throws Refusal `general_unknown_origin`, always
     */
    refuse(request: FastifyRequest, reply: FastifyReply): never {
      logRequest(request)
      const { origin } = request.headers
      if (origin && !allowedOrigins.includes(origin) && isWebOrigin(origin))
        allow(request, reply, origin)
      throw new Refusal('general_unknown_origin')
    },
    /**
     * Answers the preflight of a write by an origin that is not listed, so that the browser sends
     * the write, and the page can read why it is refused. Preflights of reads get no CORS headers.
     */
    answerPreflight(request: FastifyRequest, reply: FastifyReply): void {
      const { origin, 'access-control-request-method': method } = request.headers
      if (origin === undefined || method === undefined || allowedOrigins.includes(origin)) return
      logRequest(request)
      if (isReading(method) || !isWebOrigin(origin)) return
      allow(request, reply, origin)
      // Not cached, so that an origin works as soon as it is listed.
      reply.header('access-control-max-age', '0')
    },
  }
}

/** Logs refused origins, each once a minute. */
export function makeOriginLog(log: Log, type: string): (origin: string, details: object) => void {
  const event = 'refused origin'
  const write = (origin: string, count: number, details: object) =>
    log.warn({ event, type, origin, count, ...details }, event)
  const logThrottled = makeThrottledLog(REFUSED_ORIGIN_LOG_EVERY_MS, 'other origins', write)
  const unprintable = /[\p{Cc}\u2028\u2029]/gu
  return (origin, details) =>
    logThrottled(origin.replace(unprintable, '').slice(0, ORIGIN_MAX_CHARS), details)
}

function originOf(address: string): string | undefined {
  return URL.parse(address)?.origin
}

function originForLog({ headers: { origin, referer } }: FastifyRequest): string {
  return origin ?? (referer && (originOf(referer) ?? referer)) ?? 'not said'
}

/** The origin `null` does not count: every sandboxed frame has it. */
function isWebOrigin(origin: string): boolean {
  const isShortUrl = origin.length <= ORIGIN_MAX_CHARS && /^https?:/.test(origin)
  return isShortUrl && originOf(origin) === origin
}

function isFromOtherSite({ 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return site === 'cross-site' || site === 'same-site'
}

/**
 * Whether a page of another site fetches this one in the background: then the response must not
 * depend on the user, even with a cookie. Other sites may only navigate a whole tab here.
 *
 * @source Fetch Metadata Request Headers (W3C)
 */
export function isFetchedByOtherSite(headers: IncomingHttpHeaders): boolean {
  if (!isFromOtherSite(headers)) return false
  return headers['sec-fetch-mode'] !== 'navigate' || headers['sec-fetch-dest'] !== 'document'
}

// --- return URLs, to which this server redirects: listed origins only, against open redirects

const URL_MAX_CHARS = 2048

/**
 * The URL in its normal form.
 *
 * @param param the name of the parameter, for the message
 * @param allowedOrigins scheme, host and port; the path is free
 * @throws Refusal `general_argument_invalid`
 * @source api.md §2.3, threat-model.md §9, product.md §O36
 */
export function readReturnUrl(param: string, text: string, allowedOrigins: readonly string[]) {
  // Browsers and parsers read backslashes and control characters in different ways.
  const isPlain = text.length <= URL_MAX_CHARS && /^https?:\/\/[^\s\\\p{Cc}]+$/iu.test(text)
  const url = isPlain ? URL.parse(text) : null
  if (url && !url.username && !url.password && allowedOrigins.includes(url.origin)) return url.href
  const sites = allowedOrigins.filter((origin) => /^https?:/.test(origin))
  const hosts = [...new Set(sites.map((origin) => new URL(origin).hostname))]
  throw invalidParam(param, `URL host must be one of: ${hosts.join(', ')}`)
}
