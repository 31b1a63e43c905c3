// Who is asking: the user of a session token, else the API key, else a guest. Knows no HTTP answer.
import { timingSafeEqual } from 'node:crypto'
import { Refusal } from '#contract/errors.ts'
import { ACCESSED_AT_STEP_SECONDS, SESSION_USE_STEP_SECONDS } from '#contract/limits.ts'
import type { Database } from '../database/schema.ts'
import { type FindViewer, GUEST } from '../http/viewer.ts'
import type { Background } from '../process/background.ts'
import { hashSecret } from '../process/ids.ts'
import * as store from './session-store.ts'
import { findSessionToken, type SessionNames } from './session-tokens.ts'
import { activeAt, secondsBefore } from './sessions.ts'
import { setAccessedAt } from './user-store.ts'

type FindViewerNeeds = {
  db: Database
  background: Background
  apiKey: string
  names: SessionNames
  now: () => Date
}

/** One database read for a request with a token, none for one without. @source api.md §1.1 */
export function makeFindViewer(needs: FindViewerNeeds): FindViewer {
  const apiKeyHash = hashSecret(needs.apiKey)
  const sessionsBeingNoted = new Set<string>()

  return async (request) => {
    const token = findSessionToken(request.headers, needs.names)
    const owner = token && (await findOwner(needs, token.secret))
    if (owner && owner.userId === token.userId) {
      if (owner.isBlocked) throw new Refusal('user_blocked')
      noteUse(needs, owner, sessionsBeingNoted)
      const { userId, email, name, id: sessionId } = owner
      return { role: 'user', userId, email, name, isVerified: owner.isVerified === 1, sessionId }
    }
    const key = request.headers['x-appwrite-key']
    return typeof key === 'string' && isSameHash(hashSecret(key), apiKeyHash)
      ? { role: 'key' }
      : GUEST
  }
}

async function findOwner(
  { db, now }: Pick<FindViewerNeeds, 'db' | 'now'>,
  secret: string,
): Promise<store.SessionOwner | undefined> {
  const secretHash = hashSecret(secret)
  const owner = await store.findSessionOwner(db, secretHash)
  if (!owner || !isSameHash(owner.secretHash, secretHash)) return undefined
  const active = activeAt(now())
  return owner.expiresAt > active.now && owner.lastUsedAt > active.idleSince ? owner : undefined
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
