// Starts, lists and ends sessions of users, changes their secrets, and revokes the credentials of
// an account.

import { Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import { roleIn } from '#contract/permissions.ts'
import { recordActivity } from '../activity/activity.ts'
import { readQueries } from '../database/queries.ts'
import type { Database, SessionRow } from '../database/schema.ts'
import { ensureTransaction, publishAfterCommit } from '../database/transaction.ts'
import type { UserViewer } from '../http/viewer.ts'
import { hashSecret, makeId, makeSecret, secondsAfter, secondsBefore } from '../process/ids.ts'
import type { BaseContext } from '../site/context.ts'
import type { AccountsContext } from './context.ts'
import { formatSessionToken, type StartedSession } from './resolve-viewer.ts'
import { parseUserAgent, toSession, toSignInLog, USER_AGENT_MAX_CHARS } from './serialisers.ts'
import { type Caller, logEvent } from './session-cookies.ts'
import * as store from './store.ts'
import { readUserRow } from './users.ts'

export { activeSessionBounds, updateSession } from './store.ts'

/** A session ends this long after the sign-in, even if it is in use. */
const SESSION_ABSOLUTE_SECONDS = 30 * 24 * 60 * 60
/** How many sessions a user may have; a further sign-in ends the oldest. */
export const SESSIONS_PER_USER = 10
/** How long the log of sign-ins stores an entry. */
const SIGN_IN_LOG_SECONDS = 90 * 24 * 60 * 60
/** How many sign-ins the log stores for each user. */
export const SIGN_IN_LOGS_PER_USER = 100
/**
 * How recent the sign-in of a user without a password must be to delete the account, change its
 * address or set its first password.
 */
const REAUTHENTICATION_MAX_AGE_SECONDS = 10 * 60

/** The encrypted tokens that a sign-in provider issued for a session. */
export type ProviderTokenColumns = Pick<
  SessionRow,
  'providerAccessToken' | 'providerAccessTokenExpiresAt' | 'providerRefreshToken'
>

export const NO_PROVIDER_TOKENS: ProviderTokenColumns = {
  providerAccessToken: '',
  providerAccessTokenExpiresAt: '',
  providerRefreshToken: '',
}

const OPENED_BY_OWNER = { openedBy: '', openedRole: '' }

/**
 * Adds a session inside a transaction that has locked the user's row, records the visit and the
 * sign-in, and deletes the oldest session above the limit.
 *
 * @source api.md §1.7, threat-model.md §6
 */
export async function addSession(
  tx: Database,
  origin: Pick<SessionRow, 'userId' | 'provider' | 'providerUid'> &
    Partial<ProviderTokenColumns & Pick<SessionRow, 'openedBy' | 'openedRole'>>,
  { caller, now }: { caller: Caller; now: Date },
): Promise<StartedSession> {
  const secret = makeSecret()
  const time = now.toISOString()
  const session: SessionRow = {
    ...NO_PROVIDER_TOKENS,
    ...OPENED_BY_OWNER,
    ...origin,
    id: makeId(now.getTime()),
    secretHash: hashSecret(secret),
    ip: caller.address,
    userAgent: caller.userAgent.slice(0, USER_AGENT_MAX_CHARS),
    createdAt: time,
    lastUsedAt: time,
    expiresAt: secondsAfter(now, SESSION_ABSOLUTE_SECONDS),
  }
  const user = await store.updateUser(tx, origin.userId, { accessedAt: time })
  if (user && roleIn(user) === 'operator') {
    const owner = { role: 'user', userId: user.id, name: user.name } as const
    // No operator can open a session of another operator, so the API key opened this one.
    const actor =
      session.openedRole === '' ? owner : { ...owner, openedBy: { role: 'key' } as const }
    await recordActivity(tx, actor, now, {
      kind: 'sign-ins',
      action: 'signedIn',
      details: { address: caller.address, device: deviceOf(caller) },
    })
  }
  await store.insertSession(tx, session)
  const { id, userId, ip, userAgent, createdAt } = session
  await store.addSignInLog(tx, { id, userId, ip, userAgent, createdAt }, SIGN_IN_LOGS_PER_USER)
  publishSessionEvent(tx, session, 'create')
  const newest = (await store.listSessions(tx, userId, now)).slice(0, SESSIONS_PER_USER)
  const exceptIds = newest.map((row) => row.id)
  publishEndedSessions(tx, userId, await store.deleteSessions(tx, userId, { exceptIds }))
  return { session, token: formatSessionToken({ userId: origin.userId, secret }) }
}

/** The browser and the operating system, for Activity. */
export function deviceOf({ userAgent }: Pick<Caller, 'userAgent'>): string {
  const { clientName, osName } = parseUserAgent(userAgent)
  return [clientName, osName].filter(Boolean).join(', ')
}

/**
 * Gives a session a new secret, so that copies of the old one become useless. Runs inside a
 * transaction that has locked the user's row.
 *
 * @returns undefined when the session has ended
 * @source threat-model.md §6
 */
export async function rotateSessionSecret(tx: Database, { userId, sessionId: id }: UserViewer) {
  const secret = makeSecret()
  const session = await store.updateSession(tx, { id }, { secretHash: hashSecret(secret) })
  if (session) publishSessionEvent(tx, session, 'update')
  return session && { session, token: formatSessionToken({ userId, secret }) }
}

/**
 * One of a user's active sessions.
 *
 * @param viewer `sessionId` is the viewer's session; an operator has none here
 * @param requested the id, `current`, or, for operators, `recent` for the newest
 * @throws Refusal `user_session_not_found`, also when it belongs to another user
 */
export async function readSessionRow(
  db: Database,
  viewer: { userId: string; sessionId?: string },
  requested: string,
  now: Date,
): Promise<SessionRow> {
  const sessionId = requested === 'current' ? viewer.sessionId : requested
  const rows = await store.listSessions(db, viewer.userId, now)
  const isNewest = requested === 'recent' && viewer.sessionId === undefined
  const row = isNewest ? rows[0] : rows.find(({ id }) => id === sessionId)
  if (!row) throw new Refusal('user_session_not_found')
  return row
}

/** @throws Refusal `user_session_not_found`, also when it belongs to another user */
export async function endSession(db: Database, userId: string, sessionId: string): Promise<void> {
  await ensureTransaction(db, async (tx) => {
    const ended = isId(sessionId) ? await store.deleteSessions(tx, userId, { id: sessionId }) : []
    if (ended.length === 0) throw new Refusal('user_session_not_found')
    publishEndedSessions(tx, userId, ended)
  })
}

export async function endAllSessions(db: Database, userId: string): Promise<void> {
  await ensureTransaction(db, async (tx) =>
    publishEndedSessions(tx, userId, await store.deleteSessions(tx, userId)),
  )
}

/**
 * The active sessions of a user, newest first.
 * @param currentId the id of the viewer's session, if it is one of them
 */
export async function listSessions({ db, now }: BaseContext, userId: string, currentId?: string) {
  const rows = await store.listSessions(db, userId, now())
  return { total: rows.length, sessions: rows.map((row) => toSession(row, currentId)) }
}

/**
 * A session of the viewer. Only this call returns a session's provider access token, and only for
 * the current session (api.md §2.2, §2.4).
 *
 * @param sessionId an id or `current`
 * @throws Refusal `user_session_not_found`, also when it belongs to another user
 */
export async function readOwnSession(
  context: AccountsContext,
  viewer: UserViewer,
  sessionId: string,
) {
  const { db, now, providerTokens } = context
  const row = await readSessionRow(db, viewer, sessionId, now())
  const session = toSession(row, viewer.sessionId)
  if (!session.current) return session
  return {
    ...session,
    providerAccessToken: providerTokens.decrypt(row.providerAccessToken, row.userId) ?? '',
  }
}

/**
 * @param sessionId an id or `current`
 * @returns whether it was the viewer's current session.
 * @throws Refusal `user_session_not_found`, also when it belongs to another user
 */
export async function endOwnSession(
  { db, log }: BaseContext,
  viewer: UserViewer,
  sessionId: string,
  caller: Caller,
): Promise<{ wasCurrent: boolean }> {
  const endedId = sessionId === 'current' ? viewer.sessionId : sessionId
  await endSession(db, viewer.userId, endedId)
  logEvent(log, 'sign-out', viewer.userId, caller)
  return { wasCurrent: endedId === viewer.sessionId }
}

type Action = 'create' | 'update' | 'delete'

function publishSessionEvent(tx: Database, session: SessionRow, action: Action): void {
  const { userId, id } = session
  const payload = toSession(session)
  publishAfterCommit(tx, { kind: 'account', userId, name: `sessions.${id}.${action}`, payload })
}

/** Publishes the end of sessions that the transaction has deleted. */
export function publishEndedSessions(tx: Database, userId: string, ended: SessionRow[]): void {
  for (const session of ended) publishSessionEvent(tx, session, 'delete')
  if (ended.length > 0) publishAfterCommit(tx, { kind: 'access', userId })
}

// --- revoking credentials (password, sessions, identities, mailed tokens). Each function runs
// inside a transaction that has locked the user's row.

/**
 * Gives an account to the proven owner of its address: revokes the password, all sessions,
 * identities and mailed tokens, because they may be a stranger's.
 *
 * @param remaining `passwordHash` becomes the only credential, null for none; `isAddressProven`
 *   tells whether the new owner has proven that they receive mail at the account's address
 * @source threat-model.md §6 "Handing over", §9, decision 0014
 */
export async function revokeAllCredentials(
  tx: Database,
  userId: string,
  remaining: {
    passwordHash: string | null
    passwordSetBy?: string
    isAddressProven: boolean
    now: Date
  },
): Promise<void> {
  await revokeSessionsAndTokens(tx, userId)
  await store.deleteIdentities(tx, { userId })
  const time = remaining.now.toISOString()
  await store.updateUser(tx, userId, {
    passwordHash: remaining.passwordHash,
    passwordUpdatedAt: remaining.passwordHash === null ? null : time,
    passwordSetBy: remaining.passwordSetBy ?? '',
    ...(remaining.isAddressProven ? { isVerified: 1 } : {}),
    updatedAt: time,
  })
}

/** Signs a user out everywhere, and invalidates their emailed links. */
export async function revokeSessionsAndTokens(tx: Database, userId: string): Promise<void> {
  publishEndedSessions(tx, userId, await store.deleteSessions(tx, userId))
  await store.deleteTokens(tx, { userId })
}

/**
 * Revokes the sessions and tokens that operators or the API key have opened for an account: these
 * must not gain the rights of the account's new role.
 */
export async function revokeAccessOpenedByOthers(tx: Database, userId: string): Promise<void> {
  publishEndedSessions(tx, userId, await store.deleteSessionsOpenedByOthers(tx, { userId }))
  await store.deleteTokensOpenedByOthers(tx, userId)
}

/** Revokes the sessions, tokens and invitations of an operator who loses the role. */
export async function revokeAccessOpenedBy(tx: Database, operatorId: string): Promise<void> {
  const ended = await store.deleteSessionsOpenedByOthers(tx, { openedBy: operatorId })
  for (const session of ended) publishEndedSessions(tx, session.userId, [session])
  await store.deleteTokens(tx, { openedBy: operatorId })
  await store.deleteOperatorInvitations(tx, operatorId)
}

/**
 * Protects actions that are only for the account's owner. Operators block or delete an account with
 * their own rights, which Activity records.
 *
 * @throws Refusal `user_unauthorized` for a session that an operator has opened with a link
 */
export function refuseSessionOpenedByOperator({ openedBy }: UserViewer): void {
  if (openedBy?.role === 'user')
    throw new Refusal(
      'user_unauthorized',
      'Please sign in yourself first. This session began with an operator’s link.',
    )
}

/**
 * Without a password, a session is the only proof of ownership. A session that may have been left
 * open or copied must not suffice for actions that cannot be undone.
 *
 * @param refusal the message for the user
 * @throws Refusal `user_unauthorized` when the session is not fresh, has ended, or was opened by an
 *   operator, who could take the account over
 * @source threat-model.md §6
 */
export async function requireFreshSession(
  db: Database,
  session: Pick<UserViewer, 'sessionId' | 'userId'>,
  { now, refusal }: { now: Date; refusal: string },
): Promise<void> {
  const active = await store.listSessions(db, session.userId, now)
  const since = secondsBefore(now, REAUTHENTICATION_MAX_AGE_SECONDS)
  const current = active.find(({ id }) => id === session.sessionId)
  if (!current || current.createdAt <= since || current.openedBy !== '')
    throw new Refusal('user_unauthorized', refusal)
}

// --- the log of sign-ins

/**
 * The newest sign-ins of a user.
 *
 * @param queries only `limit` and `offset`
 * @throws Refusal `user_not_found`, or as {@link readQueries}
 */
export async function listSignIns(
  { db, now }: BaseContext,
  userId: string,
  queries: string[] | undefined,
) {
  const query = readQueries(queries, {}, { role: 'user' })
  if (query.select || query.cursor || query.order.length > 0)
    throw new Refusal('general_argument_invalid', 'Only limit and offset are supported')
  const user = await readUserRow(db, userId)
  const after = secondsBefore(now(), SIGN_IN_LOG_SECONDS)
  const { total, rows } = await store.listSignInLogs(db, { userId, after }, query)
  return { total, logs: rows.map((row) => toSignInLog(row, user)) }
}

export async function sweepSignIns({ db, now }: BaseContext): Promise<void> {
  await store.deleteSignInLogsBefore(db, secondsBefore(now(), SIGN_IN_LOG_SECONDS))
}
