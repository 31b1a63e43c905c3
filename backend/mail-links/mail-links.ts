// What is done by links in mails: a new password, a confirmed address, signing in. Asking never
// tells whether an address is known. In one piece because the three differ only in what the link is
// good for. Knows no HTTP and no text of a mail.

import { setTimeout as delay } from 'node:timers/promises'
import type { FinishedRecovery, MailedSecret, NewMagicUrl, Token } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { UNIFORM_ANSWER_MS } from '#contract/limits.ts'
import { revokeAllCredentials } from '../accounts/credentials.ts'
import { magicUrlMail, recoveryMail, verificationMail } from '../accounts/mails.ts'
import type { AccountsNeeds, Caller } from '../accounts/needs.ts'
import { makeUserRow, readNewUserId } from '../accounts/new-user.ts'
import { checkNewPassword, checkPasswordLength } from '../accounts/passwords.ts'
import { readEmail } from '../accounts/personal-details.ts'
import { readUserRow } from '../accounts/read-user-row.ts'
import { addSession } from '../accounts/sessions.ts'
import type { SignedIn } from '../accounts/sign-in.ts'
import * as store from '../accounts/user-store.ts'
import { isUniqueFault } from '../database/faults.ts'
import { lockUser } from '../database/lock-user.ts'
import type { UserRow } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { readReturnUrl } from '../http/return-urls.ts'
import type { UserViewer } from '../http/viewer.ts'
import { makeId } from '../process/ids.ts'
import { findToken, issueToken, lifeOf, takeToken, toToken } from './mailed-tokens.ts'
import { addSecret, MAGIC_URL_PATH } from './secret-links.ts'

export type MailLinks = {
  /** @throws Refusal `general_smtp_disabled`: checked before anything is read */
  checkMail(): void
  /**
   * @returns the same fields whoever asks, `userId` random: nothing in it tells.
   * @throws Refusal `general_argument_invalid`
   */
  startRecovery(sent: { email: string; url: string }, caller: Caller): Promise<Token>
  /**
   * Sets the password, confirms the address, ends all sessions.
   *
   * @throws Refusal `user_password_mismatch`, `general_argument_invalid`, `user_not_found`,
   *   `user_invalid_token`, `password_personal_data`
   */
  finishRecovery(sent: FinishedRecovery, caller: Caller): Promise<Token>
  /** @throws Refusal `user_email_alread_verified`, `general_argument_invalid` */
  startVerification(viewer: UserViewer, url: string, caller: Caller): Promise<Token>
  /** @throws Refusal `user_not_found`, `user_invalid_token` */
  finishVerification(sent: MailedSecret, caller: Caller): Promise<Token>
  /**
   * An unknown address gets an account.
   * @returns the `userId` that was sent, known or not.
   * @throws Refusal `general_argument_invalid`
   */
  startMagicUrl(sent: NewMagicUrl, caller: Caller): Promise<Token>
  /** Also for the operator's own links. @throws Refusal `user_not_found`, `user_invalid_token` */
  finishMagicUrl(sent: MailedSecret, caller: Caller): Promise<SignedIn>
}

export function makeMailLinks(needs: AccountsNeeds): MailLinks {
  const { db, background, log, now, mailer, passwords, browsers } = needs

  return {
    checkMail() {
      if (!mailer.isOn) throw new Refusal('general_smtp_disabled')
    },

    async startRecovery(sent, caller) {
      const email = readEmail(sent.email)
      const url = readReturnUrl('url', sent.url, needs.allowedOrigins)
      const at = now()
      await inUniformTime(async () => {
        const known = await store.findUserByEmail(db, email)
        if (!known || known.isBlocked) return
        await inTransaction(db, background, async (tx, after) => {
          const user = await lockUser(tx, known.id)
          if (user?.email !== email || user.isBlocked) return
          const { token, secret } = await issueToken(
            tx,
            { userId: user.id, kind: 'recovery' },
            { now: at },
          )
          after('recovery mail', () =>
            mailer.send(recoveryMail(needs, { to: email, url: addSecret(url, token, secret) })),
          )
        })
        note('recovery asked', known.id, caller)
      })
      return toToken({
        id: makeId(at.getTime()),
        userId: makeId(at.getTime()),
        ...lifeOf('recovery', at),
      })
    },

    async finishRecovery({ userId, secret, password, passwordAgain }, caller) {
      if (passwordAgain !== undefined && passwordAgain !== password)
        throw new Refusal('user_password_mismatch')
      checkPasswordLength(password)
      const proof = { userId, secret, kinds: ['recovery'] } as const
      // Looked at first, used up last: a password that is refused does not cost the link, and
      // guesses cost no hashing.
      const owner = await readUserRow(db, userId)
      await findToken(db, proof, now())
      await checkNewPassword(password, owner)
      const passwordHash = await passwords.hash(password)
      const token = await inTransaction(db, background, async (tx) => {
        await lockUser(tx, userId)
        const at = now()
        const used = await takeToken(tx, proof, at)
        const time = at.toISOString()
        await store.changeUser(tx, userId, {
          passwordHash,
          passwordUpdatedAt: time,
          isVerified: 1,
          updatedAt: time,
        })
        await store.deleteSessions(tx, userId)
        await store.deleteTokens(tx, userId)
        return used
      })
      note('password recovered', userId, caller)
      return toToken(token)
    },

    async startVerification(viewer, sentUrl, caller) {
      const url = readReturnUrl('url', sentUrl, needs.allowedOrigins)
      const at = now()
      const token = await inTransaction(db, background, async (tx, after) => {
        const user = await lockUser(tx, viewer.userId)
        if (!user) throw new Refusal('user_not_found')
        if (user.isVerified) throw new Refusal('user_email_alread_verified')
        const issued = await issueToken(tx, { userId: user.id, kind: 'verification' }, { now: at })
        const link = addSecret(url, issued.token, issued.secret)
        after('verification mail', () =>
          mailer.send(verificationMail(needs, { to: user.email, url: link })),
        )
        return issued.token
      })
      note('verification asked', viewer.userId, caller)
      return toToken(token)
    },

    async finishVerification({ userId, secret }, caller) {
      await readUserRow(db, userId)
      const token = await inTransaction(db, background, async (tx) => {
        await lockUser(tx, userId)
        const at = now()
        const used = await takeToken(tx, { userId, secret, kinds: ['verification'] }, at)
        await store.changeUser(tx, userId, { isVerified: 1, updatedAt: at.toISOString() })
        return used
      })
      note('e-mail verified', userId, caller)
      return toToken(token)
    },

    async startMagicUrl(sent, caller) {
      const at = now()
      const userId = readNewUserId(sent.userId, at)
      const email = readEmail(sent.email)
      const url = sent.url
        ? readReturnUrl('url', sent.url, needs.allowedOrigins)
        : needs.publicUrl + MAGIC_URL_PATH
      const attempt = () => sendMagicUrl({ userId, email, url, at }, caller)
      await inUniformTime(() =>
        attempt().catch((error: unknown) => {
          // Somebody was quicker with the address or the id: the second look finds it.
          if (isUniqueFault(error)) return attempt()
          throw error
        }),
      )
      return toToken({ id: makeId(at.getTime()), userId, ...lifeOf('magic-url', at) })
    },

    async finishMagicUrl({ userId, secret }, caller) {
      await readUserRow(db, userId)
      const started = await inTransaction(db, background, async (tx) => {
        const user = await lockUser(tx, userId)
        const at = now()
        const { kind } = await takeToken(
          tx,
          { userId, secret, kinds: ['magic-url', 'sign-in'] },
          at,
        )
        if (!user || user.isBlocked) throw new Refusal('user_invalid_token')
        const time = at.toISOString()
        if (kind === 'magic-url' && isUnproven(user)) await revokeAllCredentials(tx, userId, time)
        else if (kind === 'magic-url' && !user.isVerified)
          await store.changeUser(tx, userId, { isVerified: 1, updatedAt: time })
        return addSession(
          tx,
          { userId, provider: 'magic-url', providerUid: '' },
          { caller, now: at },
        )
      })
      note('sign-in', userId, caller)
      const isKnownBrowser = browsers.recognise(caller.browserMark, userId) !== undefined
      return {
        ...started,
        browserMark: isKnownBrowser ? undefined : browsers.issue(userId),
        rateLimitStatus: undefined,
      }
    },
  }

  async function sendMagicUrl(
    { userId, email, url, at }: { userId: string; email: string; url: string; at: Date },
    caller: Caller,
  ): Promise<void> {
    const known = await store.findUserByEmail(db, email)
    if (known ? known.isBlocked : !needs.isRegistrationOpen) return
    const id = known?.id ?? ((await store.findUser(db, userId)) ? makeId(at.getTime()) : userId)
    await inTransaction(db, background, async (tx, after) => {
      if (!known)
        await store.insertUser(tx, makeUserRow({ id, email, name: '', passwordHash: null }, at))
      const user = await lockUser(tx, id)
      if (user?.email !== email || user.isBlocked) return
      const { token, secret } = await issueToken(tx, { userId: id, kind: 'magic-url' }, { now: at })
      const link = addSecret(url, token, secret, needs.projectId)
      after('sign-in mail', () =>
        mailer.send(magicUrlMail(needs, { to: email, url: link, isTakenOver: isUnproven(user) })),
      )
    })
    if (!known) note('sign-up', id, caller)
    note('sign-in link asked', id, caller)
  }

  function note(event: string, userId: string, { requestId, address }: Caller): void {
    log.info({ event, requestId, userId, address }, event)
  }
}

/**
 * Somebody chose a password for an address that nobody has confirmed. Whoever does confirm it gets
 * the account alone: it may have been made by a stranger who waited for them.
 *
 * @source threat-model.md §9
 */
function isUnproven({ isVerified, passwordHash }: UserRow): boolean {
  return !isVerified && passwordHash !== null
}

/**
 * Whether there was much to do, little or nothing, the answer comes at the same moments.
 * @source threat-model.md §4
 */
async function inUniformTime(work: () => Promise<void>): Promise<void> {
  const startMs = performance.now()
  try {
    await work()
  } finally {
    const spentMs = performance.now() - startMs
    await delay(Math.ceil(spentMs / UNIFORM_ANSWER_MS) * UNIFORM_ANSWER_MS - spentMs)
  }
}
