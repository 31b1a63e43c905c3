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
import { announce } from '../database/changes.ts'
import type { Database, SessionRow } from '../database/schema.ts'
import { announcing } from '../database/transaction.ts'
import type { UserViewer } from '../http/viewer.ts'
import { hashSecret, makeId, makeSecret } from '../process/ids.ts'
import type { Caller } from './caller.ts'
import { USER_AGENT_MAX_CHARS } from './devices.ts'
import { insertLog, trimLogs } from './log-store.ts'
import * as store from './session-store.ts'
import { formatSessionToken, type StartedSession } from './session-tokens.ts'
import { toSession } from './shapes.ts'
import { setAccessedAt } from './user-store.ts'

export function activeAt(now: Date): store.ActiveAt {
  return { now: now.toISOString(), idleSince: secondsBefore(now, SESSION_IDLE_SECONDS) }
}

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
  announceSession(tx, session, 'create')
  const trimmed = { at: activeAt(now), keep: SESSIONS_PER_USER }
  announceEnded(tx, origin.userId, await store.trimSessions(tx, origin.userId, trimmed))
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
  if (session) announceSession(tx, session, 'update')
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
  await announcing(db, async (tx) => {
    const ended = isId(sessionId) ? await store.deleteSession(tx, userId, sessionId) : undefined
    if (!ended) throw new Refusal('user_session_not_found')
    announceEnded(tx, userId, [ended])
  })
}

export async function endAllSessions(db: Database, userId: string): Promise<void> {
  await announcing(db, async (tx) =>
    announceEnded(tx, userId, await store.deleteSessions(tx, userId)),
  )
}

function announceSession(
  tx: Database,
  session: SessionRow,
  action: 'create' | 'update' | 'delete',
) {
  const { userId, id } = session
  const payload = toSession(session, { isCurrent: false })
  announce(tx, { kind: 'account', userId, name: `sessions.${id}.${action}`, payload })
}

/** Sessions of a user that a transaction has deleted. */
export function announceEnded(tx: Database, userId: string, ended: SessionRow[]): void {
  for (const session of ended) announceSession(tx, session, 'delete')
  if (ended.length > 0) announce(tx, { kind: 'access', userId })
}

/** @returns an ISO time */
export function secondsBefore(time: Date, seconds: number): string {
  return new Date(time.getTime() - seconds * 1000).toISOString()
}
