// SQL of authorization requests that wait for their answer.
import { sql } from 'kysely'
import { deleteSome } from '../database/change-in-batches.ts'
import type { Database, OAuthStateRow } from '../database/schema.ts'

/** Ended requests that are deleted at once. */
const STATES_AT_ONCE = 50

export async function insertState(db: Database, state: OAuthStateRow): Promise<void> {
  await db.insertInto('oauthState').values(state).execute()
}

/**
 * Deletes the state that an answer belongs to, so that only one of two answers finds it. That of
 * another browser stays.
 */
export async function consumeState(db: Database, of: Partial<OAuthStateRow>) {
  const deletion = db.deleteFrom('oauthState').where((where) => where.and(of))
  return deletion.returningAll().executeTakeFirst()
}

/** Some of those that have ended: more than one request adds. */
export async function deleteStatesBefore(db: Database, now: string): Promise<void> {
  const where = sql`${sql.ref('expiresAt')} <= ${now}`
  await deleteSome(db, { table: 'oauthState', key: 'stateHash', where }, STATES_AT_ONCE)
}
