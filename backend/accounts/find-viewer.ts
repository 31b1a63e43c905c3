// Who is asking: the user of a JWT or of a session token, else the API key, else a guest. Knows no
// HTTP answer.
import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import { ACCESSED_AT_STEP_SECONDS, SESSION_USE_STEP_SECONDS } from '#contract/limits.ts'
import type { Database } from '../database/schema.ts'
import { type FindViewer, GUEST, type UserViewer } from '../http/viewer.ts'
import type { Background } from '../process/background.ts'
import { hashSecret } from '../process/ids.ts'
import { type Jwts, markOf } from './jwt.ts'
import * as store from './session-store.ts'
import { findSessionToken, type SessionNames } from './session-tokens.ts'
import { activeAt, secondsBefore } from './sessions.ts'
import { setAccessedAt } from './user-store.ts'

/** A {@link FindViewer} for what is no request of a route, too. */
type FindViewerByHeaders = (request: Pick<FastifyRequest, 'headers'>) => ReturnType<FindViewer>

type FindViewerNeeds = {
  db: Database
  background: Background
  apiKey: string
  names: SessionNames
  jwts: Jwts
  now: () => Date
}

/**
 * At most one database read for a request with a token, none for one without. A JWT comes in place
 * of the session that the request carries.
 *
 * @source api.md §1.1
 */
export function makeFindViewer(needs: FindViewerNeeds): FindViewerByHeaders {
  const apiKeyHash = hashSecret(needs.apiKey)
  const sessionsBeingNoted = new Set<string>()

  return async (request) => {
    const jwt = request.headers['x-appwrite-jwt']
    const isByJwt = typeof jwt === 'string' && jwt !== ''
    const token = isByJwt ? undefined : findSessionToken(request.headers, needs.names)
    const owner = isByJwt
      ? await findJwtOwner(needs, jwt)
      : token && (await findOwner(needs, token.secret))
    if (owner && (isByJwt || owner.userId === token?.userId)) {
      if (owner.isBlocked) throw new Refusal('user_blocked')
      if (!isByJwt) noteUse(needs, owner, sessionsBeingNoted)
      return toViewer(owner, isByJwt ? '' : owner.id)
    }
    const key = request.headers['x-appwrite-key']
    return typeof key === 'string' && isSameHash(hashSecret(key), apiKeyHash)
      ? { role: 'key' }
      : GUEST
  }
}

function toViewer(
  { userId, email, name, isVerified }: store.SessionOwner,
  sessionId: string,
): UserViewer {
  return { role: 'user', userId, email, name, isVerified: isVerified === 1, sessionId }
}

/**
 * @returns undefined when the session has ended or has another secret by now
 * @throws Refusal `user_jwt_invalid`
 */
async function findJwtOwner(
  { db, jwts, now }: Pick<FindViewerNeeds, 'db' | 'jwts' | 'now'>,
  jwt: string,
): Promise<store.SessionOwner | undefined> {
  const at = now()
  const { userId, sessionId, mark } = await jwts.read(jwt, at)
  const owner = await store.findSessionOwnerById(db, sessionId)
  if (owner?.userId !== userId || !isSameHash(markOf(owner.secretHash), mark)) return undefined
  return isActive(owner, at) ? owner : undefined
}

function isActive(
  { expiresAt, lastUsedAt }: Pick<store.SessionOwner, 'expiresAt' | 'lastUsedAt'>,
  now: Date,
): boolean {
  const active = activeAt(now)
  return expiresAt > active.now && lastUsedAt > active.idleSince
}

async function findOwner(
  { db, now }: Pick<FindViewerNeeds, 'db' | 'now'>,
  secret: string,
): Promise<store.SessionOwner | undefined> {
  const secretHash = hashSecret(secret)
  const owner = await store.findSessionOwner(db, secretHash)
  if (!owner || !isSameHash(owner.secretHash, secretHash)) return undefined
  return isActive(owner, now()) ? owner : undefined
}

/**
 * Notes that a session is in use, at most once in a while; beside the answer, not before it: reads
 * go on when the disk is full.
 *
 * @param running the sessions that are being noted right now
 */
function noteUse(
  { db, background, now }: Pick<FindViewerNeeds, 'db' | 'background' | 'now'>,
  { id, userId, lastUsedAt, accessedAt }: store.SessionOwner,
  running: Set<string>,
): void {
  const at = now()
  const isDue = lastUsedAt <= secondsBefore(at, SESSION_USE_STEP_SECONDS)
  if (!isDue || running.has(id)) return
  running.add(id)
  background.run('note of a session in use', async () => {
    try {
      await store.setLastUsedAt(db, id, at.toISOString())
      if (accessedAt <= secondsBefore(at, ACCESSED_AT_STEP_SECONDS))
        await setAccessedAt(db, userId, at.toISOString())
    } finally {
      running.delete(id)
    }
  })
}

function isSameHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
