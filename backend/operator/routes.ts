// HTTP of the calls about users (api.md §6): for the API key, and some for operators. Reading one
// user is open to all and in accounts/routes.ts, deleting one in own-data/routes.ts.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject } from 'typebox'
import * as accounts from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
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
import { findQueryList, isRecord, readParams, readSearch } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { readSetup, setUp } from './setup.ts'
import { readValues, setValues } from './site-values.ts'
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
    // In a scope of its own: no other call takes a form.
    api.register(async (own) => {
      own.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, readForm)
      addSetupRoutes(own, context)
    })
    addSiteRoutes(api, context)
  }
}

function addUserRoutes(api: FastifyInstance, context: AccountsContext): void {
  api.get('/users', OPERATORS_READ, async ({ viewer, query }) => {
    const { total } = isRecord(query) ? query : {}
    return users.listUsers(context, viewer, {
      queries: findQueryList(query, 'queries'),
      search: readSearch(query),
      hasTotal: total !== 'false' && total !== '0',
    })
  })
  api.post('/users', WRITING, async ({ body }, reply) =>
    reply.code(201).send(await users.createUser(context, readParams(accounts.NewUser, body))),
  )
  api.get<OfUser>('/users/:userId/prefs', READING, async ({ params }) => {
    const { prefs } = toUser(await readUserRow(context.db, params.userId))
    return prefs
  })
  api.get<OfUser>('/users/:userId/logs', READING, async ({ params, query }) =>
    listSignIns(context, params.userId, findQueryList(query, 'queries')),
  )
}

function addChangeRoutes(api: FastifyInstance, context: AccountsContext): void {
  /** A change that answers the user. */
  const change = <Schema extends TObject>(
    name: string,
    schema: Schema,
    make: (userId: string, sent: Static<Schema>) => Promise<UserRow>,
  ) =>
    api.patch<OfUser>(`/users/:userId/${name}`, WRITING, async ({ params, body }) =>
      toUser(await make(params.userId, readParams(schema, body))),
    )
  change('name', accounts.UpdatedName, (id, { name }) => setName(context, id, name))
  change('email', accounts.SetEmail, (id, sent) => setEmail(context, id, sent))
  change('password', accounts.SetPassword, (id, { password }) =>
    users.setPassword(context, id, password),
  )
  change('verification', accounts.SetVerification, (id, { emailVerification }) =>
    changeUser(context, id, async () => ({ isVerified: Number(emailVerification) })),
  )
  const withPrefs = { ...WRITING, bodyLimit: PREFS_BODY_MAX_BYTES }
  api.patch<OfUser>('/users/:userId/prefs', withPrefs, async ({ params, body }) => {
    const changed = await setPrefs(
      context,
      params.userId,
      readParams(accounts.UpdatedPrefs, body).prefs,
    )
    return toUser(changed).prefs
  })
  api.put<OfUser>('/users/:userId/labels', WRITING, async ({ viewer, params, body }) => {
    const { userId } = params
    const { labels } = readParams(accounts.SetLabels, body)
    const changed = await setLabels(context, userId, labels, viewer)
    users.logOperator(context, 'labels set by the operator', userId)
    return toUser(changed)
  })
}

/** For operators, too. */
function addOperatorRoutes(api: FastifyInstance, context: AccountsContext): void {
  api.patch<OfUser>('/users/:userId/status', OPERATORS_WRITE, async (request) => {
    const { viewer: by, params, body } = request
    const { status, reason } = readParams(accounts.SetStatus, body)
    return toUserFor(by, await setBlocked(context, params.userId, !status, { by, reason }))
  })
  api.patch<OfUser>('/users/:userId/role', OPERATORS_WRITE, async ({ viewer, params, body }) => {
    const changed = await setLabels(
      context,
      params.userId,
      readParams(accounts.SetRole, body),
      viewer,
    )
    return toUserFor(viewer, changed)
  })
  const links = '/users/:userId/links'
  api.post<OfUser>(links, OPERATORS_WRITE, async ({ viewer, params }, reply) =>
    reply.code(201).send(await users.makeLink(context, viewer, params.userId)),
  )
  api.delete<OfUser>(`${links}/:linkId`, OPERATORS_WRITE, async ({ viewer, params }, reply) => {
    await users.withdrawLink(context, viewer, params.userId, params.linkId)
    return reply.code(204).send()
  })
}

function addAccessRoutes(api: FastifyInstance, context: AccountsContext): void {
  const { db } = context
  const idIn = async ({ userId }: OfUser['Params']) => (await readUserRow(db, userId)).id
  api.post<OfUser>('/users/:userId/tokens', WRITING, async ({ viewer, params, body }, reply) => {
    const sent = readParams(accounts.NewSignInLink, body)
    return reply.code(201).send(await users.makeSignInLink(context, viewer, params.userId, sent))
  })
  const sessions = '/users/:userId/sessions'
  api.get<OfUser>(sessions, READING, async ({ params }) =>
    listSessions(context, await idIn(params)),
  )
  api.post<OfUser>(sessions, WRITING, async (request, reply) => {
    const caller = context.cookies.callerOf(request)
    return reply
      .code(201)
      .send(await users.startUserSession(context, request.params.userId, caller))
  })
  api.delete<OfUser>(sessions, WRITING, async ({ params }, reply) =>
    reply.code(204).send(await endAllSessions(db, await idIn(params))),
  )
  api.delete<OfUser>(`${sessions}/:sessionId`, WRITING, async ({ params }, reply) =>
    reply.code(204).send(await endSession(db, await idIn(params), params.sessionId)),
  )
}

function addIdentityRoutes(api: FastifyInstance, context: AccountsContext): void {
  api.get('/users/identities', READING, async ({ query }) => {
    const of = { search: readSearch(query) }
    return listIdentityModels(context, of, findQueryList(query, 'queries'))
  })
  // Sessions that began with it end. Whether another way in is left is the operator's to know.
  api.delete<OfUser>('/users/identities/:identityId', WRITING, async ({ params }, reply) => {
    const userId = await removeIdentity(context, params.identityId)
    users.logOperator(context, 'identity removed by the operator', userId)
    return reply.code(204).send()
  })
}

/** While there is no operator (api.md §15.19). */
function addSetupRoutes(api: FastifyInstance, context: AccountsContext): void {
  const { cookies } = context
  const withSignIn = { ...context, signIn: makeSignIn(context) }
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const sent = readParams(NewSetup, request.body)
    const caller = cookies.callerOf(request, reply)
    const signedIn = await setUp(withSignIn, sent, { request, caller })
    cookies.set(reply, signedIn)
    return signedIn.session
  }
  api.get('/setup', async (request) => readSetup(context, request))
  // A form sends no header that names the project. Wrong codes are counted, and nothing else: no
  // stranger's call may use up what the owner needs.
  api.post('/setup', { config: { isProjectless: true } }, async (request, reply) => {
    if (!request.headers['content-type']?.startsWith(FORM_TYPE)) {
      const session = await answer(request, reply)
      return reply.code(201).send(toSession(session, session.id))
    }
    // A page without scripts: the browser shows what it is led to.
    const refused = await answer(request, reply).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof Refusal) return error.type
        throw error
      },
    )
    return reply.redirect(refused ? `/setup?code&error=${refused}` : '/post', 303)
  })
}

/** What is set of the blog (api.md §15.20). */
function addSiteRoutes(api: FastifyInstance, context: AccountsContext): void {
  api.get('/site', OPERATORS_READ, async () => readValues(context))
  api.patch('/site', OPERATORS_WRITE, async ({ viewer, body }) =>
    setValues(context, viewer, readParams(SiteChanges, body) as Partial<SiteValues>),
  )
}
