// A new password by a link in a mail. Asking never tells whether an address is known. Knows no HTTP
// and no text of a mail.
import type { FinishedRecovery, Token } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { type Caller, logEvent } from '../accounts/caller.ts'
import { resetPassword } from '../accounts/credentials.ts'
import { recoveryMail } from '../accounts/mails.ts'
import { checkNewPassword, checkPasswordLength, type Passwords } from '../accounts/passwords.ts'
import { readEmail } from '../accounts/personal-details.ts'
import { findUserRowByEmail, readUserRow } from '../accounts/users.ts'
import { lockUser } from '../database/lock-user.ts'
import { inTransaction } from '../database/transaction.ts'
import { readReturnUrl } from '../http/return-urls.ts'
import { makeId } from '../process/ids.ts'
import { issueToken, makeRequestAnswer, readToken, redeemToken, toToken } from './mailed-tokens.ts'
import type { MailLinkNeeds } from './needs.ts'
import { addSecret } from './secret-links.ts'
import { inUniformTime } from './uniform-time.ts'

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
    const mail = recoveryMail(needs, { to: email, url: addSecret(url, token, secret) })
    after('recovery mail', () => mailer.send(mail))
  })
  logEvent(log, 'recovery asked', known.id, caller)
}

/**
 * Sets the password, verifies the address, ends all sessions and revokes all other mailed tokens.
 *
 * @throws Refusal `user_password_mismatch`, `general_argument_invalid`, `user_not_found`,
 *   `user_invalid_token`, `password_personal_data`
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
  const owner = await readUserRow(db, userId)
  await readToken(db, proof, now())
  await checkNewPassword(password, owner)
  const passwordHash = await passwords.hash(password)
  const token = await inTransaction(db, background, async (tx) => {
    await lockUser(tx, userId)
    const at = now()
    const redeemed = await redeemToken(tx, proof, at)
    await resetPassword(tx, userId, { passwordHash, now: at })
    return redeemed
  })
  logEvent(log, 'password recovered', userId, caller)
  return toToken(token)
}
