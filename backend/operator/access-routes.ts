// HTTP of what the operator sees and changes of the ways into an account (api.md §6): the API key
// alone.
import type { FastifyInstance } from 'fastify'
import { ImportedScryptUser, ImportedUser, NewUserJwt, SetLabels } from '#contract/accounts.ts'
import { listIdentityModels } from '../accounts/identities.ts'
import { readArgon2Hash, readBcryptHash, readScryptHash } from '../accounts/imported-hashes.ts'
import type { Jwts } from '../accounts/jwt.ts'
import { listSignIns } from '../accounts/logs.ts'
import type { SessionCookies } from '../accounts/session-cookies.ts'
import { toAccount } from '../accounts/shapes.ts'
import { readUserRow } from '../accounts/users.ts'
import { findQueryList, isRecord, readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import {
  listUserSessions,
  makeUserJwt,
  removeUserIdentity,
  setLabels,
  startUserSession,
} from './access.ts'
import { idOf, READING, readSearch, WRITING } from './routes.ts'
import { importUser, type OperatorNeeds } from './users.ts'

type AccessRoutesNeeds = OperatorNeeds & { jwts: Jwts; cookies: SessionCookies }
type UserParams = { Params: { userId: string } }

export function operatorAccessRoutes(needs: AccessRoutesNeeds): Routes {
  return (api) => {
    addUserAccess(api, needs)
    addSessions(api, needs)
    addIdentities(api, needs)
    addImports(api, needs)
  }
}

function addUserAccess(api: FastifyInstance, needs: AccessRoutesNeeds): void {
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

function addSessions(api: FastifyInstance, needs: AccessRoutesNeeds): void {
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

function addIdentities(api: FastifyInstance, needs: AccessRoutesNeeds): void {
  api.get('/users/identities', READING, async ({ query }) => {
    const { search } = isRecord(query) ? query : {}
    return listIdentityModels(needs, {
      queries: findQueryList(query, 'queries'),
      search: readSearch(search),
    })
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

function addImports(api: FastifyInstance, needs: AccessRoutesNeeds): void {
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
