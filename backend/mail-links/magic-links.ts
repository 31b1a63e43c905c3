// Signing in by a link in a mail, or by one that the operator hands over. Asking never tells
// whether an address is known. Knows no HTTP and no text of a mail.
import type { MailedSecret, NewMagicUrl, Token } from '#contract/accounts.ts'
import { type Caller, logEvent } from '../accounts/caller.ts'
import { revokeAllCredentials } from '../accounts/credentials.ts'
import { listIdentityRows } from '../accounts/identities.ts'
import type { KnownBrowsers } from '../accounts/known-browsers.ts'
import { magicUrlMail } from '../accounts/mails.ts'
import { readEmail } from '../accounts/personal-details.ts'
import { addSession } from '../accounts/sessions.ts'
import type { SignedIn } from '../accounts/sign-in.ts'
import {
  findUserRow,
  findUserRowByEmail,
  insertUserRow,
  makeUserRow,
  readNewUserId,
} from '../accounts/users.ts'
import { isUniqueFault } from '../database/faults.ts'
import { lockUser } from '../database/lock-user.ts'
import type { Database, UserRow } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { readReturnUrl } from '../http/return-urls.ts'
import { makeId } from '../process/ids.ts'
import { issueToken, makeRequestAnswer, readToken, redeemForUser } from './mailed-tokens.ts'
import type { MailLinkNeeds } from './needs.ts'
import { addSecret, MAGIC_URL_PATH } from './secret-links.ts'
import { inUniformTime } from './uniform-time.ts'

export type MagicLinkNeeds = MailLinkNeeds & {
  projectId: string
  browsers: KnownBrowsers
  isRegistrationOpen: boolean
}

/**
 * An unknown address gets an account.
 *
 * @returns the `userId` that was sent, known or not.
 * @throws Refusal `general_argument_invalid`
 */
export async function startMagicUrl(
  needs: MagicLinkNeeds,
  sent: NewMagicUrl,
  caller: Caller,
): Promise<Token> {
  const at = needs.now()
  const userId = readNewUserId(sent.userId, at)
  const email = readEmail(sent.email)
  const url = sent.url
    ? readReturnUrl('url', sent.url, needs.allowedOrigins)
    : needs.publicUrl + MAGIC_URL_PATH
  const attempt = () => sendMagicUrl(needs, { userId, email, url, at }, caller)
  await inUniformTime(() =>
    attempt().catch((error: unknown) => {
      // Another call has just taken the address or the id: the second look finds it.
      if (isUniqueFault(error)) return attempt()
      throw error
    }),
  )
  return makeRequestAnswer('magic-url', userId, at)
}

async function sendMagicUrl(
  needs: MagicLinkNeeds,
  { userId, email, url, at }: { userId: string; email: string; url: string; at: Date },
  caller: Caller,
): Promise<void> {
  const { db, background, log, mailer, projectId } = needs
  const known = await findUserRowByEmail(db, email)
  if (known ? known.isBlocked : !needs.isRegistrationOpen) return
  const isIdTaken = (await findUserRow(db, userId)) !== undefined
  const id = known?.id ?? (isIdTaken ? makeId(at.getTime()) : userId)
  await inTransaction(db, background, async (tx, after) => {
    if (!known)
      await insertUserRow(tx, makeUserRow({ id, email, name: '', passwordHash: null }, at))
    const user = await lockUser(tx, id)
    if (user?.email !== email || user.isBlocked) return
    const { token, secret } = await issueToken(tx, { userId: id, kind: 'magic-url' }, { now: at })
    const link = addSecret(url, token, secret, projectId)
    const isTakenOver = await isUnproven(tx, user)
    const mail = magicUrlMail(needs, { to: email, url: link, isTakenOver })
    after('sign-in mail', () => mailer.send(mail))
  })
  if (!known) logEvent(log, 'sign-up', id, caller)
  logEvent(log, 'sign-in link asked', id, caller)
}

/**
 * Also for the operator's own links, which prove no address.
 * @throws Refusal `user_invalid_token` for every wrong pair, whether or not the user exists
 */
export async function finishMagicUrl(
  {
    db,
    background,
    log,
    now,
    browsers,
  }: Pick<MagicLinkNeeds, 'db' | 'background' | 'log' | 'now' | 'browsers'>,
  { userId, secret }: MailedSecret,
  caller: Caller,
): Promise<SignedIn> {
  const proof = { userId, secret, kinds: ['magic-url', 'sign-in'] } as const
  // Guesses take no lock of anybody's account.
  await readToken(db, proof, now())
  const { session, token } = await inTransaction(db, background, async (tx) => {
    const at = now()
    const { user, token: redeemed } = await redeemForUser(tx, proof, at)
    // Whatever was there before the address was proven may be a stranger's.
    if (redeemed.kind === 'magic-url' && !user.isVerified)
      await revokeAllCredentials(tx, userId, { passwordHash: null, isAddressProven: true, now: at })
    return addSession(tx, { userId, provider: 'magic-url', providerUid: '' }, { caller, now: at })
  })
  logEvent(log, 'sign-in', userId, caller)
  const isKnownBrowser = browsers.recognise(caller.browserMark, userId) !== undefined
  const browserMark = isKnownBrowser ? undefined : browsers.issue(userId)
  return { session, token, browserMark, rateLimitStatus: undefined }
}

/**
 * The address was never verified, and there are credentials: a stranger may have added the account,
 * or moved one here, and waited for the owner of the address to use it. Who verifies the address
 * gets the account alone.
 *
 * @source threat-model.md §6, §9
 */
async function isUnproven(
  tx: Database,
  { id, isVerified, passwordHash }: UserRow,
): Promise<boolean> {
  if (isVerified) return false
  return passwordHash !== null || (await listIdentityRows(tx, id)).length > 0
}
