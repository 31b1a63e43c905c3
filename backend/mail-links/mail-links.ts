// Signing in by what a mail brings, a link or a code, or by what the operator or a sign-in with
// Google hands over; a new password, and verifying an address. Asking never tells whether an
// address is known. Knows no HTTP and no text of a mail.
import type {
  FinishedRecovery,
  MailedSecret,
  NewEmailCode,
  NewMagicUrl,
  Token,
} from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { listIdentityRows } from '../accounts/identities.ts'
import type { KnownBrowsers } from '../accounts/known-browsers.ts'
import { emailCodeMail, magicUrlMail, recoveryMail, verificationMail } from '../accounts/mails.ts'
import { checkNewPassword, checkPasswordLength } from '../accounts/passwords.ts'
import { readEmail } from '../accounts/personal-details.ts'
import { type Caller, hashingFor, logEvent } from '../accounts/session-cookies.ts'
import { addSession, revokeAllCredentials } from '../accounts/sessions.ts'
import type { SignedIn } from '../accounts/sign-in.ts'
import {
  confirmEmail,
  findUserRow,
  findUserRowByEmail,
  insertUserRow,
  makeUserRow,
  readNewUserId,
} from '../accounts/users.ts'
import { isUniqueFault } from '../database/faults.ts'
import type { Live } from '../database/live.ts'
import type { Database, SessionRow, TokenRow, UserRow } from '../database/schema.ts'
import { inTransaction, lockUser } from '../database/transaction.ts'
import { readReturnUrl } from '../http/origins.ts'
import type { UserViewer } from '../http/viewer.ts'
import type { Mail } from '../mail/mailer.ts'
import { makeId } from '../process/ids.ts'
import { inUniformTime } from '../process/uniform-time.ts'
import {
  addSecret,
  findSignInToken,
  issueToken,
  MAGIC_URL_PATH,
  type MailLinkNeeds,
  makeCode,
  makePhrase,
  makeRequestAnswer,
  readToken,
  redeemForUser,
  redeemSignInToken,
  toToken,
} from './mailed-tokens.ts'

/**
 * An unknown address gets an account.
 *
 * @returns the `userId` that was sent, known or not.
 * @throws Refusal `general_argument_invalid`
 */
export async function startMagicUrl(
  needs: MailLinkNeeds,
  sent: NewMagicUrl,
  caller: Caller,
): Promise<Token> {
  const at = needs.now()
  const userId = readNewUserId(sent.userId, at)
  const email = readEmail(sent.email)
  const url = sent.url
    ? readReturnUrl('url', sent.url, needs.allowedOrigins)
    : needs.publicUrl + MAGIC_URL_PATH
  await sendToAddress(needs, { userId, email, at, caller }, async (tx, user, isTakenOver) => {
    const asked = { userId: user.id, kind: 'magic-url' } as const
    const { token, secret } = await issueToken(tx, asked, { now: at })
    const link = addSecret(url, token, secret, needs.projectId)
    return magicUrlMail(needs, { to: email, url: link, isTakenOver })
  })
  return makeRequestAnswer('magic-url', userId, at)
}

/**
 * An unknown address gets an account.
 *
 * @returns the `userId` that was sent, known or not: the code works with it. `phrase` is two words
 *   for the person to compare, when they were asked for
 * @throws Refusal `general_argument_invalid`
 */
export async function startEmailCode(
  needs: MailLinkNeeds,
  sent: NewEmailCode,
  caller: Caller,
): Promise<Token & { phrase: string }> {
  const at = needs.now()
  const userId = readNewUserId(sent.userId, at)
  const email = readEmail(sent.email)
  const phrase = sent.phrase ? makePhrase() : ''
  await sendToAddress(needs, { userId, email, at, caller }, async (tx, user, isTakenOver) => {
    const asked = { userId: user.id, kind: 'email-code', alias: userId } as const
    const { secret } = await issueToken(tx, asked, { now: at, secret: makeCode() })
    return emailCodeMail(needs, { to: email, code: secret, phrase, isTakenOver })
  })
  return { ...makeRequestAnswer('email-code', userId, at), phrase }
}

type Asked = { userId: string; email: string; at: Date; caller: Caller }
/** @param isTakenOver as `magicUrlMail` takes it */
type MakeMail = (tx: Database, user: UserRow, isTakenOver: boolean) => Promise<Mail>

/** Takes the same time whatever there was to do. */
async function sendToAddress(
  needs: MailLinkNeeds,
  asked: Asked,
  makeMail: MakeMail,
): Promise<void> {
  const attempt = () => trySending(needs, asked, makeMail)
  await inUniformTime(() =>
    attempt().catch((error: unknown) => {
      // Another call has just taken the address or the id: the second look finds it.
      if (isUniqueFault(error)) return attempt()
      throw error
    }),
  )
}

async function trySending(
  needs: MailLinkNeeds,
  { userId, email, at, caller }: Asked,
  makeMail: MakeMail,
): Promise<void> {
  const { db, background, log, mailer } = needs
  const known = await findUserRowByEmail(db, email)
  if (known ? known.isBlocked : !needs.isRegistrationOpen) return
  const isIdTaken = (await findUserRow(db, userId)) !== undefined
  const id = known?.id ?? (isIdTaken ? makeId(at.getTime()) : userId)
  await inTransaction(db, background, async (tx, after) => {
    if (!known)
      await insertUserRow(tx, makeUserRow({ id, email, name: '', passwordHash: null }, at))
    const user = await lockUser(tx, id)
    if (user?.email !== email || user.isBlocked) return
    const mail = await makeMail(tx, user, await isUnproven(tx, user))
    after('sign-in mail', () => mailer.send(mail))
  })
  if (!known) logEvent(log, 'sign-up', id, caller)
  logEvent(log, 'sign-in mail asked', id, caller)
}

/**
 * Also for what the operator or a sign-in at a provider handed over, which proves no address.
 * @throws Refusal `user_invalid_token` for every wrong pair, whether or not the user exists
 */
export async function finishMagicUrl(
  needs: Live & { browsers: KnownBrowsers },
  sent: MailedSecret,
  caller: Caller,
): Promise<SignedIn> {
  const { db, background, log, now, browsers } = needs
  // Guesses take no lock of anybody's account.
  const found = await findSignInToken(db, sent, now())
  const { userId } = found
  const { session, token } = await inTransaction(db, background, async (tx) => {
    const at = now()
    const user = await redeemSignInToken(tx, found)
    const isMailed = found.kind === 'magic-url' || found.kind === 'email-code'
    // Whatever was there before the address was proven may be a stranger's.
    if (isMailed && !user.isVerified)
      await revokeAllCredentials(tx, userId, { passwordHash: null, isAddressProven: true, now: at })
    return addSession(tx, { userId, ...beginningOf(found, user) }, { caller, now: at })
  })
  logEvent(log, 'sign-in', userId, caller)
  const isKnownBrowser = browsers.recognise(caller.browserMark, userId) !== undefined
  const browserMark = isKnownBrowser ? undefined : browsers.issue(userId)
  return { session, token, browserMark, rateLimitStatus: undefined }
}

/** How the session began, as the list of sessions says it. */
function beginningOf(
  { kind, providerUid }: TokenRow,
  { email }: UserRow,
): Pick<SessionRow, 'provider' | 'providerUid'> {
  if (kind === 'email-code') return { provider: 'email', providerUid: email }
  // Google is the one provider that there is.
  return kind === 'oauth2'
    ? { provider: 'google', providerUid }
    : { provider: 'magic-url', providerUid: '' }
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

// --- a new password by a link in a mail

const RECOVERY_PAGE = '/verifyUserEmailLink'

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
  { db, background, log, now, passwords }: MailLinkNeeds,
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

// --- verifying the account's address by a link in a mail

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
  { db, background, log, now }: Live,
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
