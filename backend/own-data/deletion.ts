// Deletes an account permanently, with everything that belongs to its user. Each room deletes its
// own part: rows in the transaction, bytes after it (threat-model.md §10 "Files").

import { Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import {
  type CheckAgain,
  checkOwner,
  listRetiredUserIds,
  retireUser,
} from '../accounts/account-updates.ts'
import { prepareOperatorRemoval } from '../accounts/roles.ts'
import { type Caller, logEvent } from '../accounts/session-cookies.ts'
import { deleteUser, isRetired, subjectOf } from '../accounts/users.ts'
import { recordActivity } from '../activity/activity.ts'
import { removeCommentBatchOf, removeCommentsOf } from '../comments/own-comments.ts'
import { emit } from '../database/domain-events.ts'
import type { Database } from '../database/schema.ts'
import {
  type AfterCommit,
  inTransaction,
  lockUser,
  publishAfterCommit,
} from '../database/transaction.ts'
import { removeFileBatchOf, removeFilesOf } from '../files/files.ts'
import type { UserViewer, Viewer } from '../http/viewer.ts'
import { anonymiseReportBatchOf, anonymiseReportsOf } from '../moderation/reports.ts'
import { removeManyNotificationsOf } from '../notifications/notifications.ts'
import { handOverPages } from '../posts/pages.ts'
import { makeOneAtATime } from '../process/one-at-a-time.ts'
import { lockPostsOf, removePostBatchOf, removePostsOf } from '../versions/deleted-posts.ts'
import type { OwnDataContext } from './context.ts'

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
  context: OwnDataContext,
  viewer: UserViewer,
  password: string | undefined,
  caller: Caller,
): Promise<void> {
  const proof = { password, caller, refusal: SIGN_IN_TO_DELETE }
  const { user, checkAgain } = await checkOwner(context, viewer, proof)
  // Checked again in the transaction: the account may have changed hands meanwhile.
  const hasDeleted = await deleteAccount(context, user.id, caller, checkAgain)
  if (!hasDeleted) throw new Refusal('user_invalid_credentials')
}

/**
 * Deletes an account for operators, who need no proof of ownership.
 * @throws Refusal `user_not_found`, `user_last_operator`
 */
export async function deleteAccountByOperator(
  context: OwnDataContext,
  actor: Viewer,
  userId: string,
  caller: Caller,
) {
  const record: CheckAgain = async (tx, user) => {
    if (!user) return
    await recordActivity(tx, actor, context.now(), {
      kind: 'people',
      action: 'deleted',
      subject: subjectOf(user),
    })
  }
  const hasDeleted = isId(userId) && (await deleteAccount(context, userId, caller, record))
  if (!hasDeleted) throw new Refusal('user_not_found')
}

/**
 * An account with much content is retired first: nobody can use it from then on, and its content is
 * deleted in small transactions.
 *
 * @returns false when there is no such account
 */
async function deleteAccount(
  context: OwnDataContext,
  userId: string,
  caller: Caller,
  checkAgain?: CheckAgain,
): Promise<boolean> {
  const { db, background, log, now } = context
  const hasDeleted = await inTransaction(db, background, async (tx, afterCommit) => {
    const locked = await lockUser(tx, userId)
    await checkAgain?.(tx, locked)
    if (!locked || isRetired(locked)) return false
    await prepareOperatorRemoval(tx, locked)
    if (!(await deletePart(context, tx, afterCommit, userId))) {
      await retireUser(tx, userId, now())
      afterCommit('deletion of an account', () => deleteRetiredAccounts(context))
    }
    publishAfterCommit(tx, { kind: 'access', userId })
    return true
  })
  if (hasDeleted) logEvent(log, 'account deleted', userId, caller)
  return hasDeleted
}

/**
 * Deletes the account, or as much of its content as one transaction should delete. The user must be
 * locked.
 *
 * @returns whether the account is deleted
 */
async function deletePart(
  context: OwnDataContext,
  tx: Database,
  afterCommit: AfterCommit,
  userId: string,
) {
  await handOverPages(tx, userId)
  if (!(await deleteExcess(context, tx, afterCommit, userId))) return false
  // Locked first, so that all deletions of posts and likes lock rows in the same order.
  await lockPostsOf(tx, userId)
  // Before the user, whose foreign keys cascade to the rows that are needed here.
  await anonymiseReportsOf(tx, userId)
  await removeCommentsOf(tx, userId)
  await removePostsOf(tx, userId)
  await removeFilesOf(context, tx, afterCommit, userId)
  await emit(tx, { kind: 'accountDeleted', userId })
  await deleteUser(tx, userId)
  return true
}

/**
 * Deletes part of the content if there is more of it than one transaction should delete.
 *
 * @returns whether the rest is small enough
 */
async function deleteExcess(
  context: OwnDataContext,
  tx: Database,
  afterCommit: AfterCommit,
  userId: string,
) {
  return (
    (await anonymiseReportBatchOf(tx, userId)) &&
    (await removeCommentBatchOf(tx, userId)) &&
    (await removeManyNotificationsOf(tx, userId)) &&
    (await removePostBatchOf(tx, userId)) &&
    (await removeFileBatchOf(context, tx, afterCommit, userId))
  )
}

/** Retired accounts that are read at a time. */
const RETIRED_BATCH_SIZE = 20

const oneAtATime = makeOneAtATime()

/** Deletes retired accounts in small transactions. Calls for one database run one at a time. */
export function deleteRetiredAccounts(
  context: OwnDataContext,
  stopping?: AbortSignal,
): Promise<void> {
  return oneAtATime(context.db, () => deleteOneByOne(context, stopping))
}

async function deleteOneByOne(context: OwnDataContext, stopping?: AbortSignal): Promise<void> {
  const { db, background } = context
  for (;;) {
    const retired = await listRetiredUserIds(db, RETIRED_BATCH_SIZE)
    if (retired.length === 0) return
    for (const userId of retired) {
      if (stopping?.aborted) return
      await inTransaction(db, background, async (tx, afterCommit) => {
        if (await lockUser(tx, userId)) await deletePart(context, tx, afterCommit, userId)
      })
    }
  }
}
