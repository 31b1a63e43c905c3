// Sets and clears the session in a response: in the cookie and, if the pages are on another site,
// in X-Fallback-Cookies (api.md §1.7). Also describes the caller, and marks known browsers.
import { createHmac } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { disconnectSignal } from '../http/connections.ts'
import { networkOf } from '../http/rate-limits.ts'
import { type CookieSite, cookieName, makeCookie, portlessCookieName } from '../http/viewer.ts'
import type { QueueCaller } from '../process/bounded-queue.ts'
import { isSameHash, makeSecret } from '../process/ids.ts'
import type { Log } from '../process/log.ts'
import {
  isSignedInByPortlessCookie,
  makeSessionNames,
  type StartedSession,
} from './resolve-viewer.ts'

/** How long a browser counts as known; browsers limit cookies to 400 days. */
const KNOWN_BROWSER_SECONDS = 365 * 24 * 60 * 60

/** `browserMark` is for a browser that has no valid mark yet. */
export type SignInResult = StartedSession & { browserMark?: string | undefined }

export type SessionCookies = ReturnType<typeof makeSessionCookies>

/**
 * @param site if it is cross-site, responses also carry the token in a header, for browsers that
 *   reject the cookie
 */
export function makeSessionCookies(projectId: string, site: CookieSite) {
  const names = makeSessionNames(projectId, site)
  const session = makeCookie(names.cookie, site)
  const portlessSession = makeCookie(names.portlessCookie, site)
  const browserName = `a_browser_${projectId.toLowerCase()}`
  const browser = makeCookie(cookieName(browserName, site), site)
  const portlessBrowser = makeCookie(portlessCookieName(browserName, site), site)
  const hasPort = names.cookie !== names.portlessCookie
  /** Clears the cookie only if it belongs to this blog, not to another one on this host. */
  function clearPortless(reply: FastifyReply): void {
    if (hasPort && isSignedInByPortlessCookie(reply.request, names)) portlessSession.clear(reply)
  }

  return {
    /**
     * @param reply for calls with queued work, which is cancelled when the client disconnects
     */
    callerOf(request: FastifyRequest, reply?: FastifyReply): Caller {
      const { id: requestId, ip: address, viewer, headers } = request
      const isKey = viewer.role === 'key'
      // A server that signs users in forwards the user agent of their browser.
      const forwarded = isKey ? headers['x-forwarded-user-agent'] : undefined
      return {
        requestId,
        address,
        isKey,
        browserMark: browser.find(request) ?? portlessBrowser.find(request),
        host: headers.host,
        userAgent: String(forwarded || (headers['user-agent'] ?? '')),
        signal: reply && disconnectSignal(reply),
      }
    },
    set(reply: FastifyReply, { session: { expiresAt }, token, browserMark }: SignInResult): void {
      session.set(reply, token, { expires: new Date(expiresAt) })
      clearPortless(reply)
      reply.newSessionToken = token
      if (site.isCrossSite)
        reply.header('x-fallback-cookies', JSON.stringify({ [names.fallback[0]]: token }))
      if (browserMark) browser.set(reply, browserMark, { maxAge: KNOWN_BROWSER_SECONDS })
    },
    clear(reply: FastifyReply): void {
      session.clear(reply)
      clearPortless(reply)
      if (site.isCrossSite) reply.header('x-fallback-cookies', '[]')
    },
  }
}

// --- the caller of a request, and its log lines

/** The origin of a request, for rate limits, the session list and the log. */
export type Caller = {
  requestId: string
  /** IP address. */
  address: string
  userAgent: string
  /** The Host header: name and port. */
  host?: string | undefined
  /** The caller is a server with the API key: many users sign in from its address. */
  isKey?: boolean
  /** The mark of a known browser, if the request carries one. */
  browserMark: string | undefined
  /** Aborted when the client disconnects. */
  signal?: AbortSignal | undefined
}

/** The caller for the queue of hashes, which has a share for each network. */
export function toHashQueueCaller({
  address,
  signal,
}: Pick<Caller, 'address' | 'signal'>): QueueCaller {
  return { key: networkOf(address), signal }
}

export function logEvent(
  log: Log,
  event: string,
  userId: string,
  caller: Caller,
  details = {},
): void {
  const { requestId, address } = caller
  log.info({ event, ...details, requestId, userId, address }, event)
}

// --- a signed cookie marks a browser from which a user has signed in before. Strangers who guess
// the user's password from many addresses can then be stopped without locking the user out
// (api.md §8). The mark has no id and grants no rights.

const MARK = /^([0-9a-f]{32})\.([0-9a-f]{64})$/

export type KnownBrowsers = ReturnType<typeof makeKnownBrowsers>

/** @param key a secret of the server; with another key every browser is unknown */
export function makeKnownBrowsers(key: string) {
  const sign = (userId: string, nonce: string): string =>
    createHmac('sha256', key).update(`${userId} ${nonce}`).digest('hex')
  return {
    /** A mark for the browser that just signed in. */
    issue(userId: string): string {
      const nonce = makeSecret(16)
      return `${nonce}.${sign(userId, nonce)}`
    },
    /** @returns the random id of the browser; undefined when the mark is not for this user */
    recognise(mark: string | undefined, userId: string | undefined): string | undefined {
      const [, nonce = '', signature = ''] = MARK.exec(mark ?? '') ?? []
      // Also computed for an unknown address, so that both take the same time.
      const expected = sign(userId ?? '', nonce)
      return isSameHash(signature, expected) && userId !== undefined ? nonce : undefined
    },
    /** @returns a new mark; undefined if the browser has a valid one */
    issueUnlessRecognised(mark: string | undefined, userId: string): string | undefined {
      return this.recognise(mark, userId) === undefined ? this.issue(userId) : undefined
    },
  }
}
