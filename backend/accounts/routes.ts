// HTTP of accounts (api.md §2.2, §6.2, §10.5, §15.5): reads the call, hands it to the rules, sets
// and clears cookies.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as accounts from '#contract/accounts.ts'
import { RATE } from '#contract/limits.ts'
import {
  countPerAddress,
  countPerUser,
  limited,
  limitedAccount,
  rateLimitHeaders,
} from '../http/rate-limits.ts'
import { findQueryList, readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { readUser } from '../http/viewer.ts'
import {
  changeEmail,
  changePassword,
  profileCount,
  setBlocked,
  setName,
  setOwnPrefs,
} from './account-updates.ts'
import type { AccountsContext } from './context.ts'
import { listIdentityModels, removeOwnIdentity } from './identities.ts'
import { invite, listInvitations, readInvitation, revokeInvitation } from './invitations.ts'
import { toAccount, toSession } from './serialisers.ts'
import { logEvent } from './session-cookies.ts'
import {
  endAllSessions,
  endOwnSession,
  listSessions,
  listSignIns,
  readOwnSession,
  refuseOperatorsLink,
} from './sessions.ts'
import { makeSignIn, signUp } from './sign-in.ts'
import { PREFS_BODY_MAX_BYTES, readAccount, readProfile } from './users.ts'

type ById = { Params: { id: string; userId: string; sessionId: string; identityId: string } }

const SIGNED_IN = { config: { scope: 'account' } } as const
const SIGNING_UP = limited(countPerAddress('sign-up', RATE.signUpPerAddress))
const SIGNING_OUT = limitedAccount(countPerAddress('sign-out', RATE.sessionDeletePerAddress))
const CHANGING_EMAIL = limitedAccount(countPerUser('change of e-mail', RATE.emailChangePerUser))
const CHANGING_PASSWORD = limitedAccount(
  countPerUser('change of password', RATE.passwordChangePerUser),
)
const CHANGING_SETTINGS = limitedAccount(
  countPerUser('change of settings', RATE.settingsChangePerUser),
)
const CHANGING_NAME = limitedAccount(({ viewer }) => [profileCount(readUser(viewer).userId)])
const REMOVING = limitedAccount(countPerUser('removal of an identity', RATE.identityDeletePerUser))
const READING_USERS = { config: { scope: 'users.read', isForOperators: true } } as const
const WRITING_USERS = { config: { scope: 'users.write', isForOperators: true } } as const
const ASKING = limited(countPerAddress('invitation', RATE.invitationPerAddress))

export function accountRoutes(context: AccountsContext): Routes {
  return (api) => {
    addAccountRoutes(api, context)
    addSessionRoutes(api, context)
    addChangeRoutes(api, context)
    addInvitationRoutes(api, context)
  }
}

function addAccountRoutes(api: FastifyInstance, context: AccountsContext): void {
  const { callerOf } = context.cookies
  api.post('/account', SIGNING_UP, async (request, reply) => {
    const sent = readParams(accounts.NewAccount, request.body)
    return reply.code(201).send(await signUp(context, sent, callerOf(request, reply)))
  })
  api.get('/account', SIGNED_IN, async ({ viewer }) => readAccount(context, readUser(viewer)))
  api.get(
    '/account/prefs',
    SIGNED_IN,
    async ({ viewer }) => (await readAccount(context, readUser(viewer))).prefs,
  )
  api.get('/account/logs', SIGNED_IN, async ({ viewer, query }) =>
    listSignIns(context, readUser(viewer).userId, findQueryList(query, 'queries')),
  )
  api.get<ById>('/users/:userId', async ({ viewer, params }) =>
    readProfile(context, viewer, params.userId),
  )
  api.get('/account/identities', SIGNED_IN, async ({ viewer, query }) =>
    listIdentityModels(context, readUser(viewer), findQueryList(query, 'queries')),
  )
  api.delete<ById>('/account/identities/:identityId', REMOVING, async (request, reply) => {
    const viewer = readUser(request.viewer)
    await removeOwnIdentity(context, viewer, request.params.identityId, callerOf(request))
    return reply.code(204).send()
  })
}

function addSessionRoutes(api: FastifyInstance, context: AccountsContext): void {
  const { cookies } = context
  const signIn = makeSignIn(context)
  for (const path of ['/account/sessions/email', '/account/sessions'])
    api.post(path, async (request, reply) => {
      const sent = readParams(accounts.NewEmailSession, request.body)
      const signedIn = await signIn(sent, cookies.callerOf(request, reply))
      cookies.set(reply, signedIn)
      if (signedIn.rateLimitStatus) reply.headers(rateLimitHeaders(signedIn.rateLimitStatus))
      return reply.code(201).send(toSession(signedIn.session, signedIn.session.id))
    })
  api.get('/account/sessions', SIGNED_IN, async ({ viewer }) => {
    const { userId, sessionId } = readUser(viewer)
    return listSessions(context, userId, sessionId)
  })
  api.get<ById>('/account/sessions/:sessionId', SIGNED_IN, async ({ viewer, params }) =>
    readOwnSession(context, readUser(viewer), params.sessionId),
  )
  api.delete<ById>('/account/sessions/:sessionId', SIGNING_OUT, async (request, reply) => {
    const viewer = readUser(request.viewer)
    const caller = cookies.callerOf(request)
    const ended = await endOwnSession(context, viewer, request.params.sessionId, caller)
    if (ended.wasCurrent) cookies.clear(reply)
    return reply.code(204).send()
  })
  api.delete('/account/sessions', SIGNING_OUT, async (request, reply) => {
    const { userId } = readUser(request.viewer)
    await endAllSessions(context.db, userId)
    logEvent(context.log, 'sign-out', userId, cookies.callerOf(request))
    cookies.clear(reply)
    return reply.code(204).send()
  })
}

function addChangeRoutes(api: FastifyInstance, context: AccountsContext): void {
  const { cookies } = context
  const withPrefs = { ...CHANGING_SETTINGS, bodyLimit: PREFS_BODY_MAX_BYTES }
  const idOf = ({ viewer }: FastifyRequest) => readUser(viewer).userId
  api.patch('/account/prefs', withPrefs, async (request) =>
    toAccount(
      await setOwnPrefs(
        context,
        idOf(request),
        readParams(accounts.UpdatedPrefs, request.body).prefs,
      ),
    ),
  )
  api.patch('/account/name', CHANGING_NAME, async (request) =>
    toAccount(
      await setName(context, idOf(request), readParams(accounts.UpdatedName, request.body).name),
    ),
  )
  api.patch('/account/email', CHANGING_EMAIL, async (request, reply) => {
    const sent = readParams(accounts.UpdatedEmail, request.body)
    return changeEmail(context, readUser(request.viewer), sent, cookies.callerOf(request, reply))
  })
  api.patch('/account/password', CHANGING_PASSWORD, async (request, reply) => {
    const viewer = readUser(request.viewer)
    const sent = readParams(accounts.UpdatedPassword, request.body)
    const caller = cookies.callerOf(request, reply)
    const { account, renewed } = await changePassword(context, viewer, sent, caller)
    if (renewed) cookies.set(reply, renewed)
    return account
  })
  api.patch('/account/status', CHANGING_SETTINGS, async (request, reply) => {
    const viewer = readUser(request.viewer)
    refuseOperatorsLink(viewer)
    const { userId } = viewer
    const blocked = await setBlocked(context, userId, true)
    logEvent(context.log, 'account blocked', userId, cookies.callerOf(request))
    cookies.clear(reply)
    return toAccount(blocked)
  })
}

function addInvitationRoutes(api: FastifyInstance, context: AccountsContext): void {
  api.post('/invitations', WRITING_USERS, async ({ viewer, body }, reply) =>
    reply.code(201).send(await invite(context, viewer, readParams(accounts.NewInvitation, body))),
  )
  api.get('/invitations', READING_USERS, async () => listInvitations(context))
  api.delete<ById>('/invitations/:id', WRITING_USERS, async ({ viewer, params }, reply) =>
    reply.code(204).send(await revokeInvitation(context, viewer, params.id)),
  )
  // A POST, so that the secret is in no address; it changes nothing.
  api.post('/account/invitation', ASKING, async ({ body }) =>
    readInvitation(context, readParams(accounts.InvitationProof, body)),
  )
}
