// A new password by a link in a mail. Asking never tells whether an address is known. Knows no HTTP
// and no text of a mail.
import type { FinishedRecovery, Token } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { type Caller, hashingFor, logEvent } from '../accounts/caller.ts'
import { revokeAllCredentials } from '../accounts/credentials.ts'
import { recoveryMail } from '../accounts/mails.ts'
import { checkNewPassword, checkPasswordLength, type Passwords } from '../accounts/passwords.ts'
import { readEmail } from '../accounts/personal-details.ts'
import { findUserRow, findUserRowByEmail } from '../accounts/users.ts'
import { inTransaction, lockUser } from '../database/transaction.ts'
import { readReturnUrl } from '../http/return-urls.ts'
import { makeId } from '../process/ids.ts'
import { inUniformTime } from '../process/uniform-time.ts'
import {
  issueToken,
  makeRequestAnswer,
  readToken,
  redeemForUser,
  toToken,
} from './mailed-tokens.ts'
import type { MailLinkNeeds } from './needs.ts'
import { addSecret } from './secret-links.ts'

const RECOVERY_PAGE = '/verifyUserEmailLink'

export type RecoveryNeeds = MailLinkNeeds & { passwords: Passwords }

/**
 * @returns the same fields whoever asks; `userId` is random, so nothing tells whether the address
 *   is known.
 * @throws Refusal `general_argument_invalid`
 */
export async function startRecovery(
  needs: MailLinkNeeds,
  sent: { email: string; url: string },
  caller: Caller,
): Promise<Token> {
  const email = readEmail(sent.email)
  const url = readReturnUrl('url', sent.url, needs.allowedOrigins)
  const at = needs.now()
  await inUniformTime(() => sendRecovery(needs, { email, url, at }, caller))
  return makeRequestAnswer('recovery', makeId(at.getTime()), at)
}

async function sendRecovery(
  needs: MailLinkNeeds,
  { email, url, at }: { email: string; url: string; at: Date },
  caller: Caller,
): Promise<void> {
  const { db, background, log, mailer } = needs
  const known = await findUserRowByEmail(db, email)
  if (!known || known.isBlocked) return
  await inTransaction(db, background, async (tx, after) => {
    const user = await lockUser(tx, known.id)
    if (user?.email !== email || user.isBlocked) return
    const { token, secret } = await issueToken(
      tx,
      { userId: user.id, kind: 'recovery' },
      { now: at },
    )
    const link = withAddress(addSecret(url, token, secret), email)
    const mail = recoveryMail(needs, { to: email, url: link })
    after('recovery mail', () => mailer.send(mail))
  })
  logEvent(log, 'recovery asked', known.id, caller)
}

/** Our page tells password managers whose password it is. No server sees a fragment. */
function withAddress(url: string, email: string): string {
  const link = new URL(url)
  if (link.pathname === RECOVERY_PAGE && !link.hash)
    link.hash = `email=${encodeURIComponent(email)}`
  return link.href
}

/**
 * Sets the password and verifies the address; every other credential stops working.
 *
 * @throws Refusal `user_password_mismatch`, `general_argument_invalid`, `user_invalid_token` for
 *   every wrong pair, `password_personal_data`
 */
export async function finishRecovery(
  { db, background, log, now, passwords }: RecoveryNeeds,
  { userId, secret, password, passwordAgain }: FinishedRecovery,
  caller: Caller,
): Promise<Token> {
  if (passwordAgain !== undefined && passwordAgain !== password)
    throw new Refusal('user_password_mismatch')
  checkPasswordLength(password)
  const proof = { userId, secret, kinds: ['recovery'] } as const
  // Looked at first, redeemed last: a password that is refused does not cost the link, and guesses
  // cost no hashing.
  await readToken(db, proof, now())
  const owner = await findUserRow(db, userId)
  if (!owner) throw new Refusal('user_invalid_token')
  await checkNewPassword(password, owner)
  const passwordHash = await passwords.hash(password, hashingFor(caller))
  const token = await inTransaction(db, background, async (tx) => {
    const at = now()
    const redeemed = await redeemForUser(tx, proof, at)
    await revokeAllCredentials(tx, userId, { passwordHash, isAddressProven: true, now: at })
    return redeemed.token
  })
  logEvent(log, 'password recovered', userId, caller)
  return toToken(token)
}
