// SQL of deleting an account. Rows in, rows out; knows no rule.
import type { Database } from '../database/schema.ts'

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
