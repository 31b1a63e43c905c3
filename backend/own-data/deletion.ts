// Ending an account for good, with everything that its person has here. Knows no HTTP; what posts
// and files are, others know.
import { Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import { FRESH_SIGN_IN_SECONDS } from '#contract/limits.ts'
import type { AccountsNeeds, Caller } from '../accounts/needs.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { readUserRow } from '../accounts/read-user-row.ts'
import type { Database } from '../database/schema.ts'
import { type After, inTransaction } from '../database/transaction.ts'
import type { UserViewer } from '../http/viewer.ts'
import * as deletionStore from './own-data-store.ts'

/** Rows of everything a person has outside accounts go within the transaction, bytes after it. */
export type RemoveEverythingOf = (tx: Database, after: After, userId: string) => Promise<void>

export type Deletion = {
  /**
   * Ends the viewer's own account.
   *
   * @param password needed if the account has one; otherwise the session must be fresh
   * @throws Refusal `general_argument_invalid` for a missing password, `user_invalid_credentials`
   *   for a wrong one, `user_unauthorized` for a session that is not fresh
   */
  deleteOwn(viewer: UserViewer, password: string | undefined, caller: Caller): Promise<void>
  /**
   * Ends somebody's account without a question: for the operator.
   * @throws Refusal `user_not_found`
   */
  deletePerson(userId: string, caller: Caller): Promise<void>
}

export type DeletionNeeds = Pick<AccountsNeeds, 'db' | 'background' | 'log' | 'now'> & {
  passwords: Passwords
  removeEverythingOf: RemoveEverythingOf
}

export function makeDeletion({
  db,
  background,
  log,
  now,
  passwords,
  removeEverythingOf,
}: DeletionNeeds): Deletion {
  return {
    async deleteOwn(viewer, password, caller) {
      const user = await readUserRow(db, viewer.userId)
      if (user.passwordHash === null) await refuseUnlessFresh(viewer)
      else await checkPassword(user.passwordHash, password)
      await remove(user, caller, new Refusal('user_invalid_credentials'))
    },
    async deletePerson(userId, caller) {
      if (!isId(userId)) throw new Refusal('user_not_found')
      await remove({ id: userId }, caller, new Refusal('user_not_found'))
    },
  }

  async function checkPassword(passwordHash: string, password: string | undefined): Promise<void> {
    if (password === undefined)
      throw new Refusal('general_argument_invalid', 'Param "password" is not optional.')
    if (!(await passwords.isRight(password, passwordHash)))
      throw new Refusal('user_invalid_credentials', 'The password is not correct.')
  }

  async function refuseUnlessFresh({ sessionId, userId }: UserViewer): Promise<void> {
    const since = new Date(now().getTime() - FRESH_SIGN_IN_SECONDS * 1000).toISOString()
    const isFresh = await deletionStore.hasSessionSince(db, { sessionId, userId, since })
    if (!isFresh)
      throw new Refusal(
        'user_unauthorized',
        'Please sign in again first. Without a password only a fresh sign-in ends the account.',
      )
  }

  /**
   * @param user with the password hash that was checked, if any: when it has changed meanwhile,
   *   nothing is done
   */
  async function remove(
    user: deletionStore.Doomed,
    { requestId, address }: Caller,
    otherwise: Refusal,
  ): Promise<void> {
    await inTransaction(db, background, async (tx, after) => {
      if (!(await deletionStore.deleteUser(tx, user))) throw otherwise
      await removeEverythingOf(tx, after, user.id)
    })
    log.info(
      { event: 'account deleted', requestId, userId: user.id, address },
      'an account was deleted',
    )
  }
}
