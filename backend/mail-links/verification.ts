// Verifying the account's address by a link in a mail. Knows no HTTP and no text of a mail.
import type { MailedSecret, Token } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { type Caller, logEvent } from '../accounts/caller.ts'
import { verificationMail } from '../accounts/mails.ts'
import { confirmEmail } from '../accounts/users.ts'
import { inTransaction, lockUser } from '../database/transaction.ts'
import { readReturnUrl } from '../http/return-urls.ts'
import type { UserViewer } from '../http/viewer.ts'
import { issueToken, readToken, redeemForUser, toToken } from './mailed-tokens.ts'
import type { MailLinkNeeds } from './needs.ts'
import { addSecret } from './secret-links.ts'

/** @throws Refusal `user_email_alread_verified`, `general_argument_invalid` */
export async function startVerification(
  needs: MailLinkNeeds,
  viewer: UserViewer,
  sentUrl: string,
  caller: Caller,
): Promise<Token> {
  const { db, background, log, mailer, now } = needs
  const url = readReturnUrl('url', sentUrl, needs.allowedOrigins)
  const at = now()
  const token = await inTransaction(db, background, async (tx, after) => {
    const user = await lockUser(tx, viewer.userId)
    if (!user) throw new Refusal('user_not_found')
    if (user.isVerified) throw new Refusal('user_email_alread_verified')
    const issued = await issueToken(tx, { userId: user.id, kind: 'verification' }, { now: at })
    const link = addSecret(url, issued.token, issued.secret)
    const mail = verificationMail(needs, { to: user.email, url: link })
    after('verification mail', () => mailer.send(mail))
    return issued.token
  })
  logEvent(log, 'verification asked', viewer.userId, caller)
  return toToken(token)
}

/** @throws Refusal `user_invalid_token` for every wrong pair, whether or not the user exists */
export async function finishVerification(
  { db, background, log, now }: Pick<MailLinkNeeds, 'db' | 'background' | 'log' | 'now'>,
  { userId, secret }: MailedSecret,
  caller: Caller,
): Promise<Token> {
  const proof = { userId, secret, kinds: ['verification'] } as const
  // Guesses take no lock of anybody's account.
  await readToken(db, proof, now())
  const token = await inTransaction(db, background, async (tx) => {
    const at = now()
    const redeemed = await redeemForUser(tx, proof, at)
    await confirmEmail(tx, userId, at)
    return redeemed.token
  })
  logEvent(log, 'e-mail verified', userId, caller)
  return toToken(token)
}
