// Signing up, and signing in with e-mail and password: counts failures, checks the password, starts
// a session. Knows no HTTP.
import type { Account, InvitationProof, NewAccount, NewEmailSession } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { RATE } from '#contract/limits.ts'
import type { Live } from '../database/live.ts'
import type { UserRow } from '../database/schema.ts'
import { inTransaction, lockUser } from '../database/transaction.ts'
import {
  type Count,
  networkOf,
  type RateLimitStatus,
  type RateLimits,
  rateLimitHeaders,
} from '../http/rate-limits.ts'
import { makeKeyedLock } from '../process/bounded-queue.ts'
import type { Log } from '../process/log.ts'
import { untilStep } from '../process/uniform-time.ts'
import type { StartedSession } from './find-viewer.ts'
import { isWholePassword } from './imported-hashes.ts'
import { findInvitation, redeemInvitation } from './invitations.ts'
import type { KnownBrowsers } from './known-browsers.ts'
import {
  checkNewPassword,
  checkPasswordLength,
  HASH_PREFIX,
  HASH_QUEUE_MAX,
  HASH_WAIT_MAX_MS,
  type Passwords,
} from './passwords.ts'
import { readEmail, readName } from './personal-details.ts'
import { type Caller, hashingFor } from './session-cookies.ts'
import { addSession } from './sessions.ts'
import { toAccount } from './shapes.ts'
import * as store from './store.ts'
import { isTaken } from './store.ts'
import { addNewUser, makeUserRow, readNewUserId } from './users.ts'

/**
 * As long as some accounts have a hash of another cost than ours, a failed sign-in is answered at a
 * multiple of this time.
 */
export const IMPORTED_ANSWER_MS = 1000

export type SignedIn = StartedSession & {
  /** A new mark for the browser; undefined when it carries a good one. */
  browserMark: string | undefined
  rateLimitStatus: RateLimitStatus | undefined
}

export type SignInNeeds = Live & {
  rateLimits: RateLimits
  passwords: Passwords
  browsers: KnownBrowsers
}

/** What one attempt is about, all of it worked out before the password is looked at. */
type Attempt = {
  email: string
  password: string
  network: string
  caller: Caller
}

/**
 * Attempts for one e-mail from one network run one after another: their count is exact, and right
 * passwords never push each other out.
 */
export function makeSignIn(needs: SignInNeeds) {
  const withLock = makeKeyedLock({ waiting: HASH_QUEUE_MAX, waitMaxMs: HASH_WAIT_MAX_MS })
  const hasOtherHashes = makeOtherHashes(needs)
  return async (sent: NewEmailSession, caller: Caller): Promise<SignedIn> => {
    const startMs = performance.now()
    const email = readEmail(sent.email)
    checkPasswordLength(sent.password)
    const network = networkOf(caller.address)
    const attempt = { email, password: sent.password, network, caller }
    try {
      return await withLock(`${email} ${network}`, () => signIn(needs, attempt), caller.signal)
    } catch (error) {
      const isWrong = error instanceof Refusal && error.type === 'user_invalid_credentials'
      if (isWrong && (await hasOtherHashes())) await untilStep(startMs, IMPORTED_ANSWER_MS)
      throw error
    }
  }
}

const OTHER_HASHES_KNOWN_MS = 10_000

/**
 * Whether some accounts have a hash of another cost than ours: checking it takes another time than
 * finding that an address is unknown. Asked of the database at most once in a while.
 */
function makeOtherHashes({ db }: Live): () => Promise<boolean> {
  let known: { hasSome: boolean; untilMs: number } | undefined
  return async () => {
    if (!known || known.untilMs < performance.now()) {
      const hasSome = await store.hasOtherHash(db, HASH_PREFIX)
      known = { hasSome, untilMs: performance.now() + OTHER_HASHES_KNOWN_MS }
    }
    return known.hasSome
  }
}

/**
 * Counts the attempt before it is checked, and gives the count back when it succeeds, so that many
 * attempts at once get no further than many in a row.
 *
 * @throws Refusal `general_argument_invalid`, `general_rate_limit_exceeded`,
 *   `general_service_disabled` when too many wait, `user_blocked`, and `user_invalid_credentials`
 *   whatever is wrong: text, status and time do not tell whether the address is known
 * @source threat-model.md §3, §4, §6
 */
async function signIn(needs: SignInNeeds, attempt: Attempt): Promise<SignedIn> {
  const { db, log, rateLimits, passwords, browsers } = needs
  const { email, password, network, caller } = attempt
  const user = await store.findUserByEmail(db, email)
  const browser = browsers.recognise(caller.browserMark, user?.id)
  const counts = caller.isKey ? countsForKey(email) : countsOf(email, network, browser)
  const rateLimitStatus = await takeCounts(needs, counts, user, caller)
  const isRight = await passwords
    .isRight(password, user?.passwordHash ?? undefined, hashingFor(caller))
    .catch(async (error: unknown) => {
      await rateLimits.giveBack(counts)
      throw error
    })
  if (!user?.passwordHash || !isRight) throw failure(log, user, caller, rateLimitStatus)
  const [narrow, ...wide] = counts
  await Promise.all([rateLimits.giveBack(wide), rateLimits.forget(narrow)])
  if (user.isBlocked) throw new Refusal('user_blocked')
  const started = await startSession(needs, user, caller)
  if (!started) throw failure(log, user, caller, undefined)
  const { requestId, address } = caller
  log.info({ event: 'sign-in', requestId, userId: user.id, address }, 'signed in')
  strengthenHash(needs, { userId: user.id, from: user.passwordHash, password })
  return {
    session: started.session,
    token: started.token,
    browserMark: browser === undefined ? browsers.issue(user.id) : undefined,
    rateLimitStatus: rateLimitStatus && {
      limit: narrow.rule[0],
      remaining: narrow.rule[0],
      resetSeconds: rateLimitStatus.resetSeconds,
    },
  }
}

/** @throws Refusal `general_rate_limit_exceeded` */
async function takeCounts(
  { rateLimits, log }: Pick<SignInNeeds, 'rateLimits' | 'log'>,
  counts: Count[],
  user: UserRow | undefined,
  { requestId, address }: Caller,
): Promise<RateLimitStatus | undefined> {
  try {
    return await rateLimits.takeExactly(counts)
  } catch (error) {
    log.warn({ event: 'lockout', requestId, userId: user?.id, address }, 'too many failed sign-ins')
    throw error
  }
}

function failure(
  log: Log,
  user: UserRow | undefined,
  { requestId, address }: Caller,
  rateLimitStatus: RateLimitStatus | undefined,
): Refusal {
  log.warn({ event: 'sign-in failed', requestId, userId: user?.id, address }, 'sign-in failed')
  return new Refusal('user_invalid_credentials', undefined, {
    headers: rateLimitStatus ? rateLimitHeaders(rateLimitStatus) : {},
  })
}

/**
 * @param checked the user as the password was checked for
 * @returns undefined when the user has changed the password, was blocked or deleted since then
 */
export function startSession(
  { db, background, now }: Omit<Live, 'log'>,
  checked: Pick<UserRow, 'id' | 'email' | 'passwordHash'>,
  caller: Caller,
): Promise<StartedSession | undefined> {
  return inTransaction(db, background, async (tx) => {
    const user = await lockUser(tx, checked.id)
    if (!user || user.isBlocked || user.passwordHash !== checked.passwordHash) return undefined
    return addSession(
      tx,
      { userId: user.id, provider: 'email', providerUid: checked.email },
      { caller, now: now() },
    )
  })
}

/**
 * Replaces a hash made elsewhere or with other parameters. Beside the answer: a busy server must
 * not turn a sign-in that worked into a failure.
 */
function strengthenHash(
  { db, background, passwords }: Pick<SignInNeeds, 'db' | 'background' | 'passwords'>,
  { userId, from, password }: { userId: string; from: string; password: string },
): void {
  if (!passwords.isOutdated(from) || !isWholePassword(password, from)) return
  background.run('stronger hash of a password', async () =>
    store.upgradeHash(db, userId, { from, to: await passwords.hash(password) }),
  )
}

/**
 * All people whom a server signs in come from its one address: only who they say they are counts.
 */
function countsForKey(email: string): [narrow: Count, ...wide: Count[]] {
  const rule = RATE.signInFailuresPerEmail
  return [
    { name: 'sign-in, e-mail and the API key', rule, key: email },
    { name: 'sign-in, e-mail', rule, key: email },
  ]
}

/**
 * A browser that its owner used before is counted by itself alone: strangers' failures can't lock
 * it out.
 */
function countsOf(
  email: string,
  network: string,
  browser: string | undefined,
): [narrow: Count, ...wide: Count[]] {
  const narrow = RATE.signInFailuresPerEmailAndAddress
  if (browser) return [{ name: 'sign-in, known browser', rule: narrow, key: `${email} ${browser}` }]
  return [
    { name: 'sign-in, e-mail and address', rule: narrow, key: `${email} ${network}` },
    { name: 'sign-in, e-mail', rule: RATE.signInFailuresPerEmail, key: email },
    { name: 'sign-in, address', rule: RATE.signInFailuresPerAddress, key: network },
  ]
}

// --- signing up

export type SignUpNeeds = Live & {
  passwords: Passwords
  isRegistrationOpen: boolean
}

/**
 * Adds an account; no session starts. With the secret of an invitation also while registration is
 * closed, for the invited address alone.
 *
 * @throws Refusal `user_invalid_token` for an invitation that does not work or is for another
 *   address, `user_count_exceeded` when registration is closed (the only documented refusal for
 *   it), `general_argument_invalid`, `password_personal_data`, `user_already_exists` (id, or e-mail
 *   in any letter case)
 * @source api.md §2.2, threat-model.md §3, decision 0028
 */
export async function signUp(
  needs: SignUpNeeds,
  sent: NewAccount,
  caller: Caller,
): Promise<Account> {
  const { db, log, passwords, isRegistrationOpen, now } = needs
  const { userId, secret } = sent
  const proof = secret === undefined ? undefined : { userId, secret }
  const at = now()
  // Looked at first, redeemed last: a password that is refused does not cost the invitation.
  const invitation = proof && (await findInvitation(db, proof, at))
  if (!invitation && !isRegistrationOpen) throw new Refusal('user_count_exceeded')
  const id = readNewUserId(userId, at)
  const email = readEmail(sent.email)
  if (invitation && invitation.email !== email) throw new Refusal('user_invalid_token')
  const name = readName(sent.name ?? '')
  await checkNewPassword(sent.password, { email, name })
  // Asked before the costly hash; the database decides.
  if (await isTaken(db, { userId: id, email })) throw new Refusal('user_already_exists')
  const passwordHash = await passwords.hash(sent.password, hashingFor(caller))
  const user = makeUserRow({ id, email, name, passwordHash }, at)
  const added = proof ? await addInvited(needs, user, proof) : user
  if (!proof) await addNewUser(db, user)
  const isInvited = proof !== undefined
  const { requestId, address } = caller
  log.info({ event: 'sign-up', requestId, userId: id, address, isInvited }, 'signed up')
  return toAccount(added)
}

/**
 * A link that only a mail brought proves the address; one that the operator handed over does not.
 */
async function addInvited(
  { db, background, now }: Live,
  user: UserRow,
  proof: InvitationProof,
): Promise<UserRow> {
  return inTransaction(db, background, async (tx) => {
    const { isMailed } = await redeemInvitation(tx, proof, now())
    const invited = { ...user, isVerified: isMailed }
    await addNewUser(tx, invited)
    return invited
  })
}
