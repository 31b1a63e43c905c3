// What the link of an invitation is for. Rejects when the call fails.
import type { OwnInvitation } from '#contract/accounts.ts'
import type { Api } from '../api/client.ts'
import type { LinkValues } from './mail-links-api.ts'

/** Uses nothing up. @source api.md §15.5; the client package has no method for it */
export async function readInvitation({ client }: Api, link: LinkValues): Promise<OwnInvitation> {
  const address = new URL(`${client.config.endpoint}/account/invitation`)
  return client.call('post', address, { 'content-type': 'application/json' }, link)
}
