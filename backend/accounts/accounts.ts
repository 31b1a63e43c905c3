// The rules of an account that its user sees: sessions, sign-ins, and what others see of a user.
// Knows no HTTP answer and no SQL.
import type { Account, Session } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { readQueries } from '../database/queries.ts'
import type { Live } from '../database/transaction.ts'
import type { UserViewer, Viewer } from '../http/viewer.ts'
import { secondsBefore } from '../process/ids.ts'
import type { AccountNeeds } from './needs.ts'
import { type Caller, logEvent } from './session-cookies.ts'
import { endSession, readSessionRow } from './sessions.ts'
import { toAccount, toPublicUser, toSession, toSignInLog, toUser } from './shapes.ts'
import * as store from './store.ts'
import { findUserRow, readUserRow } from './users.ts'

/** How long a sign-in is remembered. */
const SIGN_IN_LOG_SECONDS = 90 * 24 * 60 * 60
export async function readAccount({ db }: Pick<Live, 'db'>, viewer: UserViewer): Promise<Account> {
  return toAccount(await readUserRow(db, viewer.userId))
}

/**
 * The active ones of a user, newest first.
 * @param currentId of the session that asks, if one of them does
 */
export async function listSessions(
  { db, now }: Pick<Live, 'db' | 'now'>,
  userId: string,
  currentId?: string,
) {
  const rows = await store.listSessions(db, userId, now())
  return { total: rows.length, sessions: rows.map((row) => toSession(row, currentId)) }
}

/**
 * The only call that shows a session's provider access token, and only for the current session
 * (api.md §2.2, §2.4).
 *
 * @param sessionId or `current`
 * @throws Refusal `user_session_not_found`, also for another user's
 */
export async function readOwnSession(
  { db, now, providerTokens }: Pick<AccountNeeds, 'db' | 'now' | 'providerTokens'>,
  viewer: UserViewer,
  sessionId: string,
): Promise<Session> {
  const row = await readSessionRow(db, viewer, sessionId, now())
  const session = toSession(row, viewer.sessionId)
  if (!session.current) return session
  const providerAccessToken = providerTokens.open(row.providerAccessToken, row.userId) ?? ''
  return { ...session, providerAccessToken }
}

/**
 * @param sessionId or `current`
 * @returns whether it was the viewer's current one.
 * @throws Refusal `user_session_not_found`, also for another user's
 */
export async function endOwnSession(
  { db, log }: Live,
  viewer: UserViewer,
  sessionId: string,
  caller: Caller,
): Promise<{ wasCurrent: boolean }> {
  const wanted = sessionId === 'current' ? viewer.sessionId : sessionId
  await endSession(db, viewer.userId, wanted)
  logEvent(log, 'sign-out', viewer.userId, caller)
  return { wasCurrent: wanted === viewer.sessionId }
}

/**
 * @returns everything for the API key, id and name for everybody else.
 * @throws Refusal `user_not_found`
 */
export async function readProfile({ db }: Live, { role }: Viewer, userId: string) {
  const user = await findUserRow(db, userId)
  // An account that only a request for a sign-in link has added is not shown: showing it would tell
  // what the request did.
  const isShown = user && (role === 'key' || user.isVerified || user.passwordHash !== null)
  if (!isShown) throw new Refusal('user_not_found')
  return role === 'key' ? toUser(user) : toPublicUser(user)
}

/**
 * The newest sign-ins of a user, which are remembered for a while.
 *
 * @param queries `limit` and `offset` alone
 * @throws Refusal `user_not_found`, or as {@link readQueries}
 */
export async function listSignIns(
  { db, now }: Pick<Live, 'db' | 'now'>,
  userId: string,
  queries: string[] | undefined,
) {
  const query = readQueries(queries, {}, { role: 'user' })
  if (query.select || query.cursor || query.order.length > 0)
    throw new Refusal('general_argument_invalid', 'Only limit and offset are supported')
  const user = await readUserRow(db, userId)
  const after = secondsBefore(now(), SIGN_IN_LOG_SECONDS)
  const { total, rows } = await store.listLogs(db, { userId, after }, query)
  return { total, logs: rows.map((row) => toSignInLog(row, user)) }
}

export async function sweepSignIns({ db, now }: Pick<Live, 'db' | 'now'>): Promise<void> {
  await store.deleteLogsBefore(db, secondsBefore(now(), SIGN_IN_LOG_SECONDS))
}
