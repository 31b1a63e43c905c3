// HTTP of the accounts at sign-in providers that are linked to the caller (api.md §2.2).
import { RATE } from '#contract/limits.ts'
import { countPerUser } from '../http/rate-limits.ts'
import { findQueryList } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { readUser } from '../http/viewer.ts'
import { type IdentityNeeds, listOwnIdentities, removeOwnIdentity } from './identities.ts'
import type { SessionCookies } from './session-cookies.ts'

const REMOVING = {
  scope: 'account',
  counts: countPerUser('removal of an identity', RATE.identityDeletePerUser),
} as const

export function identityRoutes(needs: IdentityNeeds & { cookies: SessionCookies }): Routes {
  return (api) => {
    api.get('/account/identities', { config: { scope: 'account' } }, async ({ viewer, query }) =>
      listOwnIdentities(needs, readUser(viewer), findQueryList(query, 'queries')),
    )
    api.delete<{ Params: { identityId: string } }>(
      '/account/identities/:identityId',
      { config: REMOVING },
      async (request, reply) => {
        const viewer = readUser(request.viewer)
        const caller = needs.cookies.callerOf(request)
        await removeOwnIdentity(needs, viewer, request.params.identityId, caller)
        return reply.code(204).send()
      },
    )
  }
}
