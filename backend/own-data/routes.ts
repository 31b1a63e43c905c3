// HTTP routes for deleting an account, by its user or by an operator, and for downloading its data.
// Except for the operator's call, these are extensions of this blog (api.md §15).

import { AccountDeletion } from '#contract/accounts.ts'
import { RATE } from '#contract/limits.ts'
import { binaryBody, call, NO_BODY } from '../http/openapi.ts'
import { countPerUser, limitedAccount } from '../http/rate-limits.ts'
import { readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { readUser } from '../http/viewer.ts'
import type { OwnDataContext } from './context.ts'
import { deleteAccountByOperator, deleteOwnAccount } from './deletion.ts'
import { exportOwnData } from './export.ts'

const DELETING = limitedAccount(countPerUser('account deletion', RATE.accountDeletePerUser))
/** No HEAD: it would make the whole archive and discard it. */
const EXPORTING = {
  ...limitedAccount(countPerUser('export', RATE.exportPerUser)),
  exposeHeadRoute: false,
}
const DELETING_USER = { config: { scope: 'users.write', isForOperators: true } } as const

type OfUser = { Params: { userId: string } }

export function ownDataRoutes(context: OwnDataContext): Routes {
  const { cookies } = context
  return (api) => {
    const deletingOwn = call(DELETING, 'Deletes the account and everything in it', {
      body: AccountDeletion,
      204: NO_BODY,
      refusals: ['user_last_operator', 'user_invalid_credentials', 'user_unauthorized'],
    })
    api.delete('/account', deletingOwn, async (request, reply) => {
      const viewer = readUser(request.viewer)
      const { password } = readParams(AccountDeletion, request.body)
      await deleteOwnAccount(context, viewer, password, cookies.callerOf(request, reply))
      cookies.clear(reply)
      return reply.code(204).send()
    })
    const deletingUser = call(DELETING_USER, 'Deletes an account and everything in it', {
      204: NO_BODY,
      refusals: ['user_last_operator'],
    })
    api.delete<OfUser>('/users/:userId', deletingUser, async (request, reply) => {
      await deleteAccountByOperator(
        context,
        request.viewer,
        request.params.userId,
        cookies.callerOf(request),
      )
      return reply.code(204).send()
    })
    const exporting = call(EXPORTING, 'Everything of the account as a zip', {
      200: binaryBody('application/zip'),
    })
    api.get('/account/export', exporting, async (request, reply) => {
      const viewer = readUser(request.viewer)
      const { name, bytes } = await exportOwnData(context, viewer, cookies.callerOf(request))
      reply.type('application/zip').header('content-disposition', `attachment; filename="${name}"`)
      return reply.send(bytes)
    })
  }
}
