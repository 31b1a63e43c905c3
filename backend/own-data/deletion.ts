// Deleting an account for good, with everything that its user has here. Knows no HTTP; what posts
// and files are, others know.
import { Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { type Caller, hashingFor, logEvent } from '../accounts/session-cookies.ts'
import { requireFreshSession } from '../accounts/sessions.ts'
import { readUserRow } from '../accounts/users.ts'
import { announce } from '../database/changes.ts'
import type { Live } from '../database/live.ts'
import type { Database } from '../database/schema.ts'
import { type After, inTransaction, lockUser } from '../database/transaction.ts'
import type { UserViewer } from '../http/viewer.ts'
import * as store from './store.ts'

/**
 * Removes what a user has outside accounts: rows within the transaction, bytes after it (decision
 * 0009).
 */
export type RemoveEverythingOf = (tx: Database, after: After, userId: string) => Promise<void>

export type DeletionNeeds = Live & {
  passwords: Passwords
  /** Before anything is removed, so that all who remove posts or likes lock them in one order. */
  lockPostsOf: (tx: Database, userId: string) => Promise<void>
  removeEverythingOf: RemoveEverythingOf
}

const SIGN_IN_TO_DELETE =
  'Please sign in again first. Without a password only a fresh sign-in ends the account.'

/**
 * Deletes the viewer's own account.
 *
 * @param password needed if the account has one; otherwise the session must be fresh
 * @throws Refusal `general_argument_invalid` for a missing password, `user_invalid_credentials` for
 *   a wrong one, `user_unauthorized` for a session that is not fresh
 */
export async function deleteOwnAccount(
  needs: DeletionNeeds,
  viewer: UserViewer,
  password: string | undefined,
  caller: Caller,
): Promise<void> {
  const user = await readUserRow(needs.db, viewer.userId)
  const isFresh = (db: Database) =>
    requireFreshSession(db, viewer, { now: needs.now(), refusal: SIGN_IN_TO_DELETE })
  if (user.passwordHash !== null)
    await checkPassword(needs.passwords, user.passwordHash, { password, caller })
  // Asked within the transaction: the account may just have changed hands, which ends the session.
  const check = user.passwordHash === null ? isFresh : undefined
  const hasDeleted = await deleteAccount(needs, user, caller, check)
  if (!hasDeleted) throw new Refusal('user_invalid_credentials')
}

/**
 * Deletes an account without a question: for the operator.
 * @throws Refusal `user_not_found`
 */
export async function deleteAccountOf(
  needs: Omit<DeletionNeeds, 'passwords' | 'now'>,
  userId: string,
  caller: Caller,
): Promise<void> {
  const hasDeleted = isId(userId) && (await deleteAccount(needs, { id: userId }, caller))
  if (!hasDeleted) throw new Refusal('user_not_found')
}

/** @throws Refusal `general_argument_invalid`, `user_invalid_credentials` */
async function checkPassword(
  passwords: Passwords,
  passwordHash: string,
  { password, caller }: { password: string | undefined; caller: Caller },
): Promise<void> {
  if (password === undefined)
    throw new Refusal('general_argument_invalid', 'Param "password" is not optional.')
  if (!(await passwords.isRight(password, passwordHash, hashingFor(caller))))
    throw new Refusal('user_invalid_credentials', 'The password is not correct.')
}

/** @returns false when the user is gone or the password has changed; nothing is deleted then */
async function deleteAccount(
  {
    db,
    background,
    log,
    lockPostsOf,
    removeEverythingOf,
  }: Omit<DeletionNeeds, 'passwords' | 'now'>,
  user: store.UserToDelete,
  caller: Caller,
  check?: (tx: Database) => Promise<void>,
): Promise<boolean> {
  const hasDeleted = await inTransaction(db, background, async (tx, after) => {
    await lockUser(tx, user.id)
    await check?.(tx)
    await lockPostsOf(tx, user.id)
    if (!(await store.deleteUser(tx, user))) return false
    await removeEverythingOf(tx, after, user.id)
    announce(tx, { kind: 'access', userId: user.id })
    return true
  })
  if (hasDeleted) logEvent(log, 'account deleted', user.id, caller)
  return hasDeleted
}
