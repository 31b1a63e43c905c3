// The commands about people.
import { toLowerCaseEmail, tryParseEmail } from '../../backend/mail/addresses.ts'
import { SettingError } from '../../backend/settings/setting-definitions.ts'
import type { User } from '../../contract/accounts.ts'
import type { SignInLink } from '../../contract/operator.ts'
import { roleOf } from '../../contract/permissions.ts'
import { type Call, queryString } from './server.ts'
import { confirm, toLine } from './terminal.ts'

const PAGE_PEOPLE = 100

export async function findPerson(call: Call, email: string): Promise<User> {
  const lowerCaseEmail = toLowerCaseEmail(email.trim())
  const values = [...new Set([tryParseEmail(email.trim()) ?? lowerCaseEmail, lowerCaseEmail])]
  const query = queryString([{ method: 'equal', attribute: 'email', values }])
  const { users } = (await call('GET', `/users?${query}`)) as { users: User[] }
  const user = users.find(({ email: address }) => address === lowerCaseEmail) ?? users[0]
  if (!user) throw new SettingError(`There is no account with the email ${email}`)
  return user
}

export async function listPeople(call: Call): Promise<string> {
  const lines = ['EMAIL\tNAME\tSINCE\tSTATE\tROLE']
  for (let last = ''; ; ) {
    const query = queryString([
      { method: 'limit', values: [PAGE_PEOPLE] },
      ...(last ? [{ method: 'cursorAfter', values: [last] }] : []),
    ])
    const { users } = (await call('GET', `/users?${query}`)) as { users: User[] }
    for (const { email, name, registration, status, emailVerification, labels } of users) {
      const state = [
        status ? 'active' : 'blocked',
        ...(emailVerification ? ['confirmed'] : []),
      ].join(', ')
      lines.push(toLine([email, name, registration.slice(0, 10), state, roleOf(labels)]))
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

export async function setRole(call: Call, email: string, role: string): Promise<string> {
  const user = await findPerson(call, email)
  await call('PATCH', `/users/${user.$id}/role`, { role })
  return `${user.email} is now: ${role}.`
}

export async function createSignInLink(call: Call, email: string): Promise<string> {
  const user = await findPerson(call, email)
  const { url } = (await call('POST', `/users/${user.$id}/links`, {})) as SignInLink
  return `This link signs ${user.email} in once, within the hour. Hand it to nobody else:\n${url}`
}

export async function deletePerson(
  call: Call,
  email: string,
  options: { isConfirmed: boolean },
): Promise<string> {
  const user = await findPerson(call, email)
  await confirm(`Delete ${user.email} with all posts, likes and files, for good?`, options)
  await call('DELETE', `/users/${user.$id}`, {})
  return `${user.email} is deleted.`
}
