// SQL of authorization requests that wait for their answer.
import type { Database, OAuthStateRow } from '../database/schema.ts'

export async function insertState(db: Database, state: OAuthStateRow): Promise<void> {
  await db.insertInto('oauthState').values(state).execute()
}

/**
 * Deletes the state that an answer belongs to, so that only one of two answers finds it. That of
 * another browser stays.
 */
export async function takeState(db: Database, of: Partial<OAuthStateRow>) {
  const deletion = db.deleteFrom('oauthState').where((where) => where.and(of))
  return deletion.returningAll().executeTakeFirst()
}

export async function deleteStatesBefore(db: Database, now: string): Promise<void> {
  await db.deleteFrom('oauthState').where('expiresAt', '<=', now).execute()
}
