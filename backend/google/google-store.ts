// SQL of sign-in with Google: departures that wait for their answer, and who is who at the
// provider. Knows no rule.

import type { SessionTokens } from '../accounts/sessions.ts'
import type { UserRow } from '../accounts/user-store.ts'
import type { Database, IdentityTable, OAuthStateTable } from '../database/schema.ts'

export type OAuthStateRow = OAuthStateTable

export async function insertState(db: Database, state: OAuthStateRow): Promise<void> {
  await db.insertInto('oauthState').values(state).execute()
}

/**
 * Takes a departure out, so that of two answers to it only one finds it. Another browser's is left
 * where it is.
 */
export async function takeState(
  db: Database,
  { stateHash, browserHash }: Pick<OAuthStateRow, 'stateHash' | 'browserHash'>,
) {
  return db
    .deleteFrom('oauthState')
    .where('stateHash', '=', stateHash)
    .where('browserHash', '=', browserHash)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteStatesBefore(db: Database, now: string): Promise<void> {
  await db.deleteFrom('oauthState').where('expiresAt', '<=', now).execute()
}

/** Whom an identity belongs to. */
export async function findIdentityOwner(
  db: Database,
  { provider, sub }: Pick<IdentityTable, 'provider' | 'sub'>,
): Promise<string | undefined> {
  const found = await db
    .selectFrom('identity')
    .select('userId')
    .where('provider', '=', provider)
    .where('sub', '=', sub)
    .executeTakeFirst()
  return found?.userId
}

/** @throws the database's own unique fault when it belongs to somebody already */
export async function insertIdentity(db: Database, identity: IdentityTable): Promise<void> {
  await db.insertInto('identity').values(identity).execute()
}

/** @returns whether the session is still there */
export async function setSessionTokens(
  db: Database,
  sessionId: string,
  tokens: SessionTokens,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('session')
    .set(tokens)
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Notes a visit and holds the person's row till the end of the transaction.
 * @returns the row as it now is, undefined when gone
 */
export async function holdUser(
  tx: Database,
  userId: string,
  accessedAt: string,
): Promise<UserRow | undefined> {
  return tx
    .updateTable('user')
    .set({ accessedAt })
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirst()
}
