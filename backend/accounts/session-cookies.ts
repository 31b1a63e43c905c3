// Puts a session into an answer and takes it out again: the cookie, and X-Fallback-Cookies where
// pages live on another site. Also reads who calls, with the mark of a known browser. Knows no rule
// of who may sign in (api.md §1.7).

import type { FastifyReply, FastifyRequest } from 'fastify'
import { KNOWN_BROWSER_SECONDS } from '#contract/limits.ts'
import type { SessionRow } from '../database/schema.ts'
import type { Caller } from './needs.ts'
import { readCookie, type TokenNames } from './session-tokens.ts'

export type SessionCookies = {
  /** Hands a fresh session to the browser. */
  set(reply: FastifyReply, started: { session: Pick<SessionRow, 'expiresAt'>; token: string }): void
  /** Takes the session away, under whatever name it came. */
  clear(request: FastifyRequest, reply: FastifyReply): void
  callerOf(request: FastifyRequest): Caller
  /** @param mark undefined when the browser carries a good one */
  setBrowserMark(reply: FastifyReply, mark: string | undefined): void
}

type CookiesNeeds = {
  tokenNames: TokenNames
  isHttps: boolean
  /**
   * Pages of another site sign in: the cookie travels there too, and the token goes into the answer
   * for browsers that drop it.
   */
  isCrossSite: boolean
}

/** What all cookies of accounts have in common. */
function cookieOptions({ isHttps, isCrossSite }: Pick<CookiesNeeds, 'isHttps' | 'isCrossSite'>) {
  return {
    path: '/',
    httpOnly: true,
    sameSite: isCrossSite ? 'none' : 'lax',
    secure: isHttps || isCrossSite,
    encode: (value: string) => value,
  } as const
}

export function makeSessionCookies(needs: CookiesNeeds): SessionCookies {
  const { tokenNames, isCrossSite } = needs
  const cookie = cookieOptions(needs)
  // Follows the session cookie's name, so that it too is bound to this host on https.
  const browserCookie = tokenNames.cookie.replace('a_session_', 'a_browser_')

  return {
    callerOf: (request) => ({
      requestId: request.id,
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
      browserMark: readCookie(request.headers.cookie, browserCookie),
    }),
    setBrowserMark(reply, mark) {
      if (mark) reply.setCookie(browserCookie, mark, { ...cookie, maxAge: KNOWN_BROWSER_SECONDS })
    },
    set(reply, { session, token }) {
      reply.setCookie(tokenNames.cookie, token, { ...cookie, expires: new Date(session.expiresAt) })
      if (isCrossSite)
        reply.header('x-fallback-cookies', JSON.stringify({ [tokenNames.fallback[0]]: token }))
    },
    clear(request, reply) {
      for (const name of tokenNames.cookies) {
        if (name === tokenNames.cookie || name in request.cookies) reply.clearCookie(name, cookie)
      }
      if (isCrossSite) reply.header('x-fallback-cookies', '[]')
    },
  }
}
