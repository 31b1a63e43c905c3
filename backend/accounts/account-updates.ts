// Changes of a user, made by the user or the operator. Which secrets and sessions end with each
// change is decided here and in sessions.ts.

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

/** The end of the event's name (api.md §7.3). */
type ChangedField = 'name' | 'email' | 'password' | 'prefs' | 'status'

/**
 * @param what names the published event; without it only the user's open connections are checked
 * @throws Refusal `user_not_found`, `user_email_already_exists`
 */
export async function changeUser(
  { db, background, now }: BaseContext,
  userId: string,
  change: Change,
  what?: ChangedField,
): Promise<UserRow> {
  return inTransaction(db, background, async (tx, afterCommit) => {
    const user = await lockUser(tx, userId)
    if (!user) throw new Refusal('user_not_found')
    const columns = await change(tx, user, afterCommit)
    const updatedAt = now().toISOString()
    const changed = await store.updateUser(tx, userId, { ...columns, updatedAt })
    if (!changed) throw new Refusal('user_not_found')
    const payload = toAccount(changed)
    if (what) publishAfterCommit(tx, { kind: 'account', userId, name: `update.${what}`, payload })
    publishAfterCommit(tx, { kind: 'access', userId })
    return changed
  }).catch((cause: unknown) => refuseIfTaken('user_email_already_exists', cause))
}

// --- changes by users and the operator: texts are always checked; all throw as changeUser does

/** @throws Refusal `general_argument_invalid` */
export function setName(context: BaseContext, userId: string, name: string): Promise<UserRow> {
  return changeUser(context, userId, async () => ({ name: parseName(name) }), 'name')
}

/** Replaces all prefs. @throws Refusal `general_argument_invalid` when they are too large */
export async function setPrefs(
  context: AccountsContext,
  userId: string,
  sent: Prefs,
): Promise<UserRow> {
  const prefs = serialisePrefs(sent)
  const change: Change = async (tx) => {
    await emit(tx, { kind: 'prefs', userId, prefs: sent })
    return { prefs, about: aboutIn(sent) }
  }
  return changeUser(context, userId, change, 'prefs')
}

/** As {@link setPrefs}. What readers see of them counts as a change of the profile. */
export async function setOwnPrefs(context: AccountsContext, userId: string, sent: Prefs) {
  const { about, prefs } = await readUserRow(context.db, userId)
  const isSeen = about !== aboutIn(sent) || avatarIn(JSON.parse(prefs)) !== avatarIn(sent)
  if (isSeen) await context.rateLimits.takeExactly([profileChangeCount(userId)])
  return setPrefs(context, userId, sent)
}

/** Each change of what readers see of a person makes all pages be rendered again. */
export function profileChangeCount(userId: string): Count {
  return { name: 'change of the profile', rule: RATE.profileChangePerUser, key: userId }
}

/**
 * Blocking ends all sessions and revokes all mailed tokens. Only operators can unblock.
 *
 * @param by undefined when people block themselves
 * @throws Refusal `user_last_operator`
 */
export async function setBlocked(
  context: BaseContext,
  userId: string,
  isBlocked: boolean,
  { by, reason }: { by?: Viewer; reason?: string | undefined } = {},
) {
  const change: Change = async (tx, user) => {
    if (isBlocked) await prepareOperatorRemoval(tx, user)
    if (isBlocked) await revokeSessionsAndTokens(tx, userId)
    if (by && (user.isBlocked === 1) !== isBlocked) {
      const action = isBlocked ? 'blocked' : 'unblocked'
      await recordActivity(tx, by, context.now(), {
        kind: 'people',
        action,
        subject: subjectOf(user),
        details: { reason },
      })
    }
    return { isBlocked: Number(isBlocked) }
  }
  return inTransaction(context.db, context.background, async (tx) => {
    const changed = await changeUser({ ...context, db: tx }, userId, change, 'status')
    await emit(tx, { kind: 'block', userId, actor: by ?? { role: 'guest' } })
    return changed
  })
}

/**
 * Replaces all labels, or the role among them. The first operator is who sets the blog up.
 *
 * @throws Refusal `user_last_operator`
 */
export function setLabels(
  context: BaseContext,
  userId: string,
  sent: readonly string[] | { role: AccountRole },
  by: Viewer,
) {
  const change: Change = async (tx, user) => {
    const labels = 'role' in sent ? withRole(labelsOf(user), sent.role) : [...new Set(sent)]
    const before = roleIn(user)
    const after = roleOf(labels)
    if (after === 'operator') await recordSetUp(tx, context.now())
    else await prepareOperatorRemoval(tx, user)
    if (before !== after && lowerRole(before, after) === before)
      await revokeAccessOpenedByOthers(tx, userId)
    if (before !== after)
      await recordActivity(tx, by, context.now(), {
        kind: 'people',
        action: 'role',
        subject: subjectOf(user),
        details: { before, after },
      })
    const isKnown = after === 'operator' && before !== after && isKnownToOther(user, by)
    if (!isKnown) return { labels: JSON.stringify(labels) }
    await revokeSessionsAndTokens(tx, userId)
    const without = { passwordHash: null, passwordUpdatedAt: null, passwordSetBy: '' }
    return { labels: JSON.stringify(labels), ...without }
  }
  return changeUser(context, userId, change)
}

/**
 * Whether another operator may know the password, by a link that this one copied. Whoever gives the
 * role could give it to an account of their own, too.
 */
function isKnownToOther({ passwordSetBy }: UserRow, by: Viewer): boolean {
  return passwordSetBy !== '' && !(by.role === 'user' && by.userId === passwordSetBy)
}

/**
 * The new address is unverified; the old one gets a mail, and tokens that were mailed to it are
 * revoked.
 *
 * @param sent `passwordHash` is the first password of an account
 * @throws Refusal `general_argument_invalid`
 */
export async function setEmail(
  context: AccountsContext,
  userId: string,
  sent: { email: string; passwordHash?: string | undefined },
  check?: CheckAgain,
): Promise<UserRow> {
  const email = parseEmail(sent.email)
  const site = await context.site.read()
  const change: Change = async (tx, user, afterCommit) => {
    await check?.(tx, user)
    const { passwordHash } = sent
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
  return changeUser(context, userId, change, 'email')
}

// --- accounts that are deleted with much content, which goes little by little

/** From here on nobody can use the account, and nobody sees what is left of its content. */
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

// --- changes of the own account that need a proof

/** Checks once more inside the transaction that changes the user. */
export type CheckAgain = (tx: Database, user: UserRow | undefined) => Promise<void>

/**
 * Requires the account's password or, if it has none, a fresh session.
 *
 * @param proof `refusal` is the message for a session that is not fresh
 * @throws Refusal `user_invalid_credentials`, `user_unauthorized`, `general_argument_invalid` when
 *   there is a password and none was sent
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
  'Please sign in again first. Without a password only a fresh sign-in changes the e-mail address.'
const SIGN_IN_TO_SET_PASSWORD =
  'Please sign in again first. Only a fresh sign-in sets the first password.'

/**
 * @param sent for an account without a password its `password` becomes one; the session must be
 *   fresh then
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
  const changed = await setEmail(context, user.id, { email, passwordHash }, checkAgain)
  logEvent(context.log, 'e-mail changed', user.id, caller)
  return toAccount(changed)
}

/**
 * Ends all other sessions, gives this one a new secret, and revokes all mailed tokens. A first
 * password needs a fresh session: it could change the address right afterwards.
 *
 * @returns `renewed` is undefined when this session has ended
 * @throws Refusal as {@link checkOwner}, `general_argument_invalid`, `password_personal_data`
 */
export async function changePassword(
  context: AccountsContext,
  viewer: UserViewer,
  { password, oldPassword = '' }: UpdatedPassword,
  caller: Caller,
): Promise<{ account: Account; renewed: StartedSession | undefined }> {
  checkPasswordLength(password)
  const proof = { password: oldPassword, caller, refusal: SIGN_IN_TO_SET_PASSWORD }
  const { user, checkAgain } = await checkOwner(context, viewer, proof)
  await checkNewPassword(password, user)
  const passwordHash = await context.passwords.hash(password, toHashQueueCaller(caller))
  let renewed: StartedSession | undefined
  const change: Change = async (tx, locked) => {
    await checkAgain(tx, locked)
    const others = { but: [viewer.sessionId] }
    publishEndedSessions(tx, user.id, await store.deleteSessions(tx, user.id, others))
    await store.deleteTokens(tx, { userId: user.id })
    renewed = await rotateSessionSecret(tx, viewer)
    return { passwordHash, passwordUpdatedAt: context.now().toISOString() }
  }
  const changed = await changeUser(context, user.id, change, 'password')
  logEvent(context.log, 'password changed', user.id, caller)
  return { account: toAccount(changed), renewed }
}
