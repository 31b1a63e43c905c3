// HTTP of the operator's calls (api.md §6): the API key alone. Looking up one person is open to all
// and lies in routes.ts.
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
import type { OperatorChanges } from '../accounts/changes.ts'
import { toUser } from '../accounts/shapes.ts'
import { isRecord, readParams, readQueryList } from '../http/params.ts'
import type { Routes } from '../http/server.ts'
import type { Users } from './users.ts'

const READING = { config: { scope: 'users.read' } } as const
const WRITING = { config: { scope: 'users.write' } } as const

type UserParams = { Params: { userId: string } }
type UserSessionParams = { Params: { userId: string; sessionId: string } }

export function userRoutes(users: Users, changes: OperatorChanges): Routes {
  return (api) => {
    api.get('/users', READING, async ({ query }) => {
      const { total, search } = isRecord(query) ? query : {}
      return users.list({
        queries: readQueryList(query, 'queries'),
        search: readSearch(search),
        hasTotal: total !== 'false' && total !== '0',
      })
    })
    api.post('/users', WRITING, async (request, reply) =>
      reply.code(201).send(await users.create(readParams(NewUser, request.body))),
    )

    api.patch<UserParams>('/users/:userId/name', WRITING, async ({ params, body }) =>
      toUser(await changes.setName(idOf(params), readParams(UpdatedName, body).name)),
    )
    api.patch<UserParams>('/users/:userId/email', WRITING, async ({ params, body }) =>
      toUser(await changes.setEmail(idOf(params), readParams(SetEmail, body).email)),
    )
    api.patch<UserParams>('/users/:userId/password', WRITING, async ({ params, body }) =>
      toUser(await changes.setPassword(idOf(params), readParams(SetPassword, body).password)),
    )
    api.patch<UserParams>('/users/:userId/status', WRITING, async ({ params, body }) =>
      toUser(await changes.setBlocked(idOf(params), !readParams(SetStatus, body).status)),
    )
    api.patch<UserParams>('/users/:userId/verification', WRITING, async ({ params, body }) =>
      toUser(
        await changes.setVerified(
          idOf(params),
          readParams(SetVerification, body).emailVerification,
        ),
      ),
    )
    api.patch<UserParams>('/users/:userId/prefs', WRITING, async ({ params, body }) => {
      const { prefs } = toUser(
        await changes.setPrefs(idOf(params), readParams(UpdatedPrefs, body).prefs),
      )
      return prefs
    })

    api.post<UserParams>('/users/:userId/tokens', WRITING, async ({ params, body }, reply) =>
      reply
        .code(201)
        .send(await users.makeSignInLink(idOf(params), readParams(NewSignInLink, body).expire)),
    )
    api.delete<UserParams>('/users/:userId/sessions', WRITING, async ({ params }, reply) => {
      await users.endSessions(idOf(params))
      return reply.code(204).send()
    })
    api.delete<UserSessionParams>(
      '/users/:userId/sessions/:sessionId',
      WRITING,
      async ({ params }, reply) => {
        await users.endSession(idOf(params), params.sessionId)
        return reply.code(204).send()
      },
    )
  }
}

/** @throws Refusal `user_not_found` for what can be nobody's id */
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
