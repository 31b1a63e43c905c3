// Puts a session into an answer and takes it out again: the cookie, and X-Fallback-Cookies where
// pages are on another site. Also says who calls, with the mark of a known browser. Knows no rule
// of who may sign in (api.md §1.7).
import type { FastifyReply, FastifyRequest } from 'fastify'
import { KNOWN_BROWSER_SECONDS } from '#contract/limits.ts'
import { clientGone } from '../http/connections.ts'
import { type CookieSite, cookieName, makeCookie } from '../http/viewer.ts'
import type { Caller } from './caller.ts'
import { makeSessionNames, type StartedSession } from './find-viewer.ts'

/** A server that signs people in names their browser. */
function userAgentOf({ viewer, headers }: FastifyRequest): string {
  const forwarded = viewer.role === 'key' ? headers['x-forwarded-user-agent'] : undefined
  return String(forwarded || (headers['user-agent'] ?? ''))
}

export type SessionCookies = ReturnType<typeof makeSessionCookies>

/**
 * @param site when it is cross-site, the token also goes into the answer, for browsers that drop
 *   the cookie
 */
export function makeSessionCookies(projectId: string, site: CookieSite) {
  const names = makeSessionNames(projectId, site)
  const session = makeCookie(names.cookie, site)
  const browser = makeCookie(cookieName(`a_browser_${projectId.toLowerCase()}`, site), site)

  return {
    /** @param reply of calls that wait for heavy work: it is dropped when the caller has gone */
    callerOf: (request: FastifyRequest, reply?: FastifyReply): Caller => ({
      requestId: request.id,
      address: request.ip,
      isKey: request.viewer.role === 'key',
      userAgent: userAgentOf(request),
      browserMark: browser.find(request),
      signal: reply && clientGone(reply),
    }),
    /** @param mark undefined when the browser carries a good one */
    setBrowserMark(reply: FastifyReply, mark: string | undefined): void {
      if (mark) browser.set(reply, mark, { maxAgeSeconds: KNOWN_BROWSER_SECONDS })
    },
    set(reply: FastifyReply, { session: { expiresAt }, token }: StartedSession): void {
      session.set(reply, token, { expiresAt })
      reply.newSessionToken = token
      if (site.isCrossSite)
        reply.header('x-fallback-cookies', JSON.stringify({ [names.fallback[0]]: token }))
    },
    clear(reply: FastifyReply): void {
      session.clear(reply)
      if (site.isCrossSite) reply.header('x-fallback-cookies', '[]')
    },
  }
}
