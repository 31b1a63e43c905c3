// The commands about invitations.
import { tryParseEmail } from '../../backend/mail/addresses.ts'
import { SettingError } from '../../backend/settings/setting-definitions.ts'
import type { Invitation } from '../../contract/accounts.ts'
import type { Call } from './server.ts'
import { toLine } from './terminal.ts'

/** @param from the name of the inviter */
export async function invite(call: Call, email: string, from: string | undefined): Promise<string> {
  const body = { email, ...(from === undefined ? {} : { name: from }) }
  const invitation = (await call('POST', '/invitations', body)) as Invitation
  const until = invitation.expire.slice(0, 10)
  return invitation.mailed
    ? `${invitation.email} is invited: a mail with the link is on its way. It works once, until ${until}.`
    : `This link lets ${invitation.email} sign up once, until ${until}. Hand it to nobody else:\n${invitation.url}`
}

export async function listInvitations(call: Call): Promise<string> {
  const invitations = await readInvitations(call)
  const lines = invitations.map(({ email, name, expire, mailed }) =>
    toLine([email, name, expire.slice(0, 10), mailed ? 'mailed' : 'link printed']),
  )
  return ['EMAIL\tFROM\tUNTIL\tSENT', ...lines].join('\n')
}

export async function revokeInvitation(call: Call, email: string): Promise<string> {
  const wantedEmail = tryParseEmail(email.trim())
  const invitation = (await readInvitations(call)).find(
    (candidate) => tryParseEmail(candidate.email) === wantedEmail,
  )
  if (!invitation || wantedEmail === undefined)
    throw new SettingError(`There is no invitation for ${email}`)
  await call('DELETE', `/invitations/${invitation.$id}`, {})
  return `The invitation of ${invitation.email} works no longer.`
}

async function readInvitations(call: Call): Promise<Invitation[]> {
  return ((await call('GET', '/invitations')) as { invitations: Invitation[] }).invitations
}
