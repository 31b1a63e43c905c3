// HTTP of an owner's changes of the account (api.md §2.2).
import type { FastifyRequest } from 'fastify'
import { UpdatedEmail, UpdatedName, UpdatedPassword } from '#contract/accounts.ts'
import { RATE } from '#contract/limits.ts'
import { readParams } from '../http/params.ts'
import type { Count } from '../http/rate-limits.ts'
import type { Routes } from '../http/server.ts'
import { readUser } from '../http/viewer.ts'
import type { Accounts } from './accounts.ts'
import type { Changes } from './changes.ts'
import { makeSessionCookies } from './session-cookies.ts'

const SIGNED_IN = { scope: 'account' } as const
const CHANGING_EMAIL = {
  ...SIGNED_IN,
  counts: ({ viewer }: FastifyRequest): Count[] => [
    { name: 'change of e-mail', rule: RATE.emailChangePerUser, key: readUser(viewer).userId },
  ],
}
const CHANGING_PASSWORD = {
  ...SIGNED_IN,
  counts: ({ viewer }: FastifyRequest): Count[] => [
    { name: 'change of password', rule: RATE.passwordChangePerUser, key: readUser(viewer).userId },
  ],
}

type ChangeRoutesNeeds = Pick<Accounts, 'tokenNames' | 'isHttps' | 'isCrossSite'>

export function changeRoutes(changes: Changes, accounts: ChangeRoutesNeeds): Routes {
  const cookies = makeSessionCookies(accounts)

  return (api) => {
    api.patch('/account/name', { config: SIGNED_IN }, async (request) =>
      changes.rename(readUser(request.viewer), readParams(UpdatedName, request.body).name),
    )
    api.patch('/account/email', { config: CHANGING_EMAIL }, async (request) =>
      changes.changeEmail(
        readUser(request.viewer),
        readParams(UpdatedEmail, request.body),
        cookies.callerOf(request),
      ),
    )
    api.patch('/account/password', { config: CHANGING_PASSWORD }, async (request, reply) => {
      const sent = readParams(UpdatedPassword, request.body)
      const { account, renewed } = await changes.changePassword(
        readUser(request.viewer),
        sent,
        cookies.callerOf(request),
      )
      if (renewed) cookies.set(reply, renewed)
      return account
    })
    api.patch('/account/status', { config: SIGNED_IN }, async (request, reply) => {
      const account = await changes.blockSelf(readUser(request.viewer), cookies.callerOf(request))
      cookies.clear(request, reply)
      return account
    })
  }
}
