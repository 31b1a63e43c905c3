// HTTP of leaving: the account's end, by its person or by the operator, and everything in it to
// take along. But for the operator's they are calls of this blog alone (docs/api.md).
import type { FastifyRequest } from 'fastify'
import { DeletedAccount } from '#contract/accounts.ts'
import { RATE } from '#contract/limits.ts'
import { makeSessionCookies } from '../accounts/session-cookies.ts'
import type { TokenNames } from '../accounts/session-tokens.ts'
import { readParams } from '../http/params.ts'
import type { Count, Rule } from '../http/rate-limits.ts'
import type { Routes } from '../http/server.ts'
import { readUser } from '../http/viewer.ts'
import type { Deletion } from './deletion.ts'
import type { ExportOwn } from './export.ts'

type OwnDataNeeds = {
  deletion: Deletion
  exportOwn: ExportOwn
  tokenNames: TokenNames
  isHttps: boolean
  isCrossSite: boolean
}

function counted(name: string, rule: Rule) {
  return {
    scope: 'account',
    counts: (request: FastifyRequest): Count[] => [
      { name, rule, key: readUser(request.viewer).userId },
    ],
  } as const
}

export function ownDataRoutes({ deletion, exportOwn, ...needs }: OwnDataNeeds): Routes {
  const cookies = makeSessionCookies(needs)
  return (api) => {
    api.delete(
      '/account',
      { config: counted('account deletion', RATE.accountDeletePerUser) },
      async (request, reply) => {
        await deletion.deleteOwn(
          readUser(request.viewer),
          readParams(DeletedAccount, request.body).password,
          cookies.callerOf(request),
        )
        cookies.clear(request, reply)
        return reply.code(204).send()
      },
    )
    api.delete<{ Params: { userId: string } }>(
      '/users/:userId',
      { config: { scope: 'users.write' } },
      async (request, reply) => {
        await deletion.deletePerson(request.params.userId, cookies.callerOf(request))
        return reply.code(204).send()
      },
    )
    // No HEAD: it would read everything only to throw it away.
    api.get(
      '/account/export',
      { config: counted('export', RATE.exportPerUser), exposeHeadRoute: false },
      async (request, reply) => {
        const { name, bytes } = await exportOwn(readUser(request.viewer), cookies.callerOf(request))
        reply.headers({
          'content-type': 'application/zip',
          'content-disposition': `attachment; filename="${name}"`,
        })
        return reply.send(bytes)
      },
    )
  }
}
