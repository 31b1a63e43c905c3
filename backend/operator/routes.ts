// HTTP of the operator's calls (api.md §6): the API key alone. Reading one user is open to all and
// in accounts/routes.ts, deleting one in own-data/routes.ts.
import type { FastifyInstance } from 'fastify'
import {
  NewSignInLink,
  NewUser,
  SetEmail,
  SetPassword,
  SetStatus,
  SetVerification,
  UpdatedName,
  UpdatedPrefs,
} from '#contract/accounts.ts'
import { invalidParam, Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import { USER_SEARCH_MAX_CHARS } from '#contract/limits.ts'
import { PREFS_BODY_MAX_BYTES } from '#contract/request-limits.ts'
import type { ReplaceEmailNeeds, ReplacePrefsNeeds } from '../accounts/change-user.ts'
import { toUser } from '../accounts/shapes.ts'
import { findQueryList, isRecord, readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { setBlocked, setEmail, setName, setPassword, setPrefs, setVerified } from './changes.ts'
import {
  createUser,
  endUserSession,
  endUserSessions,
  listUsers,
  makeSignInLink,
  type OperatorNeeds,
} from './users.ts'

export const READING = { config: { scope: 'users.read' } } as const
export const WRITING = { config: { scope: 'users.write' } } as const

type UserParams = { Params: { userId: string } }
type UserSessionParams = { Params: { userId: string; sessionId: string } }
type OperatorRoutesNeeds = OperatorNeeds & ReplaceEmailNeeds & ReplacePrefsNeeds

export function operatorRoutes(needs: OperatorRoutesNeeds): Routes {
  return (api) => {
    addUserRoutes(api, needs)
    addChangeRoutes(api, needs)
    addAccessRoutes(api, needs)
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
export function idOf({ userId }: { userId: string }): string {
  if (!isId(userId)) throw new Refusal('user_not_found')
  return userId
}

/** @throws Refusal `general_argument_invalid` */
export function readSearch(search: unknown): string | undefined {
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
