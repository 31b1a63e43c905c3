// The calls around mailed links (product.md §7, api.md §2.3). Each asks for a mail or uses the
// values of one, and rejects when it fails.
import { ID } from 'appwrite'
import type { Api } from '../api/client.ts'

/** What a mailed link carries. Never shown, never kept, never in a log. */
export type LinkValues = { userId: string; secret: string }

/** Between two mails to the same address. */
export const MAIL_PAUSE_SECONDS = 60

/** The answer is the same whether or not an account uses the address. */
export async function requestRecovery(api: Api, email: string): Promise<void> {
  await api.account.createRecovery(email, `${location.origin}/verifyUserEmailLink`)
}

/** Sets the new password; every session of the account ends. */
export async function recoverPassword(
  api: Api,
  { userId, secret }: LinkValues,
  password: string,
): Promise<void> {
  await api.account.updateRecovery(userId, secret, password, password)
}

/** For the signed-in person's own address. */
export async function requestVerification(api: Api): Promise<void> {
  await api.account.createVerification(`${location.origin}/verification`)
}

export async function confirmEmail(api: Api, { userId, secret }: LinkValues): Promise<void> {
  await api.account.updateVerification(userId, secret)
}

/**
 * Asks for a link that signs in; for an unknown address the link creates the account
 * (product.md §O9).
 *
 * @param next "" or a query that names the page to go on to
 */
export async function requestSignInLink(api: Api, email: string, next: string): Promise<void> {
  await api.account.createMagicURLSession(
    ID.unique(),
    email,
    `${location.origin}/sign-in-link${next}`,
  )
}

/** Starts a session in this browser. */
export async function finishSignInLink(api: Api, { userId, secret }: LinkValues): Promise<void> {
  await api.account.updateMagicURLSession(userId, secret)
}
