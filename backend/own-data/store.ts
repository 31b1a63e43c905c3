// SQL of deleting an account. Rows in, rows out; knows no rule.
import type { Database } from '../database/schema.ts'

/**
 * Sessions, identities, mailed tokens and likes are deleted with it, by foreign keys.
 * @returns whether this call was the one that deleted it
 */
export async function deleteUser(tx: Database, id: string): Promise<boolean> {
  const deletion = tx.deleteFrom('user').where('id', '=', id).returning('id')
  return (await deletion.executeTakeFirst()) !== undefined
}
