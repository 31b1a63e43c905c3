// The rules of an account that its user sees: prefs, sessions, sign-ins, and what others see of a
// user. Knows no HTTP answer and no SQL.
import type { Account, Prefs, PublicUser, Session, SignInLog, User } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import type { Live } from '../database/live.ts'
import { readQueries } from '../database/queries.ts'
import type { UserRow } from '../database/schema.ts'
import type { UserViewer, Viewer } from '../http/viewer.ts'
import { changeUser, type ReplacePrefsNeeds, replacePrefs } from './change-user.ts'
import { JWT_SECONDS, type Jwts, markOf } from './jwt.ts'
import type { Caller } from './session-cookies.ts'
import {
  endAllSessions,
  endSession,
  listSessionRows,
  readSessionRow,
  SIGN_IN_LOGS_PER_USER,
} from './sessions.ts'
import { toAccount, toPublicUser, toSession, toSignInLog, toUser } from './shapes.ts'
import * as store from './store.ts'
import { secondsBefore } from './store.ts'
import { findUserRow, readUserRow } from './users.ts'

/** How long a sign-in is remembered. */
const SIGN_IN_LOG_SECONDS = 90 * 24 * 60 * 60

export type ReadSessionNeeds = Live & {
  /** Decrypts an access token of a sign-in provider; undefined when it cannot be decrypted. */
  providerTokens: { open(encrypted: string, userId: string): string | undefined }
}

export async function readAccount({ db }: Pick<Live, 'db'>, viewer: UserViewer): Promise<Account> {
  return toAccount(await readUserRow(db, viewer.userId))
}

/** Replaces all prefs. @throws Refusal `general_argument_invalid` when they are too large */
export async function setPrefs(
  needs: Live & ReplacePrefsNeeds,
  viewer: UserViewer,
  prefs: Prefs,
): Promise<Account> {
  return toAccount(await changeUser(needs, viewer.userId, replacePrefs(needs, prefs), 'prefs'))
}

/** The active ones, newest first. */
export async function listOwnSessions({ db, now }: Live, viewer: UserViewer): Promise<Session[]> {
  const rows = await listSessionRows(db, viewer.userId, now())
  return rows.map((row) => toSession(row, { isCurrent: row.id === viewer.sessionId }))
}

/**
 * The only call that shows a session's provider access token, and only for the current session
 * (api.md §2.2, §2.4).
 *
 * @param sessionId or `current`
 * @throws Refusal `user_session_not_found`, also for another user's
 */
export async function readOwnSession(
  { db, now, providerTokens }: ReadSessionNeeds,
  viewer: UserViewer,
  sessionId: string,
): Promise<Session> {
  const row = await readSessionRow(db, viewer, sessionId, now())
  const isCurrent = row.id === viewer.sessionId
  const session = toSession(row, { isCurrent })
  const providerAccessToken = isCurrent
    ? providerTokens.open(row.providerAccessToken, row.userId)
    : undefined
  return providerAccessToken ? { ...session, providerAccessToken } : session
}

/**
 * A token that stands for the current session, until it is over or the session ends.
 *
 * @throws Refusal `user_session_not_found`: a JWT makes no other
 */
export async function makeOwnJwt(
  { db, jwts, now }: Live & { jwts: Jwts },
  viewer: UserViewer,
  seconds: number = JWT_SECONDS,
): Promise<string> {
  const at = now()
  const { id, userId, secretHash } = await readSessionRow(db, viewer, 'current', at)
  const claims = { userId, sessionId: id, mark: markOf(secretHash) }
  return jwts.make(claims, { now: at, seconds })
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
  { requestId, address }: Caller,
): Promise<{ wasCurrent: boolean }> {
  const wanted = sessionId === 'current' ? viewer.sessionId : sessionId
  await endSession(db, viewer.userId, wanted)
  log.info({ event: 'sign-out', requestId, userId: viewer.userId, address }, 'a session ended')
  return { wasCurrent: wanted === viewer.sessionId }
}

export async function endOwnSessions(
  { db, log }: Live,
  viewer: UserViewer,
  { requestId, address }: Caller,
): Promise<void> {
  await endAllSessions(db, viewer.userId)
  log.info({ event: 'sign-out', requestId, userId: viewer.userId, address }, 'all sessions ended')
}

/**
 * @returns everything for the API key, id and name for everybody else.
 * @throws Refusal `user_not_found`
 */
export async function readProfile(
  { db }: Live,
  viewer: Viewer,
  userId: string,
): Promise<User | PublicUser> {
  const user = await findUserRow(db, userId)
  // An account that only a request for a sign-in link has added is not shown: showing it would tell
  // what the request did.
  const isShown = user && (viewer.role === 'key' || user.isVerified || user.passwordHash !== null)
  if (!isShown) throw new Refusal('user_not_found')
  return viewer.role === 'key' ? toUser(user) : toPublicUser(user)
}

// --- sign-ins that are remembered of each user: the newest ones, for a while

/**
 * Newest first.
 *
 * @param queries `limit` and `offset` alone
 * @throws Refusal `user_not_found`, or as {@link readQueries}
 */
export async function listSignIns(
  { db, now }: Live,
  userId: string,
  queries: string[] | undefined,
): Promise<{ total: number; logs: SignInLog[] }> {
  const query = readQueries(queries, {}, { role: 'user' })
  if (query.select || query.cursor || query.order.length > 0)
    throw new Refusal('general_argument_invalid', 'Only limit and offset are supported')
  const user = await readUserRow(db, userId)
  const after = secondsBefore(now(), SIGN_IN_LOG_SECONDS)
  const { total, rows } = await store.listLogs(db, { userId, after }, query)
  return { total, logs: rows.map((row) => toSignInLog(row, user)) }
}

/** All that are remembered, newest first. */
export async function listAllSignIns(
  { db, now }: Pick<Live, 'db' | 'now'>,
  user: UserRow,
): Promise<SignInLog[]> {
  const after = secondsBefore(now(), SIGN_IN_LOG_SECONDS)
  const whole = { limit: SIGN_IN_LOGS_PER_USER, offset: 0 }
  const { rows } = await store.listLogs(db, { userId: user.id, after }, whole)
  return rows.map((row) => toSignInLog(row, user))
}

export async function sweepSignIns({ db, now }: Pick<Live, 'db' | 'now'>): Promise<void> {
  await store.deleteLogsBefore(db, secondsBefore(now(), SIGN_IN_LOG_SECONDS))
}
