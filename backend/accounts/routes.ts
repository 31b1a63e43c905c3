// HTTP routes for accounts (api.md §2.2, §6.2, §10.5, §15.5): reads requests, calls the rules, sets
// and clears cookies.

import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import * as accounts from '#contract/accounts.ts'
import { RATE } from '#contract/limits.ts'
import { call, listOf, NO_BODY, OBJECT, QUERIES_PARAMETER } from '../http/openapi.ts'
import {
  countPerAddress,
  countPerUser,
  limited,
  limitedAccount,
  rateLimitHeaders,
} from '../http/rate-limits.ts'
import { addReadRoute } from '../http/read-calls.ts'
import { findQueryList, readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { readUser } from '../http/viewer.ts'
import {
  changeEmail,
  changePassword,
  profileChangeLimit,
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
  refuseSessionOpenedByOperator,
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
const CHANGING_NAME = limitedAccount(({ viewer }) => [profileChangeLimit(readUser(viewer).userId)])
const REMOVING = limitedAccount(countPerUser('removal of an identity', RATE.identityDeletePerUser))
const READING_USERS = { config: { scope: 'users.read', isForOperators: true } } as const
const WRITING_USERS = { config: { scope: 'users.write', isForOperators: true } } as const
const READING_INVITATION = limited(countPerAddress('invitation', RATE.invitationPerAddress))

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
  const signingUp = call(SIGNING_UP, 'Signs up; no session begins', {
    body: accounts.NewAccount,
    201: accounts.Account,
    refusals: [
      'user_already_exists',
      'user_count_exceeded',
      'user_invalid_token',
      'password_personal_data',
    ],
  })
  api.post('/account', signingUp, async (request, reply) => {
    const params = readParams(accounts.NewAccount, request.body)
    return reply.code(201).send(await signUp(context, params, callerOf(request, reply)))
  })
  const ownAccount = call(SIGNED_IN, 'The account of the caller', { 200: accounts.Account })
  addReadRoute(api, '/account', ownAccount, async ({ viewer }) =>
    readAccount(context, readUser(viewer)),
  )
  const ownPrefs = call(SIGNED_IN, 'The prefs of the caller', { 200: OBJECT })
  api.get(
    '/account/prefs',
    ownPrefs,
    async ({ viewer }) => (await readAccount(context, readUser(viewer))).prefs,
  )
  const ownSignIns = call(SIGNED_IN, 'Sign-ins of the caller, newest first', {
    querystring: QUERIES_PARAMETER,
    200: listOf('logs', accounts.SignInLog),
  })
  api.get('/account/logs', ownSignIns, async ({ viewer, query }) =>
    listSignIns(context, readUser(viewer).userId, findQueryList(query, 'queries')),
  )
  const oneUser = call({}, 'A user; all fields for the key and operators', {
    200: accounts.PublicUser,
  })
  api.get<ById>('/users/:userId', oneUser, async ({ viewer, params }) =>
    readProfile(context, viewer, params.userId),
  )
  const ownIdentities = call(SIGNED_IN, 'Linked identities, oldest first', {
    querystring: QUERIES_PARAMETER,
    200: listOf('identities', accounts.Identity),
  })
  addReadRoute(api, '/account/identities', ownIdentities, async ({ viewer, query }) =>
    listIdentityModels(context, readUser(viewer), findQueryList(query, 'queries')),
  )
  const removingIdentity = call(REMOVING, 'Removes an identity and its sessions', {
    204: NO_BODY,
    refusals: ['user_password_reset_required'],
  })
  api.delete<ById>('/account/identities/:identityId', removingIdentity, async (request, reply) => {
    const viewer = readUser(request.viewer)
    await removeOwnIdentity(context, viewer, request.params.identityId, callerOf(request))
    return reply.code(204).send()
  })
}

function addSessionRoutes(api: FastifyInstance, context: AccountsContext): void {
  const { cookies } = context
  const signIn = makeSignIn(context)
  const signingIn = call({}, 'Signs in', {
    body: accounts.NewEmailSession,
    201: accounts.Session,
    refusals: ['user_invalid_credentials', 'user_blocked'],
  })
  for (const path of ['/account/sessions/email', '/account/sessions'])
    api.post(path, signingIn, async (request, reply) => {
      const params = readParams(accounts.NewEmailSession, request.body)
      const signedIn = await signIn(params, cookies.callerOf(request, reply))
      cookies.set(reply, signedIn)
      if (signedIn.rateLimitStatus) reply.headers(rateLimitHeaders(signedIn.rateLimitStatus))
      return reply.code(201).send(toSession(signedIn.session, signedIn.session.id))
    })
  const ownSessions = call(SIGNED_IN, 'Sessions of the caller', {
    200: listOf('sessions', accounts.Session),
  })
  addReadRoute(api, '/account/sessions', ownSessions, async ({ viewer }) => {
    const { userId, sessionId } = readUser(viewer)
    return listSessions(context, userId, sessionId)
  })
  const ownSession = call(SIGNED_IN, 'A session of the caller', { 200: accounts.Session })
  api.get<ById>('/account/sessions/:sessionId', ownSession, async ({ viewer, params }) =>
    readOwnSession(context, readUser(viewer), params.sessionId),
  )
  const endingSession = call(SIGNING_OUT, 'Ends a session of the caller', { 204: NO_BODY })
  api.delete<ById>('/account/sessions/:sessionId', endingSession, async (request, reply) => {
    const viewer = readUser(request.viewer)
    const caller = cookies.callerOf(request)
    const ended = await endOwnSession(context, viewer, request.params.sessionId, caller)
    if (ended.wasCurrent) cookies.clear(reply)
    return reply.code(204).send()
  })
  const endingSessions = call(SIGNING_OUT, 'Ends all sessions of the caller', { 204: NO_BODY })
  api.delete('/account/sessions', endingSessions, async (request, reply) => {
    const { userId } = readUser(request.viewer)
    await endAllSessions(context.db, userId)
    logEvent(context.log, 'sign-out', userId, cookies.callerOf(request))
    cookies.clear(reply)
    return reply.code(204).send()
  })
  // In a scope of its own, because no other call accepts a form.
  const addForm: FastifyPluginAsync = async (scope) => addSignOutForm(scope, context)
  void api.register(addForm)
}

const FORM_TYPE = 'application/x-www-form-urlencoded'
const SIGNING_OUT_BY_FORM = {
  config: {
    counts: countPerAddress('sign-out', RATE.sessionDeletePerAddress),
    // A plain form cannot name a project.
    isProjectless: true,
  },
}

/** Sign-out by a form, for browsers without scripts. */
function addSignOutForm(api: FastifyInstance, context: AccountsContext): void {
  const { cookies } = context
  api.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, async () => ({}))
  const signingOut = call(SIGNING_OUT_BY_FORM, 'Ends all sessions of the caller; for a form', {
    303: NO_BODY,
  })
  api.post('/account/sign-out', signingOut, async (request, reply) => {
    const { viewer } = request
    if (viewer.role === 'user') {
      await endAllSessions(context.db, viewer.userId)
      logEvent(context.log, 'sign-out', viewer.userId, cookies.callerOf(request))
    }
    cookies.clear(reply)
    return reply.redirect('/', 303)
  })
}

function addChangeRoutes(api: FastifyInstance, context: AccountsContext): void {
  const { cookies } = context
  const withPrefs = { ...CHANGING_SETTINGS, bodyLimit: PREFS_BODY_MAX_BYTES }
  const userIdOf = ({ viewer }: FastifyRequest) => readUser(viewer).userId
  const changingPrefs = call(withPrefs, 'Replaces all prefs', {
    body: accounts.UpdatedPrefs,
    200: accounts.Account,
  })
  api.patch('/account/prefs', changingPrefs, async (request) =>
    toAccount(
      await setOwnPrefs(
        context,
        userIdOf(request),
        readParams(accounts.UpdatedPrefs, request.body).prefs,
      ),
    ),
  )
  const changingName = call(CHANGING_NAME, 'Changes the name', {
    body: accounts.UpdatedName,
    200: accounts.Account,
  })
  api.patch('/account/name', changingName, async (request) =>
    toAccount(
      await setName(
        context,
        userIdOf(request),
        readParams(accounts.UpdatedName, request.body).name,
      ),
    ),
  )
  const changingEmail = call(CHANGING_EMAIL, 'Changes the email address', {
    body: accounts.UpdatedEmail,
    200: accounts.Account,
    refusals: [
      'password_personal_data',
      'user_email_already_exists',
      'user_invalid_credentials',
      'user_unauthorized',
    ],
  })
  api.patch('/account/email', changingEmail, async (request, reply) => {
    const params = readParams(accounts.UpdatedEmail, request.body)
    return changeEmail(context, readUser(request.viewer), params, cookies.callerOf(request, reply))
  })
  const changingPassword = call(CHANGING_PASSWORD, 'Changes the password', {
    body: accounts.UpdatedPassword,
    200: accounts.Account,
    refusals: ['password_personal_data', 'user_invalid_credentials', 'user_unauthorized'],
  })
  api.patch('/account/password', changingPassword, async (request, reply) => {
    const viewer = readUser(request.viewer)
    const params = readParams(accounts.UpdatedPassword, request.body)
    const caller = cookies.callerOf(request, reply)
    const { account, rotatedSession } = await changePassword(context, viewer, params, caller)
    if (rotatedSession) cookies.set(reply, rotatedSession)
    return account
  })
  const blockingOwn = call(CHANGING_SETTINGS, 'Blocks the account of the caller', {
    200: accounts.Account,
  })
  api.patch('/account/status', blockingOwn, async (request, reply) => {
    const viewer = readUser(request.viewer)
    refuseSessionOpenedByOperator(viewer)
    const { userId } = viewer
    const user = await setBlocked(context, userId, true)
    logEvent(context.log, 'account blocked', userId, cookies.callerOf(request))
    cookies.clear(reply)
    return toAccount(user)
  })
}

function addInvitationRoutes(api: FastifyInstance, context: AccountsContext): void {
  const inviting = call(WRITING_USERS, 'Invites an address', {
    body: accounts.NewInvitation,
    201: accounts.Invitation,
    refusals: ['user_already_exists'],
  })
  api.post('/invitations', inviting, async ({ viewer, body }, reply) =>
    reply.code(201).send(await invite(context, viewer, readParams(accounts.NewInvitation, body))),
  )
  const listingInvitations = call(READING_USERS, 'Valid invitations', {
    200: listOf('invitations', accounts.Invitation),
  })
  api.get('/invitations', listingInvitations, async () => listInvitations(context))
  const revoking = call(WRITING_USERS, 'Revokes an invitation', { 204: NO_BODY })
  api.delete<ById>('/invitations/:id', revoking, async ({ viewer, params }, reply) =>
    reply.code(204).send(await revokeInvitation(context, viewer, params.id)),
  )
  // A POST, so that the secret is in no URL; the call changes nothing.
  const readingInvitation = call(READING_INVITATION, 'Who is invited', {
    body: accounts.InvitationProof,
    200: accounts.OwnInvitation,
    refusals: ['user_invalid_token'],
  })
  api.post('/account/invitation', readingInvitation, async ({ body }) =>
    readInvitation(context, readParams(accounts.InvitationProof, body)),
  )
}
