// HTTP of accounts (api.md §2.2, §6.2, §10.5, §15.5): reads the call, hands it to the rules, sets
// and clears cookies.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  InvitationProof,
  NewAccount,
  NewEmailSession,
  NewInvitation,
  NewJwt,
  UpdatedEmail,
  UpdatedName,
  UpdatedPassword,
  UpdatedPrefs,
} from '#contract/accounts.ts'
import { RATE } from '#contract/limits.ts'
import type { DirectRead } from '../http/direct-reads.ts'
import { countPerAddress, countPerUser, rateLimitHeaders } from '../http/rate-limits.ts'
import { findQueryList, readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { readUser } from '../http/viewer.ts'
import {
  endOwnSession,
  endOwnSessions,
  listOwnSessions,
  listSignIns,
  makeOwnJwt,
  type ReadSessionNeeds,
  readAccount,
  readOwnSession,
  readProfile,
  setPrefs,
} from './accounts.ts'
import {
  blockSelf,
  type ChangesNeeds,
  changeEmail,
  changePassword,
  type ReplacePrefsNeeds,
  rename,
} from './change-user.ts'
import { listIdentityModels, removeOwnIdentity } from './identities.ts'
import {
  type InvitationNeeds,
  invite,
  listInvitations,
  readInvitation,
  revokeInvitation,
} from './invitations.ts'
import type { Jwts } from './jwt.ts'
import { PREFS_BODY_MAX_BYTES } from './personal-details.ts'
import type { SessionCookies } from './session-cookies.ts'
import { toSession } from './shapes.ts'
import { makeSignIn, type SignInNeeds, type SignUpNeeds, signUp } from './sign-in.ts'

const SIGNED_IN = { scope: 'account' } as const
const SIGNING_UP = { counts: countPerAddress('sign-up', RATE.signUpPerAddress) }
const SIGNING_OUT = {
  scope: 'account',
  counts: countPerAddress('sign-out', RATE.sessionDeletePerAddress),
} as const
const MAKING_JWT = {
  scope: 'account',
  counts: countPerUser('JWT', RATE.jwtPerUser),
} as const

type AccountRoutesNeeds = SignUpNeeds &
  SignInNeeds &
  ReadSessionNeeds &
  ReplacePrefsNeeds &
  ChangesNeeds &
  InvitationNeeds & { cookies: SessionCookies; jwts: Jwts }
type SessionParams = { Params: { sessionId: string } }

export function accountRoutes(needs: AccountRoutesNeeds): Routes {
  return (api) => {
    addAccountRoutes(api, needs)
    addSignInRoutes(api, needs)
    addSessionRoutes(api, needs)
    addChangeRoutes(api, needs)
    addIdentityRoutes(api, needs)
    addInvitationRoutes(api, needs)
  }
}

function addAccountRoutes(api: FastifyInstance, needs: AccountRoutesNeeds): void {
  api.post('/account', { config: SIGNING_UP }, async (request, reply) => {
    const sent = readParams(NewAccount, request.body)
    return reply.code(201).send(await signUp(needs, sent, needs.cookies.callerOf(request, reply)))
  })
  const read: DirectRead = ({ viewer }) => readAccount(needs, readUser(viewer))
  api.get('/account', { config: { ...SIGNED_IN, direct: read } }, async (request) => read(request))
  api.get('/account/prefs', { config: SIGNED_IN }, async ({ viewer }) => {
    const { prefs } = await readAccount(needs, readUser(viewer))
    return prefs
  })
  api.patch(
    '/account/prefs',
    { config: SIGNED_IN, bodyLimit: PREFS_BODY_MAX_BYTES },
    async ({ viewer, body }) =>
      setPrefs(needs, readUser(viewer), readParams(UpdatedPrefs, body).prefs),
  )
  api.get('/account/logs', { config: SIGNED_IN }, async ({ viewer, query }) =>
    listSignIns(needs, readUser(viewer).userId, findQueryList(query, 'queries')),
  )
  api.get<{ Params: { userId: string } }>('/users/:userId', async ({ viewer, params }) =>
    readProfile(needs, viewer, params.userId),
  )
}

function addSignInRoutes(api: FastifyInstance, needs: AccountRoutesNeeds): void {
  const { cookies } = needs
  const signIn = makeSignIn(needs)

  async function answerSignIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const sent = readParams(NewEmailSession, request.body)
    const signedIn = await signIn(sent, cookies.callerOf(request, reply))
    cookies.set(reply, signedIn)
    cookies.setBrowserMark(reply, signedIn.browserMark)
    if (signedIn.rateLimitStatus) reply.headers(rateLimitHeaders(signedIn.rateLimitStatus))
    return reply.code(201).send(toSession(signedIn.session, { isCurrent: true }))
  }

  for (const path of ['/account/sessions/email', '/account/sessions']) api.post(path, answerSignIn)
}

function addSessionRoutes(api: FastifyInstance, needs: AccountRoutesNeeds): void {
  const { cookies } = needs
  api.get('/account/sessions', { config: SIGNED_IN }, async ({ viewer }) => {
    const sessions = await listOwnSessions(needs, readUser(viewer))
    return { total: sessions.length, sessions }
  })
  api.get<SessionParams>(
    '/account/sessions/:sessionId',
    { config: SIGNED_IN },
    async ({ viewer, params }) => readOwnSession(needs, readUser(viewer), params.sessionId),
  )
  for (const path of ['/account/jwt', '/account/jwts']) {
    api.post(path, { config: MAKING_JWT }, async ({ viewer, body }, reply) => {
      const { duration } = readParams(NewJwt, body)
      return reply.code(201).send({ jwt: await makeOwnJwt(needs, readUser(viewer), duration) })
    })
  }
  api.delete<SessionParams>(
    '/account/sessions/:sessionId',
    { config: SIGNING_OUT },
    async (request, reply) => {
      const { viewer, params } = request
      const caller = cookies.callerOf(request)
      const ended = await endOwnSession(needs, readUser(viewer), params.sessionId, caller)
      if (ended.wasCurrent) cookies.clear(reply)
      return reply.code(204).send()
    },
  )
  api.delete('/account/sessions', { config: SIGNING_OUT }, async (request, reply) => {
    await endOwnSessions(needs, readUser(request.viewer), cookies.callerOf(request))
    cookies.clear(reply)
    return reply.code(204).send()
  })
}

const CHANGING_EMAIL = {
  scope: 'account',
  counts: countPerUser('change of e-mail', RATE.emailChangePerUser),
} as const
const CHANGING_PASSWORD = {
  scope: 'account',
  counts: countPerUser('change of password', RATE.passwordChangePerUser),
} as const

function addChangeRoutes(api: FastifyInstance, needs: AccountRoutesNeeds): void {
  const { cookies } = needs
  api.patch('/account/name', { config: SIGNED_IN }, async ({ viewer, body }) =>
    rename(needs, readUser(viewer), readParams(UpdatedName, body).name),
  )
  api.patch('/account/email', { config: CHANGING_EMAIL }, async (request, reply) => {
    const sent = readParams(UpdatedEmail, request.body)
    return changeEmail(needs, readUser(request.viewer), sent, cookies.callerOf(request, reply))
  })
  api.patch('/account/password', { config: CHANGING_PASSWORD }, async (request, reply) => {
    const viewer = readUser(request.viewer)
    const sent = readParams(UpdatedPassword, request.body)
    const caller = cookies.callerOf(request, reply)
    const { account, renewed } = await changePassword(needs, viewer, sent, caller)
    if (renewed) cookies.set(reply, renewed)
    return account
  })
  api.patch('/account/status', { config: SIGNED_IN }, async (request, reply) => {
    const account = await blockSelf(needs, readUser(request.viewer), cookies.callerOf(request))
    cookies.clear(reply)
    return account
  })
}

const REMOVING = {
  scope: 'account',
  counts: countPerUser('removal of an identity', RATE.identityDeletePerUser),
} as const

function addIdentityRoutes(api: FastifyInstance, needs: AccountRoutesNeeds): void {
  api.get('/account/identities', { config: SIGNED_IN }, async ({ viewer, query }) =>
    listIdentityModels(needs, readUser(viewer), findQueryList(query, 'queries')),
  )
  api.delete<{ Params: { identityId: string } }>(
    '/account/identities/:identityId',
    { config: REMOVING },
    async (request, reply) => {
      const viewer = readUser(request.viewer)
      const caller = needs.cookies.callerOf(request)
      await removeOwnIdentity(needs, viewer, request.params.identityId, caller)
      return reply.code(204).send()
    },
  )
}

const READING = { config: { scope: 'users.read' } } as const
const WRITING = { config: { scope: 'users.write' } } as const
const ASKING = { counts: countPerAddress('invitation', RATE.invitationPerAddress) }

function addInvitationRoutes(api: FastifyInstance, needs: AccountRoutesNeeds): void {
  api.post('/invitations', WRITING, async ({ body }, reply) =>
    reply.code(201).send(await invite(needs, readParams(NewInvitation, body))),
  )
  api.get('/invitations', READING, async () => listInvitations(needs))
  api.delete<{ Params: { id: string } }>('/invitations/:id', WRITING, async (request, reply) => {
    await revokeInvitation(needs, request.params.id)
    return reply.code(204).send()
  })
  // A POST, so that the secret is in no address; it changes nothing.
  api.post('/account/invitation', { config: ASKING }, async ({ body }) =>
    readInvitation(needs, readParams(InvitationProof, body)),
  )
}
