// The calls of the settings: the account's details, its sessions, its data and its deletion. Each
// rejects when it fails.
import type { Account, Prefs, Session } from '#contract/accounts.ts'
import { type Api, pathOf } from '../api/client.ts'

export function changeName(api: Api, name: string): Promise<Account> {
  return api.account.updateName<Prefs>(name)
}

/**
 * @param password the current one; for an account without a password it becomes the password
 *   (api.md §2.2)
 */
export function changeEmail(
  api: Api,
  { email, password }: { email: string; password: string },
): Promise<Account> {
  return api.account.updateEmail<Prefs>(email, password)
}

/** Ends every other session. @param oldPassword left out by accounts that have none yet */
export function changePassword(
  api: Api,
  { password, oldPassword }: { password: string; oldPassword?: string },
): Promise<Account> {
  return api.account.updatePassword<Prefs>(password, oldPassword)
}

/** The current one first, then the newest. */
export async function listSessions(api: Api): Promise<Session[]> {
  const { sessions } = await api.account.listSessions()
  return sessions.toSorted(
    (a, b) => Number(b.current) - Number(a.current) || b.$createdAt.localeCompare(a.$createdAt),
  )
}

export async function endSession(api: Api, sessionId: string): Promise<void> {
  await api.account.deleteSession(sessionId)
}

/**
 * Address of the zip with all of the person's data: a link, so that the browser saves it as a file.
 */
export function exportPath(api: Api): string {
  return pathOf(
    new URL(
      `${api.client.config.endpoint}/account/export?project=${encodeURIComponent(api.settings.projectId)}`,
    ),
  )
}

/**
 * Deletes the account with all its posts, likes and files. The client package has no method for
 * this call.
 *
 * @param password undefined for accounts that have none: then the session must have started
 *   recently
 */
export async function deleteAccount(api: Api, password: string | undefined): Promise<void> {
  const address = new URL(`${api.client.config.endpoint}/account`)
  await api.client.call(
    'delete',
    address,
    { 'content-type': 'application/json' },
    password === undefined ? {} : { password },
  )
}
