// Changes an account for its user or an operator. Each change also revokes the secrets and sessions
// that must not outlive it (sessions.ts).

import type { Account, Prefs, UpdatedEmail, UpdatedPassword } from '#contract/accounts.ts'
import { missingParam, Refusal } from '#contract/errors.ts'
import { RATE } from '#contract/limits.ts'
import { type AccountRole, lowerRole, roleIn, roleOf, withRole } from '#contract/permissions.ts'
import { recordActivity } from '../activity/activity.ts'
import { refuseIfTaken } from '../database/database-errors.ts'
import { emit } from '../database/domain-events.ts'
import type { Database, UserRow } from '../database/schema.ts'
import {
  type AfterCommit,
  inTransaction,
  lockUser,
  publishAfterCommit,
} from '../database/transaction.ts'
import type { Count } from '../http/rate-limits.ts'
import type { UserViewer, Viewer } from '../http/viewer.ts'
import { parseEmail } from '../mail/addresses.ts'
import type { BaseContext } from '../site/context.ts'
import { recordSetUp } from '../site/site.ts'
import type { AccountsContext } from './context.ts'
import { emailChangedMail } from './mails.ts'
import { checkNewPassword, checkPasswordLength } from './passwords.ts'
import type { StartedSession } from './resolve-viewer.ts'
import { labelsOf, prepareOperatorRemoval } from './roles.ts'
import { toAccount } from './serialisers.ts'
import { type Caller, logEvent, toHashQueueCaller } from './session-cookies.ts'
import {
  publishEndedSessions,
  requireFreshSession,
  revokeAccessOpenedByOthers,
  revokeSessionsAndTokens,
  rotateSessionSecret,
} from './sessions.ts'
import * as store from './store.ts'
import {
  aboutIn,
  avatarIn,
  parseName,
  RETIRED_EMAIL_PREFIX,
  readUserRow,
  serialisePrefs,
  subjectOf,
} from './users.ts'

/** @returns the columns that change */
type Change = (
  tx: Database,
  user: UserRow,
  afterCommit: AfterCommit,
) => Promise<Omit<store.UserChange, 'updatedAt'>>

/** The last part of the name of a realtime event (api.md §7.3). */
type ChangedField = 'name' | 'email' | 'password' | 'prefs' | 'status'

/**
 * @param field names the realtime event; without it, only the access of the user's open connections
 *   is re-checked
 * @throws Refusal `user_not_found`, `user_email_already_exists`
 */
export async function changeUser(
  { db, background, now }: BaseContext,
  userId: string,
  change: Change,
  field?: ChangedField,
): Promise<UserRow> {
  return inTransaction(db, background, async (tx, afterCommit) => {
    const user = await lockUser(tx, userId)
    if (!user) throw new Refusal('user_not_found')
    const columns = await change(tx, user, afterCommit)
    const updatedAt = now().toISOString()
    const updatedUser = await store.updateUser(tx, userId, { ...columns, updatedAt })
    if (!updatedUser) throw new Refusal('user_not_found')
    const payload = toAccount(updatedUser)
    if (field) publishAfterCommit(tx, { kind: 'account', userId, name: `update.${field}`, payload })
    publishAfterCommit(tx, { kind: 'access', userId })
    return updatedUser
  }).catch((cause: unknown) => refuseIfTaken('user_email_already_exists', cause))
}

// --- changes by users and operators. These functions validate their input, and also throw the
// refusals of changeUser

/** @throws Refusal `general_argument_invalid` */
export function setName(context: BaseContext, userId: string, name: string): Promise<UserRow> {
  return changeUser(context, userId, async () => ({ name: parseName(name) }), 'name')
}

/** Replaces all prefs. @throws Refusal `general_argument_invalid` when they are too large */
export async function setPrefs(
  context: AccountsContext,
  userId: string,
  prefs: Prefs,
): Promise<UserRow> {
  const json = serialisePrefs(prefs)
  const change: Change = async (tx) => {
    await emit(tx, { kind: 'prefs', userId, prefs })
    return { prefs: json, about: aboutIn(prefs) }
  }
  return changeUser(context, userId, change, 'prefs')
}

/** As {@link setPrefs}, but a change that readers can see counts as a change of the profile. */
export async function setOwnPrefs(context: AccountsContext, userId: string, prefs: Prefs) {
  const before = await readUserRow(context.db, userId)
  const isVisible =
    before.about !== aboutIn(prefs) || avatarIn(JSON.parse(before.prefs)) !== avatarIn(prefs)
  if (isVisible) await context.rateLimits.takeExactly([profileChangeLimit(userId)])
  return setPrefs(context, userId, prefs)
}

/**
 * The rate limit for changes that readers can see: each one makes the server re-render all pages.
 */
export function profileChangeLimit(userId: string): Count {
  return { name: 'change of the profile', rule: RATE.profileChangePerUser, key: userId }
}

/**
 * Blocking ends all sessions and revokes all mailed tokens. Only operators can unblock.
 *
 * @param actor undefined when users block themselves
 * @throws Refusal `user_last_operator`
 */
export async function setBlocked(
  context: BaseContext,
  userId: string,
  isBlocked: boolean,
  { actor, reason }: { actor?: Viewer; reason?: string | undefined } = {},
) {
  const change: Change = async (tx, user) => {
    if (isBlocked) await prepareOperatorRemoval(tx, user)
    if (isBlocked) await revokeSessionsAndTokens(tx, userId)
    if (actor && (user.isBlocked === 1) !== isBlocked) {
      const action = isBlocked ? 'blocked' : 'unblocked'
      await recordActivity(tx, actor, context.now(), {
        kind: 'people',
        action,
        subject: subjectOf(user),
        details: { reason },
      })
    }
    return { isBlocked: Number(isBlocked) }
  }
  return inTransaction(context.db, context.background, async (tx) => {
    const user = await changeUser({ ...context, db: tx }, userId, change, 'status')
    await emit(tx, { kind: 'block', userId, actor: actor ?? { role: 'guest' } })
    return user
  })
}

/**
 * Replaces all labels, or only the role among them. The first operator completes the set-up of the
 * blog.
 *
 * @throws Refusal `user_last_operator`
 */
export function setLabels(
  context: BaseContext,
  userId: string,
  change: readonly string[] | { role: AccountRole },
  actor: Viewer,
) {
  const apply: Change = async (tx, user) => {
    const labels = 'role' in change ? withRole(labelsOf(user), change.role) : [...new Set(change)]
    const before = roleIn(user)
    const after = roleOf(labels)
    if (after === 'operator') await recordSetUp(tx, context.now())
    else await prepareOperatorRemoval(tx, user)
    if (before !== after && lowerRole(before, after) === before)
      await revokeAccessOpenedByOthers(tx, userId)
    if (before !== after)
      await recordActivity(tx, actor, context.now(), {
        kind: 'people',
        action: 'role',
        subject: subjectOf(user),
        details: { before, after },
      })
    const mustDropPassword =
      after === 'operator' && before !== after && isPasswordKnownToAnotherOperator(user, actor)
    if (!mustDropPassword) return { labels: JSON.stringify(labels) }
    await revokeSessionsAndTokens(tx, userId)
    const noPassword = { passwordHash: null, passwordUpdatedAt: null, passwordSetBy: '' }
    return { labels: JSON.stringify(labels), ...noPassword }
  }
  return changeUser(context, userId, apply)
}

/**
 * Whether an operator other than `actor` may know the password, because that operator copied the
 * link through which it was set.
 */
function isPasswordKnownToAnotherOperator({ passwordSetBy }: UserRow, actor: Viewer): boolean {
  return passwordSetBy !== '' && !(actor.role === 'user' && actor.userId === passwordSetBy)
}

/**
 * Changes the address and marks it as unverified, notifies the old one by mail, and revokes all
 * mailed tokens.
 *
 * @param change `passwordHash` is for an account that gets its first password
 * @throws Refusal `general_argument_invalid`
 */
export async function setEmail(
  context: AccountsContext,
  userId: string,
  change: { email: string; passwordHash?: string | undefined },
  check?: CheckAgain,
): Promise<UserRow> {
  const email = parseEmail(change.email)
  const site = await context.site.read()
  const apply: Change = async (tx, user, afterCommit) => {
    await check?.(tx, user)
    const { passwordHash } = change
    const passwordUpdatedAt = context.now().toISOString()
    const password = passwordHash === undefined ? {} : { passwordHash, passwordUpdatedAt }
    if (parseEmail(user.email) === email) return password
    await store.deleteTokens(tx, { userId })
    if (context.mailer.delivery !== 'off')
      afterCommit('mail to the old address', () =>
        context.mailer.send(emailChangedMail(site, { to: user.email })),
      )
    return { ...password, email, isVerified: 0 }
  }
  return changeUser(context, userId, apply, 'email')
}

// --- accounts whose content is deleted in batches

/** Makes an account unusable, and hides its content that is not deleted yet. */
export async function retireUser(tx: Database, userId: string, now: Date): Promise<void> {
  await revokeSessionsAndTokens(tx, userId)
  await store.deleteIdentities(tx, { userId })
  await store.updateUser(tx, userId, {
    email: `${RETIRED_EMAIL_PREFIX}${userId}`,
    name: '',
    passwordHash: null,
    passwordUpdatedAt: null,
    isVerified: 0,
    isBlocked: 1,
    prefs: '{}',
    about: '',
    labels: '[]',
    updatedAt: now.toISOString(),
  })
}

export async function listRetiredUserIds(db: Database, limit: number): Promise<string[]> {
  return await store.listUserIdsByEmailPrefix(db, RETIRED_EMAIL_PREFIX, limit)
}

// --- changes of one's own account that need a proof of ownership

/** Repeats a check inside the transaction that changes the user. */
export type CheckAgain = (tx: Database, user: UserRow | undefined) => Promise<void>

/**
 * Requires the account's password or, if there is none, a fresh session.
 *
 * @param proof `refusal` is the message for a session that is not fresh
 * @throws Refusal `user_invalid_credentials`, `user_unauthorized`, `general_argument_invalid` when
 *   the account has a password but none was sent
 */
export async function checkOwner(
  { db, now, passwords }: AccountsContext,
  viewer: UserViewer,
  proof: { password: string | undefined; caller: Caller; refusal: string },
): Promise<{ user: UserRow; checkAgain: CheckAgain }> {
  const user = await readUserRow(db, viewer.userId)
  const { passwordHash } = user
  const requireFresh = (tx: Database) =>
    requireFreshSession(tx, viewer, { now: now(), refusal: proof.refusal })
  if (passwordHash === null) await requireFresh(db)
  else if (proof.password === undefined) throw missingParam('password')
  else if (!(await passwords.verify(proof.password, passwordHash, toHashQueueCaller(proof.caller))))
    throw new Refusal('user_invalid_credentials')
  return {
    user,
    async checkAgain(tx, locked) {
      if (locked?.passwordHash !== passwordHash) throw new Refusal('user_invalid_credentials')
      if (passwordHash === null) await requireFresh(tx)
    },
  }
}

const SIGN_IN_TO_CHANGE_EMAIL =
  'Please sign in again first. Without a password only a fresh sign-in changes the email address.'
const SIGN_IN_TO_SET_PASSWORD =
  'Please sign in again first. Only a fresh sign-in sets the first password.'

/**
 * @param update an account without a password needs a fresh session; `password` becomes its first
 *   password
 * @throws Refusal as {@link setEmail} and {@link checkOwner}
 */
export async function changeEmail(
  context: AccountsContext,
  viewer: UserViewer,
  { email, password }: UpdatedEmail,
  caller: Caller,
): Promise<Account> {
  const checkedEmail = parseEmail(email)
  const proof = { password, caller, refusal: SIGN_IN_TO_CHANGE_EMAIL }
  const { user, checkAgain } = await checkOwner(context, viewer, proof)
  let passwordHash: string | undefined
  if (user.passwordHash === null) {
    await checkNewPassword(password, { email: checkedEmail, name: user.name })
    passwordHash = await context.passwords.hash(password, toHashQueueCaller(caller))
  }
  const updatedUser = await setEmail(context, user.id, { email, passwordHash }, checkAgain)
  logEvent(context.log, 'email changed', user.id, caller)
  return toAccount(updatedUser)
}

/**
 * Changes the password, ends all other sessions, gives this one a new secret, and revokes all
 * mailed tokens. Setting a first password requires a fresh session, because a password is enough to
 * change the email address.
 *
 * @returns `rotatedSession` has the new secret; undefined when the session has ended
 * @throws Refusal as {@link checkOwner}, `general_argument_invalid`, `password_personal_data`
 */
export async function changePassword(
  context: AccountsContext,
  viewer: UserViewer,
  { password, oldPassword = '' }: UpdatedPassword,
  caller: Caller,
): Promise<{ account: Account; rotatedSession: StartedSession | undefined }> {
  checkPasswordLength(password)
  const proof = { password: oldPassword, caller, refusal: SIGN_IN_TO_SET_PASSWORD }
  const { user, checkAgain } = await checkOwner(context, viewer, proof)
  await checkNewPassword(password, user)
  const passwordHash = await context.passwords.hash(password, toHashQueueCaller(caller))
  let rotatedSession: StartedSession | undefined
  const change: Change = async (tx, locked) => {
    await checkAgain(tx, locked)
    const others = { exceptIds: [viewer.sessionId] }
    publishEndedSessions(tx, user.id, await store.deleteSessions(tx, user.id, others))
    await store.deleteTokens(tx, { userId: user.id })
    rotatedSession = await rotateSessionSecret(tx, viewer)
    return { passwordHash, passwordUpdatedAt: context.now().toISOString() }
  }
  const updatedUser = await changeUser(context, user.id, change, 'password')
  logEvent(context.log, 'password changed', user.id, caller)
  return { account: toAccount(updatedUser), rotatedSession }
}
