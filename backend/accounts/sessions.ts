// Who asks: session token -> person, else API key, else guest. Also makes new sessions and says how
// long one lives. Knows no HTTP answer: cookies are set by routes.ts.
import { timingSafeEqual } from 'node:crypto'
import { Refusal } from '#contract/errors.ts'
import {
  ACCESSED_AT_STEP_SECONDS,
  SESSION_ABSOLUTE_SECONDS,
  SESSION_IDLE_SECONDS,
  SESSION_USE_STEP_SECONDS,
  SESSIONS_PER_USER,
} from '#contract/limits.ts'
import type { Database, SessionRow } from '../database/schema.ts'
import { type FindViewer, GUEST, type UserViewer } from '../http/viewer.ts'
import { hashSecret, makeId, makeSecret } from '../process/ids.ts'
import { USER_AGENT_MAX_CHARS } from './devices.ts'
import type { AccountsNeeds, Caller } from './needs.ts'
import { formatToken, readToken, type TokenNames } from './session-tokens.ts'
import * as store from './user-store.ts'

/** Which stored sessions still count at a moment. */
export function aliveAt(now: Date): store.Alive {
  return { now: now.toISOString(), idleSince: secondsBefore(now, SESSION_IDLE_SECONDS) }
}

/** What a provider of sign-in gave for a session; the tokens encrypted. */
export type SessionTokens = Pick<
  SessionRow,
  'providerAccessToken' | 'providerAccessTokenExpiresAt' | 'providerRefreshToken'
>

/**
 * Adds a session inside a transaction that has locked the user's row, notes the visit, and deletes
 * the oldest session above the limit.
 *
 * @returns the row, and the token that is shown this once
 * @source api.md §1.7, threat-model.md §6
 */
export async function addSession(
  tx: Database,
  person: Pick<SessionRow, 'userId' | 'provider' | 'providerUid'> & Partial<SessionTokens>,
  { caller, now }: { caller: Caller; now: Date },
): Promise<{ session: SessionRow; token: string }> {
  const secret = makeSecret()
  const session: SessionRow = {
    providerAccessToken: '',
    providerAccessTokenExpiresAt: '',
    providerRefreshToken: '',
    ...person,
    id: makeId(now.getTime()),
    secretHash: hashSecret(secret),
    ip: caller.address,
    userAgent: caller.userAgent.slice(0, USER_AGENT_MAX_CHARS),
    createdAt: now.toISOString(),
    lastUsedAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + SESSION_ABSOLUTE_SECONDS * 1000).toISOString(),
  }
  await store.setAccessedAt(tx, person.userId, session.createdAt)
  await store.insertSession(tx, session)
  await store.trimSessions(tx, person.userId, { alive: aliveAt(now), keep: SESSIONS_PER_USER })
  return { session, token: formatToken({ userId: person.userId, secret }) }
}

/**
 * Gives a session a new secret, inside a transaction that holds the person's row: what was copied
 * of it before is worth nothing.
 *
 * @returns as {@link addSession}; undefined when the session has ended meanwhile
 * @source threat-model.md §6
 */
export async function renewSession(
  tx: Database,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<{ session: SessionRow; token: string } | undefined> {
  const secret = makeSecret()
  const session = await store.setSessionSecret(tx, sessionId, hashSecret(secret))
  return session && { session, token: formatToken({ userId, secret }) }
}

/**
 * One of the viewer's own sessions.
 *
 * @param sessionId or `current`
 * @throws Refusal `user_session_not_found`, also for somebody else's
 */
export async function readSessionRow(
  db: Database,
  viewer: UserViewer,
  sessionId: string,
  now: Date,
): Promise<SessionRow> {
  const wanted = sessionId === 'current' ? viewer.sessionId : sessionId
  const rows = await store.listSessions(db, viewer.userId, aliveAt(now))
  const row = rows.find(({ id }) => id === wanted)
  if (!row) throw new Refusal('user_session_not_found')
  return row
}

type ViewerNeeds = Pick<AccountsNeeds, 'db' | 'background' | 'apiKey' | 'now'> & {
  names: TokenNames
}

/** One read for a request with a token, none for one without. @source api.md §1.1 */
export function makeFindViewer({ db, background, apiKey, now, names }: ViewerNeeds): FindViewer {
  const apiKeyHash = hashSecret(apiKey)
  const noting = new Set<string>()

  return async (request) => {
    const token = readToken(request.headers, names)
    const owner = token && (await findOwner(token.secret))
    if (owner && owner.userId === token.userId) {
      if (owner.isBlocked) throw new Refusal('user_blocked')
      noteUse(owner)
      const { userId, email, name, id: sessionId } = owner
      return { role: 'user', userId, email, name, isVerified: owner.isVerified === 1, sessionId }
    }
    const key = request.headers['x-appwrite-key']
    return typeof key === 'string' && isSameHash(hashSecret(key), apiKeyHash)
      ? { role: 'key' }
      : GUEST
  }

  async function findOwner(secret: string): Promise<store.SessionOwner | undefined> {
    const secretHash = hashSecret(secret)
    const owner = await store.findSessionOwner(db, secretHash)
    if (!owner || !isSameHash(owner.secretHash, secretHash)) return undefined
    const alive = aliveAt(now())
    return owner.expiresAt > alive.now && owner.lastUsedAt > alive.idleSince ? owner : undefined
  }

  /** Beside the answer, not before it: reads go on when the disk is full. */
  function noteUse({ id, userId, lastUsedAt, accessedAt }: store.SessionOwner): void {
    const at = now()
    const isUseOld = lastUsedAt <= secondsBefore(at, SESSION_USE_STEP_SECONDS)
    if (!isUseOld || noting.has(id)) return
    noting.add(id)
    background.run('note of a session in use', async () => {
      try {
        await store.setLastUsedAt(db, id, at.toISOString())
        if (accessedAt <= secondsBefore(at, ACCESSED_AT_STEP_SECONDS))
          await store.setAccessedAt(db, userId, at.toISOString())
      } finally {
        noting.delete(id)
      }
    })
  }
}

function secondsBefore(time: Date, seconds: number): string {
  return new Date(time.getTime() - seconds * 1000).toISOString()
}

function isSameHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
