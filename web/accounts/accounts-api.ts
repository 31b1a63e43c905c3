// The account calls of product.md §7, through the one client. Who is signed in on this page is kept
// by viewer.tsx.
import { ID } from 'appwrite'
import type { Account, Prefs, Session } from '#contract/accounts.ts'
import type { Api } from '../api/client.ts'
import { type Result, resultOf } from '../api/result.ts'
import type { LinkValues } from './mail-links-api.ts'

type Credentials = { email: string; password: string }

/** Asks who is signed in. A failure with the code 401 means that nobody is. */
export function getAccount(api: Api): Promise<Result<Account>> {
  return resultOf(api.account.get<Prefs>())
}

/**
 * Lets the server say whom it answers, for whoever listens to that (api/answers.ts). Nobody is no
 * refusal here, which would be a line in the console.
 */
export async function askWhoIsAnswered({ client }: Api): Promise<void> {
  await resultOf(client.call('get', new URL(`${client.config.endpoint}/ping`), {}))
}

/**
 * Creates the account, nothing else: signing in is the second step of the form. Rethrows the
 * client's error (product.md §8).
 *
 * @param invitation the values of its link, which the client's own method cannot send (api.md
 *   §15.5)
 */
export async function createAccount(
  { account, client }: Api,
  { name, email, password }: Credentials & { name: string },
  invitation?: LinkValues,
): Promise<void> {
  if (!invitation) {
    await account.create(ID.unique(), email, password, name)
    return
  }
  const address = new URL(`${client.config.endpoint}/account`)
  const headers = { 'content-type': 'application/json' }
  await client.call('post', address, headers, { ...invitation, email, password, name })
}

/** Starts a session with e-mail and password. Rethrows the client's error (product.md §8). */
export async function startSession(api: Api, { email, password }: Credentials): Promise<void> {
  await api.account.createEmailSession(email, password)
}

/**
 * Ends every session of this person, on all devices (product.md §7, product.md §O26). Rethrows the
 * client's error.
 */
export async function endSessions(api: Api): Promise<void> {
  await api.account.deleteSessions()
}

export function readCurrentSession(api: Api): Promise<Session> {
  return api.account.getSession('current')
}

/**
 * Changes some preferences. The server replaces the whole object, so the changes are merged into
 * what is stored at that moment; `undefined` removes a key.
 *
 * @returns the account as stored
 * @source product.md §8, product.md §O17, product.md §O34
 */
export async function changePrefs(api: Api, changes: Prefs): Promise<Result<Account>> {
  const stored = await resultOf(api.account.getPrefs<Prefs>())
  if (!stored.ok) return stored
  return resultOf(api.account.updatePrefs<Prefs>({ ...stored.value, ...changes }))
}

/**
 * Asks the provider who this is, with the token that it gave for the visitor's own session.
 *
 * @param userinfoUrl where the provider answers; "" on a page that must not ask
 * @throws Error 'Failed to fetch user info' on any answer but a good one, and without a token
 * @source product.md §7 "userinfo", §8
 */
export async function fetchProviderUser(
  token: string,
  userinfoUrl: string,
): Promise<{ name?: string; email?: string; sub?: string }> {
  const address = token && URL.canParse(userinfoUrl) ? new URL(userinfoUrl) : undefined
  address?.searchParams.set('alt', 'json')
  const answer =
    address && (await fetch(address, { headers: { authorization: `Bearer ${token}` } }))
  if (!answer?.ok) throw new Error('Failed to fetch user info')
  return (await answer.json()) as { name?: string; email?: string; sub?: string }
}
