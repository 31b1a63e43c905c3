// How operators read and change users, and sign them in (api.md §6).

import type { NewSignInLink, NewUser, User } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import type { SignInLink } from '#contract/operator.ts'
import { roleIn } from '#contract/permissions.ts'
import { changeUser } from '../accounts/account-updates.ts'
import type { AccountsContext } from '../accounts/context.ts'
import { checkNewPassword } from '../accounts/passwords.ts'
import { toSession, toUser, toUserFor } from '../accounts/serialisers.ts'
import type { Caller } from '../accounts/session-cookies.ts'
import { addSession, revokeAllCredentials } from '../accounts/sessions.ts'
import {
  addNewUser,
  lockUnblockedUser,
  makeUserRow,
  readNewUser,
  readUserRow,
  subjectOf,
} from '../accounts/users.ts'
import { recordActivity } from '../activity/activity.ts'
import type { Database, UserRow } from '../database/schema.ts'
import { inTransaction, lockUser } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import {
  addSecret,
  issueToken,
  MAGIC_URL_PATH,
  toToken,
  withdrawToken,
} from '../mail-links/one-time-tokens.ts'
import { makeSecret } from '../process/ids.ts'
import type { BaseContext } from '../site/context.ts'
import * as store from './store.ts'

const LINK_SECONDS = 60 * 60

/** @throws Refusal as {@link store.listUsers} */
export async function listUsers({ db }: BaseContext, viewer: Viewer, query: store.UserListQuery) {
  const { total, rows } = await store.listUsers(db, query)
  return { total, users: rows.map((row) => toUserFor(viewer, row)) }
}

/**
 * Adds a user, also while registration is closed.
 * @throws Refusal `general_argument_invalid`, `password_personal_data`, `user_already_exists`
 */
export async function createUser(context: AccountsContext, newUser: NewUser): Promise<User> {
  const { password } = newUser
  const details = readNewUser(newUser, context.now())
  if (password !== undefined) await checkNewPassword(password, details)
  const passwordHash = password === undefined ? null : await context.passwords.hash(password)
  const user = makeUserRow({ ...details, passwordHash }, context.now(), await context.site.read())
  await addNewUser(context.db, user)
  logOperator(context, 'account made by the operator', user.id)
  return toUser(user)
}

/** Logs a change by the operator that publishes no event. */
export function logOperator({ log }: BaseContext, event: string, userId: string): void {
  log.info({ event, userId }, event)
}

/**
 * Sets a password; every other credential of the user stops working.
 * @throws Refusal `user_not_found`, `general_argument_invalid`, `password_personal_data`
 */
export async function setPassword(context: AccountsContext, userId: string, password: string) {
  await checkNewPassword(password, await readUserRow(context.db, userId))
  const passwordHash = await context.passwords.hash(password)
  const replacement = { passwordHash, isAddressProven: false, now: context.now() }
  const revoke = async (tx: Database) => {
    await revokeAllCredentials(tx, userId, replacement)
    return {}
  }
  return changeUser(context, userId, revoke, 'password')
}

// --- ways into an account: single-use secrets and sessions

/**
 * Makes a secret that signs this user in once. Only the caller sees it.
 *
 * @param options lifetime in seconds and length of the secret, if not the defaults
 * @throws Refusal `user_not_found`, `user_blocked`, `user_unauthorized` if the user is an operator,
 *   except for the API key
 */
export async function makeSignInToken(
  context: BaseContext,
  actor: Viewer,
  userId: string,
  options: NewSignInLink,
) {
  const { db, background, now } = context
  const { length, expire: seconds } = options
  const customSecret = length === undefined ? undefined : makeSecret(Math.ceil(length / 2))
  const { token, secret } = await inTransaction(db, background, async (tx) => {
    const user = await lockUnblockedUser(tx, userId)
    // Otherwise an operator could keep the rights of another after losing their own.
    if (actor.role !== 'key' && roleIn(user) === 'operator') throw new Refusal('user_unauthorized')
    const tokenOptions = {
      userId,
      kind: 'sign-in',
      now: now(),
      openedBy: actor.role === 'user' ? actor.userId : '',
      openedRole: roleIn(user),
    } as const
    const issued = await issueToken(tx, tokenOptions, {
      seconds,
      secret: customSecret?.slice(0, length),
    })
    await recordLink(tx, actor, now(), { action: 'linkMade', user, id: issued.token.id })
    return issued
  })
  logOperator(context, 'sign-in link made by the operator', userId)
  return toToken(token, secret)
}

/** As {@link makeSignInToken}, but returns a URL that works for an hour. */
export async function makeSignInLink(context: AccountsContext, actor: Viewer, userId: string) {
  const { secret, ...token } = await makeSignInToken(context, actor, userId, {
    expire: LINK_SECONDS,
  })
  const expiresAt = new Date(token.expire).toISOString()
  const issued = { token: { userId, expiresAt }, secret }
  const url = addSecret(context.publicUrl + MAGIC_URL_PATH, issued, context.projectId)
  return { $id: token.$id, userId, url, expire: token.expire } satisfies SignInLink
}

/** @throws Refusal `user_invalid_token` when it was used or has expired */
export async function withdrawSignInLink(
  context: BaseContext,
  actor: Viewer,
  userId: string,
  id: string,
) {
  const { db, background, now } = context
  await inTransaction(db, background, async (tx) => {
    const user = await lockUser(tx, userId)
    const isDeleted = user && isId(id) && (await withdrawToken(tx, { id, userId, kind: 'sign-in' }))
    if (!isDeleted) throw new Refusal('user_invalid_token')
    await recordLink(tx, actor, now(), { action: 'linkWithdrawn', user, id })
  })
}

/** Records activity under the link's id, so that all its records can be found. */
function recordLink(
  tx: Database,
  actor: Viewer,
  now: Date,
  { action, user, id }: { action: 'linkMade' | 'linkWithdrawn'; user: UserRow; id: string },
): Promise<void> {
  return recordActivity(tx, actor, now, {
    kind: 'people',
    action,
    subject: { ...subjectOf(user), id },
  })
}

/**
 * Signs a user in for a program of the operator.
 *
 * @returns the session with its secret, which is never shown again
 * @throws Refusal `user_not_found`, `user_blocked`
 */
export async function startUserSession(context: BaseContext, userId: string, caller: Caller) {
  const { db, background, now } = context
  const { session, token } = await inTransaction(db, background, async (tx) => {
    const openedRole = roleIn(await lockUnblockedUser(tx, userId))
    const origin = { userId, provider: 'server', providerUid: '', openedRole }
    return addSession(tx, origin, { caller, now: now() })
  })
  logOperator(context, 'session made by the operator', userId)
  return { ...toSession(session), secret: token }
}
