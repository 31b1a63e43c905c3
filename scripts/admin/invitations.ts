// The commands about invitations.
import { findEmail } from '../../backend/mail/addresses.ts'
import { SettingError } from '../../backend/settings/setting-definitions.ts'
import type { Invitation } from '../../contract/accounts.ts'
import type { Call } from './server.ts'
import { toLine } from './terminal.ts'

/** @param from who invites */
export async function invite(call: Call, email: string, from: string | undefined): Promise<string> {
  const body = { email, ...(from === undefined ? {} : { name: from }) }
  const made = (await call('POST', '/invitations', body)) as Invitation
  const until = made.expire.slice(0, 10)
  return made.mailed
    ? `${made.email} is invited: a mail with the link is on its way. It works once, until ${until}.`
    : `This link lets ${made.email} sign up once, until ${until}. Hand it to nobody else:\n${made.url}`
}

export async function listInvitations(call: Call): Promise<string> {
  const invitations = await readInvitations(call)
  const lines = invitations.map(({ email, name, expire, mailed }) =>
    toLine([email, name, expire.slice(0, 10), mailed ? 'mailed' : 'link printed']),
  )
  return ['E-MAIL\tFROM\tUNTIL\tSENT', ...lines].join('\n')
}

export async function revokeInvitation(call: Call, email: string): Promise<string> {
  const invited = findEmail(email.trim())
  const found = (await readInvitations(call)).find((one) => findEmail(one.email) === invited)
  if (!found || invited === undefined) throw new SettingError(`There is no invitation for ${email}`)
  await call('DELETE', `/invitations/${found.$id}`, {})
  return `The invitation of ${found.email} works no longer.`
}

async function readInvitations(call: Call): Promise<Invitation[]> {
  return ((await call('GET', '/invitations')) as { invitations: Invitation[] }).invitations
}
