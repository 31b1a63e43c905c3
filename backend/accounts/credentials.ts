// What gives access to an account (password, sessions, identities, mailed tokens), and when it
// stops working. Each function runs inside a transaction that has locked the user's row.
import type { Database } from '../database/schema.ts'
import { deleteSessions } from './session-store.ts'
import * as store from './user-store.ts'

/**
 * Gives an account to the proven owner of its address: the password, all sessions, identities and
 * mailed tokens stop working, because they may be a stranger's, and the address counts as verified.
 *
 * @source threat-model.md §9, decision 0014
 */
export async function revokeAllCredentials(tx: Database, userId: string, now: Date): Promise<void> {
  await revokeSessionsAndTokens(tx, userId)
  await store.deleteIdentities(tx, userId)
  await store.updateUser(tx, userId, {
    passwordHash: null,
    passwordUpdatedAt: null,
    isVerified: 1,
    updatedAt: now.toISOString(),
  })
}

/** Signs a user out everywhere; whatever was mailed to them stops working, too. */
export async function revokeSessionsAndTokens(tx: Database, userId: string): Promise<void> {
  await deleteSessions(tx, userId)
  await store.deleteTokens(tx, userId)
}

/**
 * Sets the password of a user who has proven the address, and revokes all sessions and mailed
 * tokens.
 *
 * @source threat-model.md §6
 */
export async function resetPassword(
  tx: Database,
  userId: string,
  { passwordHash, now }: { passwordHash: string; now: Date },
): Promise<void> {
  const time = now.toISOString()
  await store.updateUser(tx, userId, {
    passwordHash,
    passwordUpdatedAt: time,
    isVerified: 1,
    updatedAt: time,
  })
  await revokeSessionsAndTokens(tx, userId)
}
