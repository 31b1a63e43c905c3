// HTTP of users' changes to their own account (api.md §2.2).
import { UpdatedEmail, UpdatedName, UpdatedPassword } from '#contract/accounts.ts'
import { RATE } from '#contract/limits.ts'
import { countPerUser } from '../http/rate-limits.ts'
import { readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { readUser } from '../http/viewer.ts'
import { blockSelf, type ChangesNeeds, changeEmail, changePassword, rename } from './changes.ts'
import type { SessionCookies } from './session-cookies.ts'

const SIGNED_IN = { scope: 'account' } as const
const CHANGING_EMAIL = {
  scope: 'account',
  counts: countPerUser('change of e-mail', RATE.emailChangePerUser),
} as const
const CHANGING_PASSWORD = {
  scope: 'account',
  counts: countPerUser('change of password', RATE.passwordChangePerUser),
} as const

type ChangeRoutesNeeds = ChangesNeeds & { cookies: SessionCookies }

export function changeRoutes(needs: ChangeRoutesNeeds): Routes {
  const { cookies } = needs
  return (api) => {
    api.patch('/account/name', { config: SIGNED_IN }, async ({ viewer, body }) =>
      rename(needs, readUser(viewer), readParams(UpdatedName, body).name),
    )
    api.patch('/account/email', { config: CHANGING_EMAIL }, async (request, reply) => {
      const sent = readParams(UpdatedEmail, request.body)
      return changeEmail(needs, readUser(request.viewer), sent, cookies.callerOf(request, reply))
    })
    api.patch('/account/password', { config: CHANGING_PASSWORD }, async (request, reply) => {
      const viewer = readUser(request.viewer)
      const sent = readParams(UpdatedPassword, request.body)
      const caller = cookies.callerOf(request, reply)
      const { account, renewed } = await changePassword(needs, viewer, sent, caller)
      if (renewed) cookies.set(reply, renewed)
      return account
    })
    api.patch('/account/status', { config: SIGNED_IN }, async (request, reply) => {
      const account = await blockSelf(needs, readUser(request.viewer), cookies.callerOf(request))
      cookies.clear(reply)
      return account
    })
  }
}
