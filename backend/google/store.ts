// SQL of sign-in with Google: authorization requests that wait for their answer, and a session's
// tokens. Rows in, rows out; knows no rule.
import type { ProviderTokenColumns } from '../accounts/sessions.ts'
import type { Database, OAuthStateRow } from '../database/schema.ts'

export async function insertState(db: Database, state: OAuthStateRow): Promise<void> {
  await db.insertInto('oauthState').values(state).execute()
}

/**
 * Deletes the state that an answer belongs to, so that of two answers only one finds it. Another
 * browser's is left where it is.
 */
export async function takeState(
  db: Database,
  { stateHash, browserHash }: Pick<OAuthStateRow, 'stateHash' | 'browserHash'>,
): Promise<OAuthStateRow | undefined> {
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

/** @returns whether the session is still there */
export async function setSessionTokens(
  db: Database,
  sessionId: string,
  tokens: ProviderTokenColumns,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('session')
    .set(tokens)
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
