// SQL of sign-in with Google: departures that wait for their answer, and who is who at the
// provider. Knows no rule.

import type { SessionTokens } from '../accounts/sessions.ts'
import type { Database, IdentityRow, OAuthStateRow } from '../database/schema.ts'

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
  { provider, sub }: Pick<IdentityRow, 'provider' | 'sub'>,
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
export async function insertIdentity(db: Database, identity: IdentityRow): Promise<void> {
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
