// Signs users in with a mailed link or code, or with a token that an operator or a sign-in with
// Google has issued; sets a new password, or verifies an address, with a mailed link. Responses
// never reveal whether an address is known.

import type {
  MailedSecret,
  NewEmailCode,
  NewMagicUrl,
  RecoveryCompletion,
  Token,
} from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import type { AccountsContext } from '../accounts/context.ts'
import { listIdentities } from '../accounts/identities.ts'
import { emailCodeMail, magicUrlMail, recoveryMail, verificationMail } from '../accounts/mails.ts'
import { checkNewPassword, checkPasswordLength } from '../accounts/passwords.ts'
import { isPlaceholderEmail } from '../accounts/placeholder-email.ts'
import { type Caller, logEvent, toHashQueueCaller } from '../accounts/session-cookies.ts'
import { addSession, deviceOf, revokeAllCredentials } from '../accounts/sessions.ts'
import {
  confirmEmail,
  findUserByEmail,
  findUserRow,
  insertUser,
  lockUnblockedUser,
  makeUserRow,
  readNewUserId,
  subjectOf,
} from '../accounts/users.ts'
import { recordActivity } from '../activity/activity.ts'
import { retryIfTaken } from '../database/database-errors.ts'
import type { Database, TokenRow, UserRow } from '../database/schema.ts'
import { inTransaction, lockUser } from '../database/transaction.ts'
import { originsFor, readReturnUrl, type UserViewer } from '../http/viewer.ts'
import { parseEmail } from '../mail/addresses.ts'
import type { Mail } from '../mail/mailer.ts'
import { makeId } from '../process/ids.ts'
import { padResponseTime } from '../process/response-time-padding.ts'
import type { BaseContext } from '../site/context.ts'
import type { SiteSnapshot } from '../site/site.ts'
import * as tokens from './one-time-tokens.ts'

/**
 * Mails a link to sign in. An unknown address gets an account.
 *
 * @returns the `userId` that was sent, known or not.
 * @throws Refusal `general_argument_invalid`
 */
export async function startMagicUrl(context: AccountsContext, params: NewMagicUrl, caller: Caller) {
  const mailRequest = readMailRequest(context, params, caller)
  const { at, newId: userId } = mailRequest
  const url = params.url
    ? readReturnUrl('url', params.url, originsFor(caller.host, context))
    : context.publicUrl + tokens.MAGIC_URL_PATH
  await sendToAddress(context, mailRequest, async (tx, user, site) => {
    const issued = await tokens.issueToken(tx, { userId: user.id, kind: 'magic-url', now: at })
    const link = tokens.addSecret(url, issued, context.projectId)
    const revokesOtherSignIns = await hasUnprovenCredentials(tx, user)
    return magicUrlMail(site, {
      to: user.email,
      url: link,
      tokenId: issued.token.id,
      revokesOtherSignIns,
    })
  })
  return tokens.makeDecoyToken('magic-url', userId, at)
}

/**
 * Mails a code to sign in. An unknown address gets an account.
 *
 * @returns the `userId` that was sent, known or not: the code works with it. `phrase` is two words
 *   for the user to compare, if the client requested them
 * @throws Refusal `general_argument_invalid`
 */
export async function startEmailCode(
  context: AccountsContext,
  params: NewEmailCode,
  caller: Caller,
) {
  const mailRequest = readMailRequest(context, params, caller)
  const { at, newId: userId } = mailRequest
  const phrase = params.phrase ? tokens.makePhrase() : ''
  await sendToAddress(context, mailRequest, async (tx, user, site) => {
    const code = tokens.makeCode()
    const newToken = { userId: user.id, kind: 'email-code', alias: userId, now: at } as const
    const issued = await tokens.issueToken(tx, newToken, { secret: code })
    const revokesOtherSignIns = await hasUnprovenCredentials(tx, user)
    const tokenId = issued.token.id
    return emailCodeMail(site, { to: user.email, code, tokenId, phrase, revokesOtherSignIns })
  })
  return { ...tokens.makeDecoyToken('email-code', userId, at), phrase }
}

type MailRequest = {
  /** As the client sent it. */
  email: string
  at: Date
  caller: Caller
  /** For the log. */
  event: string
  /** The id of a new account for an unknown address; without it no account is added. */
  newId?: string
}
/** @throws Refusal `general_argument_invalid` */
function readMailRequest(
  { now }: AccountsContext,
  params: { userId: string; email: string },
  caller: Caller,
) {
  const at = now()
  const requestedId = readNewUserId(params.userId, at)
  // Nobody has such an address.
  const newId = isPlaceholderEmail(parseEmail(params.email)) ? '' : requestedId
  return { email: params.email, at, caller, event: 'sign-in mail asked', newId }
}

type MakeMail = (tx: Database, user: UserRow, site: SiteSnapshot) => Promise<Mail>

/** Sends the mail if the address is known or gets an account. Always takes the same time. */
const sendToAddress = (...args: Parameters<typeof attemptToSend>): Promise<void> =>
  padResponseTime(() => retryIfTaken(() => attemptToSend(...args)))

async function attemptToSend(
  context: AccountsContext,
  mailRequest: MailRequest,
  makeMail: MakeMail,
): Promise<void> {
  const { db, background, log, mailer } = context
  const { at, caller, event, newId = '' } = mailRequest
  const site = await context.site.read()
  const existingUser = await findUserByEmail(db, mailRequest.email)
  const email = existingUser?.email ?? parseEmail(mailRequest.email)
  if (existingUser ? existingUser.isBlocked : newId === '' || !site.isRegistrationOpen) return
  const isIdTaken = (await findUserRow(db, newId)) !== undefined
  const id = existingUser?.id ?? (isIdTaken ? makeId(at.getTime()) : newId)
  await inTransaction(db, background, async (tx, afterCommit) => {
    if (!existingUser)
      await insertUser(tx, makeUserRow({ id, email, name: '', passwordHash: null }, at, site))
    const user = await lockUser(tx, id)
    if (user?.email !== email || user.isBlocked) return
    const mail = await makeMail(tx, user, site)
    afterCommit(event, () => mailer.send(mail))
  })
  if (!existingUser) logEvent(log, 'sign-up', id, caller)
  logEvent(log, event, id, caller)
}

/**
 * Signs in with a mailed link or code, or with a token from an operator or a provider, which does
 * not prove the address.
 * @throws Refusal `user_invalid_token` for a wrong id or secret, whether or not the user exists
 */
export async function signInWithToken(
  context: AccountsContext,
  params: MailedSecret,
  caller: Caller,
) {
  const { db, background, log, now, browsers } = context
  // Found before the transaction, so that guesses do not lock the account.
  const signInToken = await tokens.findSignInToken(db, params, now())
  const { userId } = signInToken
  const { session, token } = await inTransaction(db, background, async (tx) => {
    const at = now()
    const user = await tokens.redeemToken(tx, signInToken, at)
    const isMailed = signInToken.kind === 'magic-url' || signInToken.kind === 'email-code'
    // Credentials that are older than this proof of the address may be a stranger's.
    if (isMailed && !user.isVerified)
      await revokeAllCredentials(tx, userId, { passwordHash: null, isAddressProven: true, now: at })
    if (signInToken.kind === 'sign-in') {
      const self = { role: 'user', userId, name: user.name } as const
      const issuer = await findUserRow(tx, signInToken.openedBy)
      const madeBy = issuer && (issuer.name || issuer.email)
      const details = { address: caller.address, device: deviceOf(caller), madeBy }
      await recordActivity(tx, self, at, {
        kind: 'people',
        action: 'linkUsed',
        subject: { ...subjectOf(user), id: signInToken.id },
        details,
      })
    }
    const { openedBy, openedRole } = signInToken
    const origin = { userId, openedBy, openedRole, ...sessionOriginOf(signInToken, user) }
    return addSession(tx, origin, { caller, now: at })
  })
  logEvent(log, 'sign-in', userId, caller)
  // The browser may be the operator's, which must not count as known to the user.
  if (signInToken.openedBy !== '') return { session, token }
  return { session, token, browserMark: browsers.issueUnlessRecognised(caller.browserMark, userId) }
}

/** The provider of the session, for the list of sessions. */
function sessionOriginOf({ kind, providerUid }: TokenRow, { email }: UserRow) {
  if (kind === 'email-code') return { provider: 'email', providerUid: email }
  // Google is the only provider.
  return kind === 'oauth2'
    ? { provider: 'google', providerUid }
    : { provider: 'magic-url', providerUid: '' }
}

/**
 * Whether the account has credentials but its address was never verified: a stranger may have
 * created it, or changed its address, and wait for the owner of the address to use it. Verifying
 * the address revokes these credentials.
 *
 * @source threat-model.md §6, §9
 */
async function hasUnprovenCredentials(tx: Database, { id, isVerified, passwordHash }: UserRow) {
  if (isVerified) return false
  return passwordHash !== null || (await listIdentities(tx, id)).length > 0
}

// --- a new password by a link in a mail

const RECOVERY_PAGE = '/verifyUserEmailLink'

/**
 * @returns the same fields in every case, with a random `userId`, so that the response does not
 *   reveal whether the address is known.
 * @throws Refusal `general_argument_invalid`
 */
export async function startRecovery(
  context: AccountsContext,
  params: { email: string; url: string },
  caller: Caller,
): Promise<Token> {
  parseEmail(params.email)
  const url = readReturnUrl('url', params.url, originsFor(caller.host, context))
  const at = context.now()
  await sendToAddress(
    context,
    { email: params.email, at, caller, event: 'recovery asked' },
    async (tx, user, site) => {
      const issued = await tokens.issueToken(tx, { userId: user.id, kind: 'recovery', now: at })
      return recoveryMail(site, {
        to: user.email,
        url: withAddress(tokens.addSecret(url, issued), user.email),
        tokenId: issued.token.id,
      })
    },
  )
  return tokens.makeDecoyToken('recovery', makeId(at.getTime()), at)
}

/** Adds the address for password managers, as a fragment, which browsers do not send to servers. */
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
 *   a wrong id or secret, `password_personal_data`
 */
export async function finishRecovery(
  context: AccountsContext,
  params: RecoveryCompletion,
  caller: Caller,
) {
  const { db, background, log, now, passwords } = context
  const { userId, secret, password, passwordAgain } = params
  if (passwordAgain !== undefined && passwordAgain !== password)
    throw new Refusal('user_password_mismatch')
  checkPasswordLength(password)
  // Read first, so that guesses cause no hashing. Redeemed last, so that a refused password does
  // not use up the link.
  const token = await tokens.readToken(db, { userId, secret, kind: 'recovery' }, now())
  const owner = await findUserRow(db, userId)
  if (!owner) throw new Refusal('user_invalid_token')
  await checkNewPassword(password, owner)
  const passwordHash = await passwords.hash(password, toHashQueueCaller(caller))
  await inTransaction(db, background, async (tx) => {
    await tokens.redeemToken(tx, token, now())
    await revokeAllCredentials(tx, userId, {
      passwordHash,
      passwordSetBy: token.openedBy,
      isAddressProven: true,
      now: now(),
    })
  })
  logEvent(log, 'password recovered', userId, caller)
  return tokens.toToken(token)
}

// --- verifying the account's address by a link in a mail

/** @throws Refusal `user_email_alread_verified`, `general_argument_invalid` */
export async function startVerification(
  context: AccountsContext,
  viewer: UserViewer,
  sentUrl: string,
  caller: Caller,
): Promise<Token> {
  const { db, background, mailer, now } = context
  const { userId } = viewer
  const url = readReturnUrl('url', sentUrl, originsFor(caller.host, context))
  const site = await context.site.read()
  const token = await inTransaction(db, background, async (tx, afterCommit) => {
    const user = await lockUnblockedUser(tx, userId)
    if (user.isVerified) throw new Refusal('user_email_alread_verified')
    const issued = await tokens.issueToken(tx, { userId, kind: 'verification', now: now() })
    const link = tokens.addSecret(url, issued)
    const mail = verificationMail(site, { to: user.email, url: link, tokenId: issued.token.id })
    afterCommit('verification mail', () => mailer.send(mail))
    return issued.token
  })
  logEvent(context.log, 'verification asked', userId, caller)
  return tokens.toToken(token)
}

/** @throws Refusal `user_invalid_token` for a wrong id or secret, whether or not the user exists */
export async function finishVerification(
  context: BaseContext,
  params: MailedSecret,
  caller: Caller,
) {
  const { db, background, log, now } = context
  const { userId, secret } = params
  // Read before the transaction, so that guesses do not lock the account.
  const token = await tokens.readToken(db, { userId, secret, kind: 'verification' }, now())
  await inTransaction(db, background, async (tx) => {
    await tokens.redeemToken(tx, token, now())
    await confirmEmail(tx, userId, now())
  })
  logEvent(log, 'email verified', userId, caller)
  return tokens.toToken(token)
}
