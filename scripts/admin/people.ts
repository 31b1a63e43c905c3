// The commands about people.
import { normalised } from '#contract/plain-text.ts'
import { addSecret, MAGIC_URL_PATH } from '../../backend/mail-links/one-time-tokens.ts'
import type { Config } from '../../backend/settings/config.ts'
import { SettingError } from '../../backend/settings/setting-definitions.ts'
import type { Token, User } from '../../contract/accounts.ts'
import { type Call, queryString } from './server.ts'
import { confirm, toLine } from './terminal.ts'

const LINK_SECONDS = 3600
const PAGE_PEOPLE = 100

export async function findPerson(call: Call, email: string): Promise<User> {
  const values = [normalised(email.trim()).toLowerCase()]
  const query = queryString([{ method: 'equal', attribute: 'email', values }])
  const { users } = (await call('GET', `/users?${query}`)) as { users: User[] }
  const [user] = users
  if (!user) throw new SettingError(`There is no account with the e-mail ${email}`)
  return user
}

export async function listPeople(call: Call): Promise<string> {
  const lines = ['E-MAIL\tNAME\tSINCE\tSTATE']
  for (let last = ''; ; ) {
    const query = queryString([
      { method: 'limit', values: [PAGE_PEOPLE] },
      ...(last ? [{ method: 'cursorAfter', values: [last] }] : []),
    ])
    const { users } = (await call('GET', `/users?${query}`)) as { users: User[] }
    for (const { email, name, registration, status, emailVerification } of users) {
      const state = [
        status ? 'active' : 'blocked',
        ...(emailVerification ? ['confirmed'] : []),
      ].join(', ')
      lines.push(toLine([email, name, registration.slice(0, 10), state]))
    }
    last = users.at(-1)?.$id ?? ''
    if (users.length < PAGE_PEOPLE) return lines.join('\n')
  }
}

export async function setBlocked(call: Call, email: string, isBlocked: boolean): Promise<string> {
  const user = await findPerson(call, email)
  await call('PATCH', `/users/${user.$id}/status`, { status: !isBlocked })
  return isBlocked
    ? `${user.email} is blocked: all sessions have ended, and nobody reads their posts.`
    : `${user.email} may sign in again, and their posts are back.`
}

export async function makeLink(call: Call, email: string, config: Config): Promise<string> {
  const user = await findPerson(call, email)
  const token = (await call('POST', `/users/${user.$id}/tokens`, {
    expire: LINK_SECONDS,
  })) as Token
  const { userId, secret } = token
  const issued = { token: { userId, expiresAt: new Date(token.expire).toISOString() }, secret }
  const link = addSecret(config.publicUrl + MAGIC_URL_PATH, issued, config.projectId)
  return `This link signs ${user.email} in once, within the hour. Hand it to nobody else:\n${link}`
}

export async function deletePerson(
  call: Call,
  email: string,
  options: { isAgreed: boolean },
): Promise<string> {
  const user = await findPerson(call, email)
  await confirm(`Delete ${user.email} with all posts, likes and files, for good?`, options)
  await call('DELETE', `/users/${user.$id}`, {})
  return `${user.email} is deleted.`
}
