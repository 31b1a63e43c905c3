// What gives access to an account (password, sessions, identities, mailed tokens) and how it ends.
import type { Database } from '../database/schema.ts'
import * as store from './user-store.ts'

/**
 * Gives an account to the proven owner of its address: the password, all sessions, identities and
 * mailed tokens that somebody else may have made stop working, and the address counts as verified.
 *
 * @source threat-model.md §9, decision 0014
 */
export async function revokeAllCredentials(
  tx: Database,
  userId: string,
  updatedAt: string,
): Promise<void> {
  await store.deleteSessions(tx, userId)
  await store.deleteIdentities(tx, userId)
  await store.deleteTokens(tx, userId)
  await store.changeUser(tx, userId, {
    passwordHash: null,
    passwordUpdatedAt: null,
    isVerified: 1,
    updatedAt,
  })
}
