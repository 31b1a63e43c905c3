// What gives access to an account (password, sessions, identities, mailed tokens), and when it
// stops working. Each function runs inside a transaction that has locked the user's row.
import { Refusal } from '#contract/errors.ts'
import { FRESH_SIGN_IN_SECONDS } from '#contract/limits.ts'
import type { Database } from '../database/schema.ts'
import { deleteIdentities } from './identity-store.ts'
import { announceEnded } from './sessions.ts'
import * as store from './store.ts'
import { deleteSessions, findSessionStart, secondsBefore } from './store.ts'

/**
 * The one way in which an account changes hands: the password, all sessions, identities and mailed
 * tokens stop working, because they may be a stranger's.
 *
 * @param given `passwordHash` is the only credential from now on, null for none; `isAddressProven`
 *   when the new owner has shown to receive mail at the account's address
 * @source threat-model.md §6, §9, decision 0014, decision 0021
 */
export async function revokeAllCredentials(
  tx: Database,
  userId: string,
  given: { passwordHash: string | null; isAddressProven: boolean; now: Date },
): Promise<void> {
  await revokeSessionsAndTokens(tx, userId)
  await deleteIdentities(tx, userId)
  const time = given.now.toISOString()
  await store.updateUser(tx, userId, {
    passwordHash: given.passwordHash,
    passwordUpdatedAt: given.passwordHash === null ? null : time,
    ...(given.isAddressProven ? { isVerified: 1 } : {}),
    updatedAt: time,
  })
}

/** Signs a user out everywhere; whatever was mailed to them stops working, too. */
export async function revokeSessionsAndTokens(tx: Database, userId: string): Promise<void> {
  announceEnded(tx, userId, await deleteSessions(tx, userId))
  await store.deleteTokens(tx, userId)
}

/**
 * Without a password, a session is all that an account has to show: one that may have been left
 * open somewhere, or copied, must not be enough for what cannot be taken back.
 *
 * @param refusal what the user reads
 * @throws Refusal `user_unauthorized` when the session is not fresh, or has ended
 * @source threat-model.md §6
 */
export async function requireFreshSession(
  db: Database,
  session: { sessionId: string; userId: string },
  { now, refusal }: { now: Date; refusal: string },
): Promise<void> {
  const startedAt = await findSessionStart(db, session)
  const isFresh = startedAt !== undefined && startedAt > secondsBefore(now, FRESH_SIGN_IN_SECONDS)
  if (!isFresh) throw new Refusal('user_unauthorized', refusal)
}
