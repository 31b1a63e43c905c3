// Signing in with e-mail and password: counts failures, checks the password, starts a session.
// Knows no HTTP.

import type { NewEmailSession } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { HASH_QUEUE_MAX, RATE } from '#contract/limits.ts'
import type { SessionRow, UserRow } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { networkOf } from '../http/addresses.ts'
import { type Count, type RateLimitStatus, rateLimitHeaders } from '../http/rate-limits.ts'
import { makeKeyedLock } from '../process/keyed-lock.ts'
import type { AccountsNeeds, Caller } from './needs.ts'
import { checkPasswordLength } from './passwords.ts'
import { readEmail } from './personal-details.ts'
import { addSession } from './sessions.ts'
import * as store from './user-store.ts'

export type SignedIn = {
  session: SessionRow
  /** For the cookie; shown nowhere else. */
  token: string
  /** A new mark for the browser; undefined when it carries a good one. */
  browserMark: string | undefined
  rateLimitStatus: RateLimitStatus | undefined
}

export type SignIn = (sent: NewEmailSession, caller: Caller) => Promise<SignedIn>

type SignInNeeds = Pick<
  AccountsNeeds,
  'db' | 'background' | 'log' | 'rateLimits' | 'now' | 'passwords' | 'browsers'
>

/**
 * Attempts count before they are checked and are given back when they succeed, so that many at once
 * get no further than many in a row. Those for one address from one place take turns: their count
 * is exact, and right passwords never push each other out.
 */
export function makeSignIn({
  db,
  background,
  log,
  rateLimits,
  now,
  passwords,
  browsers,
}: SignInNeeds): SignIn {
  const withLock = makeKeyedLock({ waiting: HASH_QUEUE_MAX })

  /**
   * @throws Refusal `general_argument_invalid`, `general_rate_limit_exceeded`,
   *   `general_service_disabled` when too many wait, `user_blocked`, and `user_invalid_credentials`
   *   whatever is wrong: text, status and time tell no unknown address
   * @source threat-model.md §3, §4, §6
   */
  return async function signIn(sent, caller) {
    const email = readEmail(sent.email)
    checkPasswordLength(sent.password)
    const network = networkOf(caller.address)
    return withLock(`${email} ${network}`, async () => {
      const user = await store.findUserByEmail(db, email)
      const browser = browsers.recognise(caller.browserMark, user?.id)
      const counts = countsOf(email, network, browser)
      const rateLimitStatus = take(counts, user, caller)
      const isRight = await passwords
        .isRight(sent.password, user?.passwordHash ?? undefined)
        .catch((error: unknown) => {
          rateLimits.giveBack(counts)
          throw error
        })
      if (!user?.passwordHash || !isRight) throw fail(user, caller, rateLimitStatus)
      const [narrow] = counts
      rateLimits.giveBack(counts)
      rateLimits.forget(narrow)
      if (user.isBlocked) throw new Refusal('user_blocked')
      const started = await start(user, user.passwordHash, caller)
      if (!started) throw fail(user, caller, undefined)
      log.info(
        { event: 'sign-in', requestId: caller.requestId, userId: user.id, address: caller.address },
        'signed in',
      )
      strengthen(user.id, user.passwordHash, sent.password)
      return {
        ...started,
        browserMark: browser === undefined ? browsers.issue(user.id) : undefined,
        rateLimitStatus: rateLimitStatus && {
          ...rateLimitStatus,
          limit: narrow.rule[0],
          remaining: narrow.rule[0],
        },
      }
    })
  }

  function take(
    counts: Count[],
    user: UserRow | undefined,
    { requestId, address }: Caller,
  ): RateLimitStatus | undefined {
    try {
      return rateLimits.take(counts)
    } catch (error) {
      log.warn(
        { event: 'lockout', requestId, userId: user?.id, address },
        'too many failed sign-ins',
      )
      throw error
    }
  }

  function fail(
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
   * @returns undefined when the person changed the password, was blocked or deleted since the check
   */
  function start(
    user: UserRow,
    passwordHash: string,
    caller: Caller,
  ): Promise<Pick<SignedIn, 'session' | 'token'> | undefined> {
    return inTransaction(db, background, async (tx) => {
      const at = now()
      const isHeld = await store.holdForSignIn(tx, user.id, {
        passwordHash,
        accessedAt: at.toISOString(),
      })
      if (!isHeld) return undefined
      return addSession(
        tx,
        { userId: user.id, provider: 'email', providerUid: user.email },
        { caller, now: at },
      )
    })
  }

  /** Beside the answer: a busy server must not turn a sign-in that worked into a failure. */
  function strengthen(userId: string, from: string, password: string): void {
    if (!passwords.isOutdated(from)) return
    background.run('stronger hash of a password', async () =>
      store.upgradeHash(db, userId, { from, to: await passwords.hash(password) }),
    )
  }
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
  if (browser)
    return [
      {
        name: 'sign-in, known browser',
        rule: RATE.signInFailuresPerEmailAndAddress,
        key: `${email} ${browser}`,
      },
    ]
  return [
    {
      name: 'sign-in, e-mail and address',
      rule: RATE.signInFailuresPerEmailAndAddress,
      key: `${email} ${network}`,
    },
    { name: 'sign-in, e-mail', rule: RATE.signInFailuresPerEmail, key: email },
    { name: 'sign-in, address', rule: RATE.signInFailuresPerAddress, key: network },
  ]
}
