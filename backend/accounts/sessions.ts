// Sessions of users: how long they last, starting, renewing, listing and ending them. Knows no
// HTTP.
import { Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import {
  SESSION_ABSOLUTE_SECONDS,
  SESSION_IDLE_SECONDS,
  SESSIONS_PER_USER,
  SIGN_IN_LOGS_PER_USER,
} from '#contract/limits.ts'
import type { Database, SessionRow } from '../database/schema.ts'
import type { UserViewer } from '../http/viewer.ts'
import { hashSecret, makeId, makeSecret } from '../process/ids.ts'
import type { Caller } from './caller.ts'
import { USER_AGENT_MAX_CHARS } from './devices.ts'
import { insertLog, trimLogs } from './log-store.ts'
import * as store from './session-store.ts'
import { formatSessionToken } from './session-tokens.ts'
import { setAccessedAt } from './user-store.ts'

export function activeAt(now: Date): store.ActiveAt {
  return { now: now.toISOString(), idleSince: secondsBefore(now, SESSION_IDLE_SECONDS) }
}

/** A new session, and the token that is shown to its browser alone. */
export type StartedSession = { session: SessionRow; token: string }

/** The tokens that a sign-in provider gave for a session; encrypted. */
export type ProviderTokenColumns = Pick<
  SessionRow,
  'providerAccessToken' | 'providerAccessTokenExpiresAt' | 'providerRefreshToken'
>

/**
 * Adds a session inside a transaction that has locked the user's row, notes the visit and the
 * sign-in, and deletes the oldest session above the limit.
 *
 * @source api.md §1.7, threat-model.md §6
 */
export async function addSession(
  tx: Database,
  origin: Pick<SessionRow, 'userId' | 'provider' | 'providerUid'> & Partial<ProviderTokenColumns>,
  { caller, now }: { caller: Caller; now: Date },
): Promise<StartedSession> {
  const secret = makeSecret()
  const time = now.toISOString()
  const session: SessionRow = {
    providerAccessToken: '',
    providerAccessTokenExpiresAt: '',
    providerRefreshToken: '',
    ...origin,
    id: makeId(now.getTime()),
    secretHash: hashSecret(secret),
    ip: caller.address,
    userAgent: caller.userAgent.slice(0, USER_AGENT_MAX_CHARS),
    createdAt: time,
    lastUsedAt: time,
    expiresAt: new Date(now.getTime() + SESSION_ABSOLUTE_SECONDS * 1000).toISOString(),
  }
  await setAccessedAt(tx, origin.userId, time)
  await store.insertSession(tx, session)
  const { id, userId, ip, userAgent, createdAt } = session
  await insertLog(tx, { id, userId, ip, userAgent, createdAt })
  await trimLogs(tx, userId, SIGN_IN_LOGS_PER_USER)
  await store.trimSessions(tx, origin.userId, { at: activeAt(now), keep: SESSIONS_PER_USER })
  return { session, token: formatSessionToken({ userId: origin.userId, secret }) }
}

/**
 * Gives a session a new secret, inside a transaction that has locked the user's row: copies of the
 * old one become useless.
 *
 * @returns undefined when the session has ended
 * @source threat-model.md §6
 */
export async function renewSession(
  tx: Database,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<StartedSession | undefined> {
  const secret = makeSecret()
  const session = await store.setSessionSecret(tx, sessionId, hashSecret(secret))
  return session && { session, token: formatSessionToken({ userId, secret }) }
}

/** The active ones, newest first. */
export async function listSessionRows(
  db: Database,
  userId: string,
  now: Date,
): Promise<SessionRow[]> {
  return store.listSessions(db, userId, activeAt(now))
}

/**
 * One of the viewer's own active sessions.
 *
 * @param sessionId or `current`
 * @throws Refusal `user_session_not_found`, also for another user's
 */
export async function readSessionRow(
  db: Database,
  viewer: UserViewer,
  sessionId: string,
  now: Date,
): Promise<SessionRow> {
  const wanted = sessionId === 'current' ? viewer.sessionId : sessionId
  const rows = await listSessionRows(db, viewer.userId, now)
  const row = rows.find(({ id }) => id === wanted)
  if (!row) throw new Refusal('user_session_not_found')
  return row
}

/** @throws Refusal `user_session_not_found`, also for another user's */
export async function endSession(db: Database, userId: string, sessionId: string): Promise<void> {
  const hasEnded = isId(sessionId) && (await store.deleteSession(db, userId, sessionId))
  if (!hasEnded) throw new Refusal('user_session_not_found')
}

export async function endAllSessions(db: Database, userId: string): Promise<void> {
  await store.deleteSessions(db, userId)
}

/** @returns an ISO time */
export function secondsBefore(time: Date, seconds: number): string {
  return new Date(time.getTime() - seconds * 1000).toISOString()
}
