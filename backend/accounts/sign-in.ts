// Signs users up, and signs them in with email and password: counts failures, verifies the
// password, starts a session.

import type { Account, NewAccount, NewEmailSession } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { RATE } from '#contract/limits.ts'
import { recordActivity } from '../activity/activity.ts'
import { emit } from '../database/domain-events.ts'
import type { UserRow } from '../database/schema.ts'
import { inTransaction, lockUser } from '../database/transaction.ts'
import {
  type Count,
  networkOf,
  type RateLimitStatus,
  rateLimitHeaders,
} from '../http/rate-limits.ts'
import { parseEmail } from '../mail/addresses.ts'
import { makeKeyedLock } from '../process/bounded-queue.ts'
import { waitForStep } from '../process/response-time-padding.ts'
import { cacheForSeconds } from '../process/single-flight.ts'
import type { BaseContext } from '../site/context.ts'
import { recordSetUp } from '../site/site.ts'
import type { AccountsContext } from './context.ts'
import { findInvitation, redeemInvitation } from './invitations.ts'
import { checkNewPassword, HASH_QUEUE_MAX, HASH_WAIT_MAX_MS } from './passwords.ts'
import type { StartedSession } from './resolve-viewer.ts'
import { toAccount } from './serialisers.ts'
import { type Caller, logEvent, type SignInResult, toHashQueueCaller } from './session-cookies.ts'
import { addSession } from './sessions.ts'
import * as store from './store.ts'
import { claimUser } from './unclaimed-users.ts'
import { addNewUser, findUserByEmail, makeUserRow, readNewUser, subjectOf } from './users.ts'

/**
 * While any account has a hash with outdated parameters, the response time of a failed sign-in is
 * padded to a multiple of this.
 */
export const OUTDATED_HASH_RESPONSE_STEP_MS = 1000

type CountedSignIn = SignInResult & { rateLimitStatus: RateLimitStatus | undefined }

const OUTDATED_HASHES_CACHE_SECONDS = 10

export type SignIn = ReturnType<typeof makeSignIn>

/**
 * Attempts for one email from one network run one after another, so that their count is exact and
 * concurrent correct passwords do not exhaust the limit.
 */
export function makeSignIn(context: AccountsContext) {
  const withLock = makeKeyedLock({ waiting: HASH_QUEUE_MAX, waitMaxMs: HASH_WAIT_MAX_MS })
  // An outdated hash and the dummy hash of an unknown address take different times to verify. The
  // database is read at most once in OUTDATED_HASHES_CACHE_SECONDS.
  const findOutdated = () => store.hasOutdatedHash(context.db, context.passwords.hashPrefix)
  const hasOutdatedHashes = cacheForSeconds(findOutdated, {
    seconds: OUTDATED_HASHES_CACHE_SECONDS,
  })
  return async (credentials: NewEmailSession, caller: Caller): Promise<CountedSignIn> => {
    const startMs = performance.now()
    const key = `${parseEmail(credentials.email)} ${networkOf(caller.address)}`
    try {
      return await withLock(key, () => signIn(context, credentials, caller), caller.signal)
    } catch (error) {
      const isWrong = error instanceof Refusal && error.type === 'user_invalid_credentials'
      if (isWrong && (await hasOutdatedHashes()))
        await waitForStep(startMs, OUTDATED_HASH_RESPONSE_STEP_MS)
      throw error
    }
  }
}

/**
 * Counts the attempt before it verifies the password, and removes the count on success, so that
 * concurrent attempts cannot exceed the limits.
 *
 * @throws Refusal `general_argument_invalid`, `general_rate_limit_exceeded`,
 *   `general_service_disabled` when too many wait, `user_blocked`, and `user_invalid_credentials`
 *   for any wrong credentials: its text, status and timing do not reveal whether the address is
 *   known
 * @source threat-model.md §3, §4, §6
 */
async function signIn(
  context: AccountsContext,
  { email: sentEmail, password }: NewEmailSession,
  caller: Caller,
): Promise<CountedSignIn> {
  const { db, log, rateLimits, passwords, browsers } = context
  const { requestId, address } = caller
  const email = parseEmail(sentEmail)
  const user = await findUserByEmail(db, sentEmail)
  const browser = browsers.recognise(caller.browserMark, user?.id)
  const counts = failureCountsOf(email, caller, browser)
  const logFields = { requestId, userId: user?.id, address }
  const rateLimitStatus = await rateLimits.takeExactly(counts).catch((error: unknown) => {
    log.warn({ event: 'lockout', ...logFields }, 'too many failed sign-ins')
    throw error
  })
  const failure = (headers = {}) => {
    log.warn({ event: 'sign-in failed', ...logFields }, 'sign-in failed')
    return new Refusal('user_invalid_credentials', undefined, { headers })
  }
  const isCorrect = await passwords
    .verify(password, user?.passwordHash ?? undefined, toHashQueueCaller(caller))
    .catch(async (error: unknown) => {
      await rateLimits.giveBack(counts)
      throw error
    })
  if (!user?.passwordHash || !isCorrect)
    throw failure(rateLimitStatus && rateLimitHeaders(rateLimitStatus))
  const [narrow, ...wide] = counts
  const [limit] = narrow.rule
  await Promise.all([rateLimits.giveBack(wide), rateLimits.forget(narrow)])
  if (user.isBlocked) throw new Refusal('user_blocked')
  const started = await startSession(context, user, caller)
  if (!started) throw failure()
  logEvent(log, 'sign-in', user.id, caller)
  upgradeHash(context, { userId: user.id, from: user.passwordHash, password })
  return {
    ...started,
    browserMark: browsers.issueUnlessRecognised(caller.browserMark, user.id),
    rateLimitStatus: rateLimitStatus && { ...rateLimitStatus, limit, remaining: limit },
  }
}

/**
 * @param verifiedUser the user whose password was verified
 * @returns undefined when the password was changed, or the user blocked or deleted, since then
 */
export function startSession(
  { db, background, now }: BaseContext,
  verifiedUser: Pick<UserRow, 'id' | 'email' | 'passwordHash'>,
  caller: Caller,
): Promise<StartedSession | undefined> {
  return inTransaction(db, background, async (tx) => {
    const user = await lockUser(tx, verifiedUser.id)
    if (!user || user.isBlocked || user.passwordHash !== verifiedUser.passwordHash) return undefined
    const origin = { userId: user.id, provider: 'email', providerUid: verifiedUser.email }
    return addSession(tx, origin, { caller, now: now() })
  })
}

/**
 * Replaces a hash with outdated parameters in the background, so that a busy server does not fail a
 * successful sign-in.
 */
function upgradeHash(
  { db, background, passwords }: AccountsContext,
  { userId, from, password }: { userId: string; from: string; password: string },
): void {
  if (!passwords.isOutdated(from)) return
  background.run('stronger hash of a password', async () =>
    store.upgradeHash(db, userId, { from, to: await passwords.hash(password) }),
  )
}

/**
 * The counts to which a failed sign-in adds. Users who sign in through a server with the API key
 * share its address, so they are counted by email only. A known browser has a count of its own, so
 * that strangers cannot lock it out.
 */
function failureCountsOf(
  email: string,
  { address, isKey }: Caller,
  browser: string | undefined,
): [narrow: Count, ...wide: Count[]] {
  const perEmail = { name: 'sign-in, e-mail', rule: RATE.signInFailuresPerEmail, key: email }
  if (isKey) return [{ ...perEmail, name: 'sign-in, e-mail and the API key' }, perEmail]
  const rule = RATE.signInFailuresPerEmailAndAddress
  const network = networkOf(address)
  if (browser) return [{ name: 'sign-in, known browser', rule, key: `${email} ${browser}` }]
  return [
    { name: 'sign-in, e-mail and address', rule, key: `${email} ${network}` },
    perEmail,
    { name: 'sign-in, address', rule: RATE.signInFailuresPerAddress, key: network },
  ]
}

// --- signing up

/**
 * Adds an account; no session starts. With the secret of an invitation, the invited address can
 * sign up even while registration is closed.
 *
 * @throws Refusal `user_invalid_token` for an invitation that is not valid or is for another
 *   address, `user_count_exceeded` when registration is closed (the only documented refusal for
 *   that), `general_argument_invalid`, `password_personal_data`, `user_already_exists` (id, or
 *   email in any spelling)
 * @source api.md §2.2, threat-model.md §3
 */
export async function signUp(
  context: AccountsContext,
  account: NewAccount,
  caller: Caller,
): Promise<Account> {
  const { db, background, log, passwords, now } = context
  const { userId, secret } = account
  const proof = secret === undefined ? undefined : { userId, secret }
  const site = await context.site.read()
  const at = now()
  // Redeemed only in the transaction below, so a refused password does not use up the invitation.
  const invitation = proof && (await findInvitation(db, proof, at))
  if (!invitation && !site.isRegistrationOpen) throw new Refusal('user_count_exceeded')
  const details = readNewUser(account, at)
  const { id, email } = details
  if (invitation && parseEmail(invitation.email) !== email) throw new Refusal('user_invalid_token')
  await checkNewPassword(account.password, details)
  // An early check, which avoids hashing in vain; the database has the last word.
  const existingUser = (await store.findUser(db, id)) ?? (await findUserByEmail(db, email))
  if (existingUser) throw new Refusal('user_already_exists')
  const passwordHash = await passwords.hash(account.password, toHashQueueCaller(caller))
  const user = makeUserRow({ ...details, passwordHash }, at, site)
  const addedUser = await inTransaction(db, background, async (tx) => {
    // Of invitations, only a mailed one proves the address.
    if (!proof) {
      await addNewUser(tx, user)
      return user
    }
    const { isMailed: isVerified, role } = await redeemInvitation(tx, proof, now())
    const newUser = { ...user, isVerified, ...(role && { labels: JSON.stringify([role]) }) }
    const claimedUser = await claimUser(tx, newUser)
    if (!claimedUser) await addNewUser(tx, newUser)
    const invited = claimedUser ?? newUser
    if (role === 'operator') await recordSetUp(tx, now())
    const self = { role: 'user', userId: invited.id, name: invited.name } as const
    await recordActivity(tx, self, now(), {
      kind: 'people',
      action: 'joined',
      subject: subjectOf(invited),
      details: { role },
    })
    await emit(tx, { kind: 'joined', invitationId: proof.userId, actor: self })
    return invited
  })
  logEvent(log, 'sign-up', addedUser.id, caller, { isInvited: proof !== undefined })
  return toAccount(addedUser)
}
