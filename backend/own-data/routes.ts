// HTTP of leaving: deleting an account, by its user or by the operator, and downloading everything
// in it. Except for the operator's, these calls are this blog's own (api.md §15).
import type { FastifyInstance } from 'fastify'
import { DeletedAccount } from '#contract/accounts.ts'
import { RATE } from '#contract/limits.ts'
import type { SessionCookies } from '../accounts/session-cookies.ts'
import { countPerUser } from '../http/rate-limits.ts'
import { readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { readUser } from '../http/viewer.ts'
import { type DeletionNeeds, deleteAccountOf, deleteOwnAccount } from './deletion.ts'
import { type ExportNeeds, exportOwnData } from './export.ts'

const DELETING = {
  scope: 'account',
  counts: countPerUser('account deletion', RATE.accountDeletePerUser),
} as const
const EXPORTING = {
  scope: 'account',
  counts: countPerUser('export', RATE.exportPerUser),
} as const

type OwnDataNeeds = DeletionNeeds & ExportNeeds & { cookies: SessionCookies }

export function ownDataRoutes(needs: OwnDataNeeds): Routes {
  const { cookies } = needs
  return (api) => {
    api.delete('/account', { config: DELETING }, async (request, reply) => {
      const viewer = readUser(request.viewer)
      const { password } = readParams(DeletedAccount, request.body)
      await deleteOwnAccount(needs, viewer, password, cookies.callerOf(request, reply))
      cookies.clear(reply)
      return reply.code(204).send()
    })
    api.delete<{ Params: { userId: string } }>(
      '/users/:userId',
      { config: { scope: 'users.write' } },
      async (request, reply) => {
        await deleteAccountOf(needs, request.params.userId, cookies.callerOf(request))
        return reply.code(204).send()
      },
    )
    addExportRoute(api, needs)
  }
}

function addExportRoute(api: FastifyInstance, needs: OwnDataNeeds): void {
  // No HEAD: it would read everything only to throw it away.
  const options = { config: EXPORTING, exposeHeadRoute: false }
  api.get('/account/export', options, async (request, reply) => {
    const viewer = readUser(request.viewer)
    const { name, bytes } = await exportOwnData(needs, viewer, needs.cookies.callerOf(request))
    reply.headers({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="${name}"`,
    })
    return reply.send(bytes)
  })
}
