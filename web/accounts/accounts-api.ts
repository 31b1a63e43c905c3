// Account calls (product.md §7) that need more than a method call on the client package. They do
// not depend on the viewer, whose state is in viewer.tsx.
import { ID } from 'appwrite'
import type { Account, OwnInvitation, Prefs, Session } from '#contract/accounts.ts'
import { type Api, type Result, resultOf } from '../api/client.ts'

type Credentials = { email: string; password: string }

/** The values of an emailed link. Never shown, never stored, never logged. */
export type LinkValues = { userId: string; secret: string }

/** Reads the viewer's account. A failure with the code 401 means: signed out. */
export function getAccount(api: Api): Promise<Result<Account>> {
  return resultOf(api.account.get<Prefs>())
}

/**
 * Calls the server for the response headers only: they name the viewer, and use-session-watch.ts
 * reads them. Unlike other calls, this one also succeeds for a guest, because the browser's console
 * would show a failed call.
 */
export async function pingForViewer({ client }: Api): Promise<void> {
  await resultOf(client.call('get', new URL(`${client.config.endpoint}/ping`), {}))
}

/** A call for which the client package has no method. */
function callAccount<Answer>(
  { client }: Api,
  method: 'post' | 'delete',
  { path = '', body }: { path?: string; body: object },
): Promise<Answer> {
  const address = new URL(`${client.config.endpoint}/account${path}`)
  return client.call(method, address, { 'content-type': 'application/json' }, { ...body })
}

/**
 * Creates the account, nothing else: signing in is the second step of the form. Rethrows the
 * client's error (product.md §8).
 *
 * @param invitation the values of the invitation link, which the client's own method cannot send
 *   (api.md §15.5)
 */
export async function createAccount(
  api: Api,
  { name, email, password }: Credentials & { name: string },
  invitation?: LinkValues,
): Promise<void> {
  if (invitation) await callAccount(api, 'post', { body: { ...invitation, email, password, name } })
  else await api.account.create(ID.unique(), email, password, name)
}

/** Reads the invitation of a link without using the link up. @source api.md §15.5 */
export function readInvitation(api: Api, link: LinkValues): Promise<OwnInvitation> {
  return callAccount(api, 'post', { path: '/invitation', body: link })
}

/**
 * Deletes the account with all its posts, likes and files.
 *
 * @param password undefined for accounts that have none: then the session must have started
 *   recently
 */
export async function deleteAccount(api: Api, password: string | undefined): Promise<void> {
  await callAccount(api, 'delete', { body: password === undefined ? {} : { password } })
}

/** Lists the viewer's sessions: the current one first, then the others from newest to oldest. */
export async function listSessions(api: Api): Promise<Session[]> {
  const { sessions } = await api.account.listSessions()
  return sessions.toSorted(
    (a, b) => Number(b.current) - Number(a.current) || b.$createdAt.localeCompare(a.$createdAt),
  )
}

/**
 * Requests an emailed link that signs the user in. If no account uses the address, the link creates
 * one (product.md §O9).
 *
 * @param next "" or a query that names the page to show after signing in
 */
export async function requestSignInLink(api: Api, email: string, next: string): Promise<void> {
  const url = `${location.origin}/sign-in-link${next}`
  await api.account.createMagicURLSession(ID.unique(), email, url)
}

/**
 * Changes some preferences. The server replaces the whole object, so the changes are merged into
 * the preferences that are stored at that moment; `undefined` removes a key.
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
 * Requests the user's profile from the provider, with the provider's token from the viewer's
 * session.
 *
 * @param userinfoUrl the provider's address; "" on pages that must not call it
 * @throws Error 'Failed to fetch user info' without a token or a successful response
 * @source product.md §7 "userinfo", §8
 */
export async function fetchProviderUser(
  token: string,
  userinfoUrl: string,
): Promise<{ name?: string; email?: string; sub?: string }> {
  const address = token && URL.canParse(userinfoUrl) ? new URL(userinfoUrl) : undefined
  address?.searchParams.set('alt', 'json')
  const response =
    address && (await fetch(address, { headers: { authorization: `Bearer ${token}` } }))
  if (!response?.ok) throw new Error('Failed to fetch user info')
  return (await response.json()) as { name?: string; email?: string; sub?: string }
}
