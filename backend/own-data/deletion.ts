// Deleting an account permanently, with everything that its user has. Posts and files are deleted
// by their own modules.
import type { Readable } from 'node:stream'
import { Refusal } from '#contract/errors.ts'
import type { FileModel } from '#contract/files.ts'
import { isId } from '#contract/ids.ts'
import {
  type CheckAgain,
  checkOwner,
  listRetired,
  retireUser,
} from '../accounts/account-updates.ts'
import type { AccountNeeds } from '../accounts/needs.ts'
import { retireOperator } from '../accounts/roles.ts'
import { type Caller, logEvent } from '../accounts/session-cookies.ts'
import { deleteUser, isRetired, subjectOf } from '../accounts/users.ts'
import { noteActivity } from '../activity/activity.ts'
import type { Database } from '../database/schema.ts'
import { type After, inTransaction, lockUser, publishOnCommit } from '../database/transaction.ts'
import type { UserViewer, Viewer } from '../http/viewer.ts'
import { makeOneAtATime } from '../process/one-at-a-time.ts'

export type OwnDataNeeds = AccountNeeds & {
  /** Called first, so that all deletions of posts and likes lock them in one order. */
  lockPostsOf: (tx: Database, userId: string) => Promise<void>
  /**
   * Some of what a user has elsewhere, where that is much.
   * @returns whether little is left
   */
  deleteMuchContentOf: (tx: Database, userId: string) => Promise<boolean>
  /** What a user has elsewhere: rows in the transaction, bytes after it (decision 0009). */
  deleteAllContentOf: (tx: Database, after: After, userId: string) => Promise<void>
  /** What the viewer has, oldest first, by the names of the files in the archive. */
  ownLists: Readonly<Record<string, (viewer: UserViewer) => AsyncIterable<unknown>>>
  /** All complete files of a user, in both buckets. `open` gives undefined when bytes have gone. */
  listFilesOf: (
    userId: string,
  ) => Promise<{ model: FileModel; open: () => Promise<Readable | undefined> }[]>
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
  needs: OwnDataNeeds,
  viewer: UserViewer,
  password: string | undefined,
  caller: Caller,
): Promise<void> {
  const proof = { password, caller, refusal: SIGN_IN_TO_DELETE }
  const { user, checkAgain } = await checkOwner(needs, viewer, proof)
  // Checked again within the transaction: the account may just have changed hands.
  const hasDeleted = await deleteAccount(needs, user.id, caller, checkAgain)
  if (!hasDeleted) throw new Refusal('user_invalid_credentials')
}

/**
 * Deletes an account without a proof, for operators.
 * @throws Refusal `user_not_found`, `user_last_operator`
 */
export async function deleteAccountOf(
  needs: OwnDataNeeds,
  by: Viewer,
  userId: string,
  caller: Caller,
) {
  const note: CheckAgain = async (tx, user) => {
    if (!user) return
    const told = { subject: subjectOf(user) }
    await noteActivity(tx, by, needs.now(), { kind: 'people', action: 'deleted', ...told })
  }
  const hasDeleted = isId(userId) && (await deleteAccount(needs, userId, caller, note))
  if (!hasDeleted) throw new Refusal('user_not_found')
}

/**
 * An account with much content is retired: nobody can use it, and the rest of it follows.
 *
 * @returns false when the user is gone
 */
async function deleteAccount(
  needs: OwnDataNeeds,
  userId: string,
  caller: Caller,
  checkAgain?: CheckAgain,
): Promise<boolean> {
  const { db, background, log, now } = needs
  const hasDeleted = await inTransaction(db, background, async (tx, after) => {
    const locked = await lockUser(tx, userId)
    await checkAgain?.(tx, locked)
    if (!locked || isRetired(locked)) return false
    await retireOperator(tx, locked)
    if (!(await endSome(needs, tx, after, userId))) {
      await retireUser(tx, userId, now())
      after('deletion of an account', () => endRetired(needs))
    }
    publishOnCommit(tx, { kind: 'access', userId })
    return true
  })
  if (hasDeleted) logEvent(log, 'account deleted', userId, caller)
  return hasDeleted
}

type EndNeeds = Pick<
  OwnDataNeeds,
  'db' | 'background' | 'lockPostsOf' | 'deleteMuchContentOf' | 'deleteAllContentOf'
>

/** @returns whether the account is deleted with all it had; its user is locked */
async function endSome(needs: EndNeeds, tx: Database, after: After, userId: string) {
  if (!(await needs.deleteMuchContentOf(tx, userId))) return false
  await needs.lockPostsOf(tx, userId)
  // Before the user, whose foreign keys would take along what leads to the rest.
  await needs.deleteAllContentOf(tx, after, userId)
  await deleteUser(tx, userId)
  return true
}

/** Retired accounts that are ended one after the other. */
const RETIRED_AT_ONCE = 20

const oneAtATime = makeOneAtATime()

/** Deletes what is left of retired accounts, some of it in each transaction. */
export function endRetired(needs: EndNeeds, stopping?: AbortSignal): Promise<void> {
  return oneAtATime(needs.db, () => endOneByOne(needs, stopping))
}

async function endOneByOne(needs: EndNeeds, stopping?: AbortSignal): Promise<void> {
  const { db, background } = needs
  for (;;) {
    const retired = await listRetired(db, RETIRED_AT_ONCE)
    if (retired.length === 0) return
    for (const userId of retired) {
      if (stopping?.aborted) return
      await inTransaction(db, background, async (tx, after) => {
        if (await lockUser(tx, userId)) await endSome(needs, tx, after, userId)
      })
    }
  }
}
