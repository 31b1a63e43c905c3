// Changes of an account: name, e-mail, password, being blocked; by its owner, or by the operator.
// Which secrets and sessions end with each is decided here alone. Knows no HTTP.

import type { Account, Prefs, UpdatedEmail, UpdatedPassword } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { isUniqueFault } from '../database/faults.ts'
import { lockUser } from '../database/lock-user.ts'
import type { Database, SessionRow, UserRow } from '../database/schema.ts'
import { type After, inTransaction } from '../database/transaction.ts'
import type { UserViewer } from '../http/viewer.ts'
import { emailChangedMail } from './mails.ts'
import type { AccountsNeeds, Caller } from './needs.ts'
import { checkNewPassword, checkPasswordLength } from './passwords.ts'
import { readEmail, readName, writePrefs } from './personal-details.ts'
import { readUserRow } from './read-user-row.ts'
import { renewSession } from './sessions.ts'
import { toAccount } from './shapes.ts'
import * as store from './user-store.ts'

type Renewed = { session: SessionRow; token: string }

export type Changes = {
  /** @throws Refusal `general_argument_invalid` */
  rename(viewer: UserViewer, name: string): Promise<Account>
  /**
   * The new address is not confirmed; the old one gets a mail.
   *
   * @param sent for an account without a password its `password` becomes one
   * @throws Refusal `general_argument_invalid`, `user_invalid_credentials`,
   *   `user_email_already_exists`
   */
  changeEmail(viewer: UserViewer, sent: UpdatedEmail, caller: Caller): Promise<Account>
  /**
   * Ends all other sessions and gives this one a new secret.
   *
   * @throws Refusal `general_argument_invalid`, `user_invalid_credentials`,
   *   `password_personal_data`
   */
  changePassword(
    viewer: UserViewer,
    sent: UpdatedPassword,
    caller: Caller,
  ): Promise<{ account: Account; renewed: Renewed | undefined }>
  /** Blocks the viewer's own account: only the operator can open it again. */
  blockSelf(viewer: UserViewer, caller: Caller): Promise<Account>
  operator: OperatorChanges
}

/** All throw Refusal `user_not_found`; texts are checked as when people send them. */
export type OperatorChanges = {
  setName(userId: string, name: string): Promise<UserRow>
  /** @throws Refusal `user_email_already_exists` */
  setEmail(userId: string, email: string): Promise<UserRow>
  /** Ends all sessions. */
  setPassword(userId: string, password: string): Promise<UserRow>
  /** Blocking ends all sessions and voids all mailed secrets. */
  setBlocked(userId: string, isBlocked: boolean): Promise<UserRow>
  setVerified(userId: string, isVerified: boolean): Promise<UserRow>
  setPrefs(userId: string, prefs: Prefs): Promise<UserRow>
}

export function makeChanges(needs: AccountsNeeds): Changes {
  const { db, background, log, now, mailer, passwords } = needs

  return {
    rename: async (viewer, name) =>
      toAccount(await change(viewer.userId, async () => ({ name: readName(name) }))),

    async changeEmail(viewer, sent, caller) {
      const email = readEmail(sent.email)
      checkPasswordLength(sent.password)
      const user = await readUserRow(db, viewer.userId)
      if (user.passwordHash === null)
        await checkNewPassword(sent.password, { email, name: user.name })
      else await checkPassword(user, sent.password)
      const passwordHash = user.passwordHash ?? (await passwords.hash(sent.password))
      const changed = await change(viewer.userId, async (tx, found, after) => {
        // Changed or set meanwhile: what was checked is not the password any more.
        if (found.passwordHash !== user.passwordHash) throw new Refusal('user_invalid_credentials')
        const isNew = user.passwordHash === null
        return {
          ...(await moveTo(tx, found, email, after)),
          ...(isNew ? { passwordHash, passwordUpdatedAt: now().toISOString() } : {}),
        }
      })
      note('e-mail changed', viewer.userId, caller)
      return toAccount(changed)
    },

    async changePassword(viewer, { password, oldPassword = '' }, caller) {
      checkPasswordLength(password)
      if (oldPassword) checkPasswordLength(oldPassword, 'oldPassword')
      const user = await readUserRow(db, viewer.userId)
      if (user.passwordHash !== null) await checkPassword(user, oldPassword)
      await checkNewPassword(password, user)
      const passwordHash = await passwords.hash(password)
      let renewed: Renewed | undefined
      const changed = await change(viewer.userId, async (tx, found) => {
        if (found.passwordHash !== user.passwordHash) throw new Refusal('user_invalid_credentials')
        await store.deleteOtherSessions(tx, viewer.userId, viewer.sessionId)
        await store.deleteTokens(tx, viewer.userId)
        renewed = await renewSession(tx, viewer)
        return { passwordHash, passwordUpdatedAt: now().toISOString() }
      })
      note('password changed', viewer.userId, caller)
      return { account: toAccount(changed), renewed }
    },

    async blockSelf(viewer, caller) {
      const blocked = await change(viewer.userId, block)
      note('account blocked', viewer.userId, caller)
      return toAccount(blocked)
    },

    operator: {
      setName: (userId, name) => change(userId, async () => ({ name: readName(name) })),
      setEmail: (userId, sent) => {
        const email = readEmail(sent)
        return change(userId, (tx, user, after) => moveTo(tx, user, email, after))
      },
      async setPassword(userId, password) {
        await checkNewPassword(password, await readUserRow(db, userId))
        const passwordHash = await passwords.hash(password)
        return change(userId, async (tx) => {
          await store.deleteSessions(tx, userId)
          await store.deleteTokens(tx, userId)
          return { passwordHash, passwordUpdatedAt: now().toISOString() }
        })
      },
      setBlocked: (userId, isBlocked) =>
        change(userId, isBlocked ? block : async () => ({ isBlocked: 0 })),
      setVerified: (userId, isVerified) =>
        change(userId, async () => ({ isVerified: Number(isVerified) })),
      setPrefs: (userId, prefs) => change(userId, async () => ({ prefs: writePrefs(prefs) })),
    },
  }

  type Work = (
    tx: Database,
    user: UserRow,
    after: After,
  ) => Promise<Omit<Parameters<typeof store.changeUser>[2], 'updatedAt'>>

  /**
   * One change of a person at a time.
   * @throws Refusal `user_not_found`, `user_email_already_exists`
   */
  async function change(userId: string, work: Work): Promise<UserRow> {
    try {
      return await inTransaction(db, background, async (tx, after) => {
        const user = await lockUser(tx, userId)
        const changed =
          user &&
          (await store.changeUser(tx, userId, {
            ...(await work(tx, user, after)),
            updatedAt: now().toISOString(),
          }))
        if (!changed) throw new Refusal('user_not_found')
        return changed
      })
    } catch (cause) {
      if (isUniqueFault(cause)) throw new Refusal('user_email_already_exists', undefined, { cause })
      throw cause
    }
  }

  /** Secrets under way went to the old address: they stop working. */
  async function moveTo(
    tx: Database,
    user: UserRow,
    email: string,
    after: After,
  ): Promise<{ email?: string; isVerified?: number }> {
    if (user.email === email) return {}
    await store.deleteTokens(tx, user.id)
    if (mailer.isOn)
      after('mail to the old address', () =>
        mailer.send(emailChangedMail(needs, { to: user.email })),
      )
    return { email, isVerified: 0 }
  }

  async function block(tx: Database, { id }: UserRow): Promise<{ isBlocked: number }> {
    await store.deleteSessions(tx, id)
    await store.deleteTokens(tx, id)
    return { isBlocked: 1 }
  }

  async function checkPassword({ passwordHash }: UserRow, password: string): Promise<void> {
    const isRight = await passwords.isRight(password, passwordHash ?? undefined)
    if (!isRight) throw new Refusal('user_invalid_credentials')
  }

  function note(event: string, userId: string, { requestId, address }: Caller): void {
    log.info({ event, requestId, userId, address }, event)
  }
}
