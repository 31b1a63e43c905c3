// SQL for authorization requests that wait for their response.
import { sql } from 'kysely'
import { deleteSome } from '../database/change-in-batches.ts'
import type { Database, OAuthStateRow } from '../database/schema.ts'

/** How many expired requests are deleted at a time. */
const DELETION_BATCH = 50

export async function insertState(db: Database, state: OAuthStateRow): Promise<void> {
  await db.insertInto('oauthState').values(state).execute()
}

/**
 * Deletes and returns the state of a response, so that a second response does not find it. The
 * state of another browser stays.
 */
export async function consumeState(db: Database, filter: Partial<OAuthStateRow>) {
  const deletion = db.deleteFrom('oauthState').where((where) => where.and(filter))
  return deletion.returningAll().executeTakeFirst()
}

/** Deletes several expired states for each one that is added, so that they cannot accumulate. */
export async function deleteStatesBefore(db: Database, now: string): Promise<void> {
  const where = sql`${sql.ref('expiresAt')} <= ${now}`
  await deleteSome(db, { table: 'oauthState', key: 'stateHash', where }, DELETION_BATCH)
}
