// HTTP of invitations: the operator's calls (api.md §6.2), and the question of who holds a link
// (api.md §15.5). Accepting one is signing up, in routes.ts.
import { InvitationProof, NewInvitation } from '#contract/accounts.ts'
import { RATE } from '#contract/limits.ts'
import { countPerAddress } from '../http/rate-limits.ts'
import { readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import {
  type InvitationNeeds,
  invite,
  listInvitations,
  readInvitation,
  revokeInvitation,
} from './invitations.ts'

const READING = { config: { scope: 'users.read' } } as const
const WRITING = { config: { scope: 'users.write' } } as const
const ASKING = { counts: countPerAddress('invitation', RATE.invitationPerAddress) }

export function invitationRoutes(needs: InvitationNeeds): Routes {
  return (api) => {
    api.post('/invitations', WRITING, async ({ body }, reply) =>
      reply.code(201).send(await invite(needs, readParams(NewInvitation, body))),
    )
    api.get('/invitations', READING, async () => listInvitations(needs))
    api.delete<{ Params: { id: string } }>('/invitations/:id', WRITING, async (request, reply) => {
      await revokeInvitation(needs, request.params.id)
      return reply.code(204).send()
    })
    // A POST, so that the secret is in no address; it changes nothing.
    api.post('/account/invitation', { config: ASKING }, async ({ body }) =>
      readInvitation(needs, readParams(InvitationProof, body)),
    )
  }
}
