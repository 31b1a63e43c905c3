// HTTP routes for the calls about users (api.md §6), which the API key and in part operators may
// make, for the setup, and for the blog's values. Reading one user is in accounts/routes.ts,
// deleting one in own-data/routes.ts.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject } from 'typebox'
import * as accounts from '#contract/accounts.ts'
import { Refusal, type RefusalType } from '#contract/errors.ts'
import { SignInLink } from '#contract/operator.ts'
import { NewSetup, SiteChanges } from '#contract/setup.ts'
import type { SiteValues } from '#contract/site-settings.ts'
import {
  changeUser,
  setBlocked,
  setEmail,
  setLabels,
  setName,
  setPrefs,
} from '../accounts/account-updates.ts'
import type { AccountsContext } from '../accounts/context.ts'
import { listIdentityModels, removeIdentity } from '../accounts/identities.ts'
import { toSession, toUser, toUserFor } from '../accounts/serialisers.ts'
import { endAllSessions, endSession, listSessions, listSignIns } from '../accounts/sessions.ts'
import { makeSignIn } from '../accounts/sign-in.ts'
import { PREFS_BODY_MAX_BYTES, readUserRow } from '../accounts/users.ts'
import type { UserRow } from '../database/schema.ts'
import { call, listOf, NO_BODY, OBJECT, QUERIES_PARAMETER, SEARCH_QUERY } from '../http/openapi.ts'
import { addReadRoute } from '../http/read-calls.ts'
import { findQueryList, isRecord, readParams, readSearch } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { readSetup, setUp } from './setup.ts'
import { readSiteValues, setSiteValues } from './site-values.ts'
import * as users from './users.ts'

const READING = { config: { scope: 'users.read' } } as const
const WRITING = { config: { scope: 'users.write' } } as const
const OPERATORS_READ = { config: { scope: 'users.read', isForOperators: true } } as const
const OPERATORS_WRITE = { config: { scope: 'users.write', isForOperators: true } } as const

const FORM_TYPE = 'application/x-www-form-urlencoded'

async function readForm(_request: FastifyRequest, text: string | Buffer) {
  return Object.fromEntries(new URLSearchParams(String(text)))
}

type OfUser = {
  Params: { userId: string; sessionId: string; identityId: string; linkId: string }
}

export function operatorRoutes(context: AccountsContext): Routes {
  return (api) => {
    addUserRoutes(api, context)
    addChangeRoutes(api, context)
    addOperatorRoutes(api, context)
    addAccessRoutes(api, context)
    addIdentityRoutes(api, context)
    // In a scope of its own, because only this call accepts a form.
    api.register(async (scope) => {
      scope.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, readForm)
      addSetupRoutes(scope, context)
    })
    addSiteRoutes(api, context)
  }
}

function addUserRoutes(api: FastifyInstance, context: AccountsContext): void {
  const listingUsers = call(OPERATORS_READ, 'All people', {
    querystring: SEARCH_QUERY,
    200: listOf('users', accounts.User),
  })
  api.get('/users', listingUsers, async ({ viewer, query }) => {
    const { total } = isRecord(query) ? query : {}
    return users.listUsers(context, viewer, {
      queries: findQueryList(query, 'queries'),
      search: readSearch(query),
      hasTotal: total !== 'false' && total !== '0',
    })
  })
  const creatingUser = call(WRITING, 'Creates an account', {
    body: accounts.NewUser,
    201: accounts.User,
    refusals: ['user_already_exists', 'password_personal_data'],
  })
  api.post('/users', creatingUser, async ({ body }, reply) =>
    reply.code(201).send(await users.createUser(context, readParams(accounts.NewUser, body))),
  )
  const readingPrefs = call(READING, 'The prefs of a user', { 200: OBJECT })
  api.get<OfUser>('/users/:userId/prefs', readingPrefs, async ({ params }) => {
    const { prefs } = toUser(await readUserRow(context.db, params.userId))
    return prefs
  })
  const readingSignIns = call(READING, 'Sign-ins of a user, newest first', {
    querystring: QUERIES_PARAMETER,
    200: listOf('logs', accounts.SignInLog),
  })
  api.get<OfUser>('/users/:userId/logs', readingSignIns, async ({ params, query }) =>
    listSignIns(context, params.userId, findQueryList(query, 'queries')),
  )
}

function addChangeRoutes(api: FastifyInstance, context: AccountsContext): void {
  /** Adds a call that changes a user and answers with the user. */
  const change = <Schema extends TObject>(
    name: string,
    schema: Schema,
    changeOf: (userId: string, params: Static<Schema>) => Promise<UserRow>,
    refusals: RefusalType[] = [],
  ) =>
    api.patch<OfUser>(
      `/users/:userId/${name}`,
      call(WRITING, `Sets the ${name}`, { body: schema, 200: accounts.User, refusals }),
      async ({ params, body }) => toUser(await changeOf(params.userId, readParams(schema, body))),
    )
  change('name', accounts.UpdatedName, (id, { name }) => setName(context, id, name))
  change('email', accounts.SetEmail, (id, change) => setEmail(context, id, change), [
    'user_email_already_exists',
  ])
  change(
    'password',
    accounts.SetPassword,
    (id, { password }) => users.setPassword(context, id, password),
    ['password_personal_data'],
  )
  change('verification', accounts.SetVerification, (id, { emailVerification }) =>
    changeUser(context, id, async () => ({ isVerified: Number(emailVerification) })),
  )
  const withPrefs = { ...WRITING, bodyLimit: PREFS_BODY_MAX_BYTES }
  const changingPrefs = call(withPrefs, 'Replaces all prefs of a user', {
    body: accounts.UpdatedPrefs,
    200: OBJECT,
  })
  api.patch<OfUser>('/users/:userId/prefs', changingPrefs, async ({ params, body }) => {
    const user = await setPrefs(
      context,
      params.userId,
      readParams(accounts.UpdatedPrefs, body).prefs,
    )
    return toUser(user).prefs
  })
  const labelling = call(WRITING, 'Replaces the labels of a user', {
    body: accounts.SetLabels,
    200: accounts.User,
    refusals: ['user_last_operator'],
  })
  api.put<OfUser>('/users/:userId/labels', labelling, async ({ viewer, params, body }) => {
    const { userId } = params
    const { labels } = readParams(accounts.SetLabels, body)
    const user = await setLabels(context, userId, labels, viewer)
    users.logOperator(context, 'labels set by the operator', userId)
    return toUser(user)
  })
}

/** Calls that operators may also make. */
function addOperatorRoutes(api: FastifyInstance, context: AccountsContext): void {
  const blocking = call(OPERATORS_WRITE, 'Blocks or unblocks a user', {
    body: accounts.SetStatus,
    200: accounts.User,
    refusals: ['user_last_operator'],
  })
  api.patch<OfUser>('/users/:userId/status', blocking, async (request) => {
    const { viewer: actor, params, body } = request
    const { status, reason } = readParams(accounts.SetStatus, body)
    return toUserFor(actor, await setBlocked(context, params.userId, !status, { actor, reason }))
  })
  const settingRole = call(OPERATORS_WRITE, 'Sets the role of a user', {
    body: accounts.SetRole,
    200: accounts.User,
    refusals: ['user_last_operator'],
  })
  api.patch<OfUser>('/users/:userId/role', settingRole, async ({ viewer, params, body }) => {
    const user = await setLabels(context, params.userId, readParams(accounts.SetRole, body), viewer)
    return toUserFor(viewer, user)
  })
  const links = '/users/:userId/links'
  const makingLink = call(OPERATORS_WRITE, 'A link that signs in once', {
    201: SignInLink,
    refusals: ['user_blocked', 'user_unauthorized'],
  })
  api.post<OfUser>(links, makingLink, async ({ viewer, params }, reply) =>
    reply.code(201).send(await users.makeSignInLink(context, viewer, params.userId)),
  )
  const withdrawing = call(OPERATORS_WRITE, 'Withdraws a sign-in link', { 204: NO_BODY })
  api.delete<OfUser>(`${links}/:linkId`, withdrawing, async ({ viewer, params }, reply) => {
    await users.withdrawSignInLink(context, viewer, params.userId, params.linkId)
    return reply.code(204).send()
  })
}

function addAccessRoutes(api: FastifyInstance, context: AccountsContext): void {
  const { db } = context
  const idIn = async ({ userId }: OfUser['Params']) => (await readUserRow(db, userId)).id
  const makingToken = call(WRITING, 'A secret that signs in', {
    body: accounts.NewSignInLink,
    201: accounts.Token,
    refusals: ['user_blocked', 'user_unauthorized'],
  })
  api.post<OfUser>(
    '/users/:userId/tokens',
    makingToken,
    async ({ viewer, params, body }, reply) => {
      const options = readParams(accounts.NewSignInLink, body)
      return reply
        .code(201)
        .send(await users.makeSignInToken(context, viewer, params.userId, options))
    },
  )
  const sessions = '/users/:userId/sessions'
  const listingSessions = call(READING, 'Sessions of a user', {
    200: listOf('sessions', accounts.Session),
  })
  api.get<OfUser>(sessions, listingSessions, async ({ params }) =>
    listSessions(context, await idIn(params)),
  )
  const beginningSession = call(WRITING, 'Begins a session of a user', {
    201: accounts.Session,
    refusals: ['user_blocked'],
  })
  api.post<OfUser>(sessions, beginningSession, async (request, reply) => {
    const caller = context.cookies.callerOf(request)
    return reply
      .code(201)
      .send(await users.startUserSession(context, request.params.userId, caller))
  })
  const endingSessions = call(WRITING, 'Ends all sessions of a user', { 204: NO_BODY })
  api.delete<OfUser>(sessions, endingSessions, async ({ params }, reply) =>
    reply.code(204).send(await endAllSessions(db, await idIn(params))),
  )
  const endingSession = call(WRITING, 'Ends a session of a user', { 204: NO_BODY })
  api.delete<OfUser>(`${sessions}/:sessionId`, endingSession, async ({ params }, reply) =>
    reply.code(204).send(await endSession(db, await idIn(params), params.sessionId)),
  )
}

function addIdentityRoutes(api: FastifyInstance, context: AccountsContext): void {
  const listingIdentities = call(READING, 'Linked identities of all people', {
    querystring: SEARCH_QUERY,
    200: listOf('identities', accounts.Identity),
  })
  api.get('/users/identities', listingIdentities, async ({ query }) => {
    const filter = { search: readSearch(query) }
    return listIdentityModels(context, filter, findQueryList(query, 'queries'))
  })
  // Also ends the sessions that began with the identity, even if the user then cannot sign in any
  // other way.
  const removingIdentity = call(WRITING, 'Removes an identity and its sessions', { 204: NO_BODY })
  api.delete<OfUser>(
    '/users/identities/:identityId',
    removingIdentity,
    async ({ params }, reply) => {
      const userId = await removeIdentity(context, params.identityId)
      users.logOperator(context, 'identity removed by the operator', userId)
      return reply.code(204).send()
    },
  )
}

/** Calls that work while the blog has no operator (api.md §15.19). */
function addSetupRoutes(api: FastifyInstance, context: AccountsContext): void {
  const { cookies } = context
  const withSignIn = { ...context, signIn: makeSignIn(context) }
  const setUpAndSignIn = async (request: FastifyRequest, reply: FastifyReply) => {
    const setup = readParams(NewSetup, request.body)
    const caller = cookies.callerOf(request, reply)
    const signInResult = await setUp(withSignIn, setup, { request, caller })
    cookies.set(reply, signInResult)
    return signInResult.session
  }
  const readingSetup = call({}, 'Whether the blog has an operator, and how to become it', {
    200: OBJECT,
  })
  api.get('/setup', readingSetup, async (request) => readSetup(context, request))
  // A form cannot send the header that names the project. Only wrong codes are rate limited, so
  // that calls of strangers cannot lock the owner out.
  const settingUp = call(
    { config: { isProjectless: true } },
    'Sets the blog up and signs its operator in',
    {
      body: NewSetup,
      201: accounts.Session,
      refusals: [
        'setup_done',
        'setup_code_invalid',
        'setup_code_replaced',
        'user_already_exists',
        'password_personal_data',
        'user_invalid_credentials',
        'user_blocked',
      ],
    },
  )
  api.post('/setup', settingUp, async (request, reply) => {
    if (!request.headers['content-type']?.startsWith(FORM_TYPE)) {
      const session = await setUpAndSignIn(request, reply)
      return reply.code(201).send(toSession(session, session.id))
    }
    // A form of a page without scripts: the browser follows the redirect.
    const refusalType = await setUpAndSignIn(request, reply).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof Refusal) return error.type
        throw error
      },
    )
    return reply.redirect(refusalType ? `/setup?code&error=${refusalType}` : '/post', 303)
  })
}

/** The values of the blog that operators set (api.md §15.20). */
function addSiteRoutes(api: FastifyInstance, context: AccountsContext): void {
  addReadRoute(
    api,
    '/site',
    call(OPERATORS_READ, 'The values of the blog', { 200: OBJECT }),
    async () => readSiteValues(context),
  )
  const changingSite = call(OPERATORS_WRITE, 'Sets values of the blog', {
    body: SiteChanges,
    200: OBJECT,
    refusals: ['document_missing_data'],
  })
  api.patch('/site', changingSite, async ({ viewer, body }) =>
    setSiteValues(context, viewer, readParams(SiteChanges, body) as Partial<SiteValues>),
  )
}
