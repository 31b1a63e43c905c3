// HTTP of the operator's calls (api.md §6): the API key alone. Reading one user is open to all and
// in accounts/routes.ts, deleting one in own-data/routes.ts.
import type { FastifyInstance } from 'fastify'
import { PREFS_BODY_MAX_BYTES } from '#backend/accounts/personal-details.ts'
import {
  ImportedScryptUser,
  ImportedUser,
  NewSignInLink,
  NewUser,
  NewUserJwt,
  SetEmail,
  SetLabels,
  SetPassword,
  SetStatus,
  SetVerification,
  UpdatedName,
  UpdatedPrefs,
} from '#contract/accounts.ts'
import { invalidParam, Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import { listSignIns } from '../accounts/accounts.ts'
import type { ReplaceEmailNeeds, ReplacePrefsNeeds } from '../accounts/change-user.ts'
import { listIdentityModels } from '../accounts/identities.ts'
import { readArgon2Hash, readBcryptHash, readScryptHash } from '../accounts/imported-hashes.ts'
import type { Jwts } from '../accounts/jwt.ts'
import type { SessionCookies } from '../accounts/session-cookies.ts'
import { toAccount, toUser } from '../accounts/shapes.ts'
import { readUserRow } from '../accounts/users.ts'
import { findQueryList, isRecord, readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import {
  createUser,
  endUserSession,
  endUserSessions,
  importUser,
  listUserSessions,
  listUsers,
  makeSignInLink,
  makeUserJwt,
  type OperatorNeeds,
  removeUserIdentity,
  setBlocked,
  setEmail,
  setLabels,
  setName,
  setPassword,
  setPrefs,
  setVerified,
  startUserSession,
} from './users.ts'

const USER_SEARCH_MAX_CHARS = 256

const READING = { config: { scope: 'users.read' } } as const
const WRITING = { config: { scope: 'users.write' } } as const

type UserParams = { Params: { userId: string } }
type UserSessionParams = { Params: { userId: string; sessionId: string } }
type OperatorRoutesNeeds = OperatorNeeds &
  ReplaceEmailNeeds &
  ReplacePrefsNeeds & { jwts: Jwts; cookies: SessionCookies }

export function operatorRoutes(needs: OperatorRoutesNeeds): Routes {
  return (api) => {
    addUserRoutes(api, needs)
    addChangeRoutes(api, needs)
    addAccessRoutes(api, needs)
    addUserAccess(api, needs)
    addSessions(api, needs)
    addIdentities(api, needs)
    addImports(api, needs)
  }
}

function addUserRoutes(api: FastifyInstance, needs: OperatorRoutesNeeds): void {
  api.get('/users', READING, async ({ query }) => {
    const { total, search } = isRecord(query) ? query : {}
    return listUsers(needs, {
      queries: findQueryList(query, 'queries'),
      search: readSearch(search),
      hasTotal: total !== 'false' && total !== '0',
    })
  })
  api.post('/users', WRITING, async (request, reply) =>
    reply.code(201).send(await createUser(needs, readParams(NewUser, request.body))),
  )
}

function addChangeRoutes(api: FastifyInstance, needs: OperatorRoutesNeeds): void {
  api.patch<UserParams>('/users/:userId/name', WRITING, async ({ params, body }) =>
    toUser(await setName(needs, idOf(params), readParams(UpdatedName, body).name)),
  )
  api.patch<UserParams>('/users/:userId/email', WRITING, async ({ params, body }) =>
    toUser(await setEmail(needs, idOf(params), readParams(SetEmail, body).email)),
  )
  api.patch<UserParams>('/users/:userId/password', WRITING, async ({ params, body }) =>
    toUser(await setPassword(needs, idOf(params), readParams(SetPassword, body).password)),
  )
  api.patch<UserParams>('/users/:userId/status', WRITING, async ({ params, body }) =>
    toUser(await setBlocked(needs, idOf(params), !readParams(SetStatus, body).status)),
  )
  api.patch<UserParams>('/users/:userId/verification', WRITING, async ({ params, body }) => {
    const userId = idOf(params)
    return toUser(
      await setVerified(needs, userId, readParams(SetVerification, body).emailVerification),
    )
  })
  const withPrefs = { ...WRITING, bodyLimit: PREFS_BODY_MAX_BYTES }
  api.patch<UserParams>('/users/:userId/prefs', withPrefs, async ({ params, body }) => {
    const changed = await setPrefs(needs, idOf(params), readParams(UpdatedPrefs, body).prefs)
    return toUser(changed).prefs
  })
}

function addAccessRoutes(api: FastifyInstance, needs: OperatorRoutesNeeds): void {
  api.post<UserParams>('/users/:userId/tokens', WRITING, async ({ params, body }, reply) => {
    const userId = idOf(params)
    const sent = readParams(NewSignInLink, body)
    return reply.code(201).send(await makeSignInLink(needs, userId, sent))
  })
  api.delete<UserParams>('/users/:userId/sessions', WRITING, async ({ params }, reply) => {
    await endUserSessions(needs, idOf(params))
    return reply.code(204).send()
  })
  api.delete<UserSessionParams>(
    '/users/:userId/sessions/:sessionId',
    WRITING,
    async ({ params }, reply) => {
      await endUserSession(needs, idOf(params), params.sessionId)
      return reply.code(204).send()
    },
  )
}

/** @throws Refusal `user_not_found` for what is no valid id */
function idOf({ userId }: { userId: string }): string {
  if (!isId(userId)) throw new Refusal('user_not_found')
  return userId
}

/** @throws Refusal `general_argument_invalid` */
function readSearch(search: unknown): string | undefined {
  if (search === undefined || search === '') return undefined
  if (
    typeof search !== 'string' ||
    search.length > USER_SEARCH_MAX_CHARS ||
    search.includes('\0')
  ) {
    throw invalidParam(
      'search',
      `Value must be a valid string and no longer than ${USER_SEARCH_MAX_CHARS} chars`,
    )
  }
  return search
}

function addUserAccess(api: FastifyInstance, needs: OperatorRoutesNeeds): void {
  api.get<UserParams>('/users/:userId/prefs', READING, async ({ params }) => {
    const { prefs } = toAccount(await readUserRow(needs.db, idOf(params)))
    return prefs
  })
  api.get<UserParams>('/users/:userId/logs', READING, async ({ params, query }) =>
    listSignIns(needs, idOf(params), findQueryList(query, 'queries')),
  )
  api.put<UserParams>('/users/:userId/labels', WRITING, async ({ params, body }) =>
    setLabels(needs, idOf(params), readParams(SetLabels, body).labels),
  )
}

function addSessions(api: FastifyInstance, needs: OperatorRoutesNeeds): void {
  api.get<UserParams>('/users/:userId/sessions', READING, async ({ params }) =>
    listUserSessions(needs, idOf(params)),
  )
  api.post<UserParams>('/users/:userId/sessions', WRITING, async (request, reply) => {
    const caller = needs.cookies.callerOf(request)
    return reply.code(201).send(await startUserSession(needs, idOf(request.params), caller))
  })
  api.post<UserParams>('/users/:userId/jwts', WRITING, async ({ params, body }, reply) => {
    const userId = idOf(params)
    const jwt = await makeUserJwt(needs, userId, readParams(NewUserJwt, body))
    return reply.code(201).send({ jwt })
  })
}

function addIdentities(api: FastifyInstance, needs: OperatorRoutesNeeds): void {
  api.get('/users/identities', READING, async ({ query }) => {
    const { search } = isRecord(query) ? query : {}
    const of = { search: readSearch(search) }
    return listIdentityModels(needs, of, findQueryList(query, 'queries'))
  })
  api.delete<{ Params: { identityId: string } }>(
    '/users/identities/:identityId',
    WRITING,
    async ({ params }, reply) => {
      await removeUserIdentity(needs, params.identityId)
      return reply.code(204).send()
    },
  )
}

function addImports(api: FastifyInstance, needs: OperatorRoutesNeeds): void {
  const readers = { argon2: readArgon2Hash, bcrypt: readBcryptHash }
  for (const [kind, read] of Object.entries(readers))
    api.post(`/users/${kind}`, WRITING, async ({ body }, reply) => {
      const { password, ...sent } = readParams(ImportedUser, body)
      return reply.code(201).send(await importUser(needs, sent, read(password)))
    })
  api.post('/users/scrypt', WRITING, async ({ body }, reply) => {
    const { password, passwordSalt, ...sent } = readParams(ImportedScryptUser, body)
    const hash = readScryptHash(password, passwordSalt, {
      n: sent.passwordCpu,
      r: sent.passwordMemory,
      p: sent.passwordParallel,
      bytes: sent.passwordLength,
    })
    return reply.code(201).send(await importUser(needs, sent, hash))
  })
}
