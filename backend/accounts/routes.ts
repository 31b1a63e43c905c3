// HTTP of accounts (api.md §2.2, §10.5): reads the call, hands it to the rules, sets and clears
// cookies.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { NewAccount, NewEmailSession, UpdatedPrefs } from '#contract/accounts.ts'
import { RATE } from '#contract/limits.ts'
import { countPerAddress } from '../http/addresses.ts'
import { readParams } from '../http/params.ts'
import { rateLimitHeaders } from '../http/rate-limits.ts'
import type { Routes } from '../http/server.ts'
import { readUser } from '../http/viewer.ts'
import type { Accounts } from './accounts.ts'
import { makeSessionCookies } from './session-cookies.ts'
import { toSession } from './shapes.ts'

const SIGNED_IN = { scope: 'account' } as const
const SIGNING_UP = { counts: countPerAddress('sign-up', RATE.signUpPerAddress) }
const SIGNING_OUT = {
  ...SIGNED_IN,
  counts: countPerAddress('sign-out', RATE.sessionDeletePerAddress),
}

type SessionParams = { Params: { sessionId: string } }

export function accountRoutes(accounts: Accounts): Routes {
  const cookies = makeSessionCookies(accounts)
  const { callerOf } = cookies

  async function signIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { session, token, browserMark, rateLimitStatus } = await accounts.signIn(
      readParams(NewEmailSession, request.body),
      callerOf(request),
    )
    cookies.set(reply, { session, token })
    cookies.setBrowserMark(reply, browserMark)
    if (rateLimitStatus) reply.headers(rateLimitHeaders(rateLimitStatus))
    return reply.code(201).send(toSession(session, { isCurrent: true }))
  }

  return (api) => {
    api.post('/account', { config: SIGNING_UP }, async (request, reply) =>
      reply
        .code(201)
        .send(await accounts.signUp(readParams(NewAccount, request.body), callerOf(request))),
    )
    api.get('/account', { config: SIGNED_IN }, async (request) =>
      accounts.readAccount(readUser(request.viewer)),
    )

    for (const path of ['/account/sessions/email', '/account/sessions']) api.post(path, signIn)
    api.get('/account/sessions', { config: SIGNED_IN }, async (request) => {
      const sessions = await accounts.listSessions(readUser(request.viewer))
      return { total: sessions.length, sessions }
    })
    api.get<SessionParams>('/account/sessions/:sessionId', { config: SIGNED_IN }, async (request) =>
      accounts.readSession(readUser(request.viewer), request.params.sessionId),
    )
    api.delete<SessionParams>(
      '/account/sessions/:sessionId',
      { config: SIGNING_OUT },
      async (request, reply) => {
        const { wasCurrent } = await accounts.endSession(
          readUser(request.viewer),
          request.params.sessionId,
          callerOf(request),
        )
        if (wasCurrent) cookies.clear(request, reply)
        return reply.code(204).send()
      },
    )
    api.delete('/account/sessions', { config: SIGNING_OUT }, async (request, reply) => {
      await accounts.endSessions(readUser(request.viewer), callerOf(request))
      cookies.clear(request, reply)
      return reply.code(204).send()
    })

    api.get(
      '/account/prefs',
      { config: SIGNED_IN },
      async (request) => (await accounts.readAccount(readUser(request.viewer))).prefs,
    )
    api.patch('/account/prefs', { config: SIGNED_IN }, async (request) => {
      const viewer = readUser(request.viewer)
      return accounts.setPrefs(viewer, readParams(UpdatedPrefs, request.body).prefs)
    })

    api.get<{ Params: { userId: string } }>('/users/:userId', async (request) =>
      accounts.readPerson(request.viewer, request.params.userId),
    )
  }
}
