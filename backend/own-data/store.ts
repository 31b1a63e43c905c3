// SQL of deleting and exporting an account. Rows in, rows out; knows no rule.
import type { Database, IdentityRow } from '../database/schema.ts'

/** With `passwordHash` only if it still is that one. */
export type UserToDelete = { id: string; passwordHash?: string | null }

/**
 * Sessions, identities, mailed tokens and likes are deleted with it, by foreign keys.
 * @returns whether this call was the one that deleted it
 */
export async function deleteUser(
  tx: Database,
  { id, passwordHash }: UserToDelete,
): Promise<boolean> {
  let query = tx.deleteFrom('user').where('id', '=', id)
  if (passwordHash !== undefined)
    query = query.where('passwordHash', 'is not distinct from', passwordHash)
  return (await query.returning('id').executeTakeFirst()) !== undefined
}

/** Whether this session of this user began after `since`. */
export async function hasSessionSince(
  db: Database,
  { sessionId, userId, since }: { sessionId: string; userId: string; since: string },
): Promise<boolean> {
  const found = await db
    .selectFrom('session')
    .select('id')
    .where('id', '=', sessionId)
    .where('userId', '=', userId)
    .where('createdAt', '>', since)
    .executeTakeFirst()
  return found !== undefined
}

/** Oldest first. */
export async function listIdentities(db: Database, userId: string): Promise<IdentityRow[]> {
  return db
    .selectFrom('identity')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('sub')
    .execute()
}
