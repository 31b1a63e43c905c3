// SQL of ending an account. Knows no rule.
import type { Database, IdentityRow } from '../database/schema.ts'

/** Whom to delete; with `passwordHash` only if it still is that one. */
export type Doomed = { id: string; passwordHash?: string | null }

/**
 * Sessions, identities, mailed secrets and likes go with it.
 * @returns whether this call was the one that deleted it
 */
export async function deleteUser(tx: Database, { id, passwordHash }: Doomed): Promise<boolean> {
  let query = tx.deleteFrom('user').where('id', '=', id)
  if (passwordHash !== undefined)
    query = query.where('passwordHash', 'is not distinct from', passwordHash)
  return (await query.returning('id').executeTakeFirst()) !== undefined
}

/** Whether this session of this person began after `since`. */
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
