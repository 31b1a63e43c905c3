// The one lock that changes of a user share, whatever domain they belong to.
import { compiledOnce } from './compiled.ts'
import { locked } from './dialect.ts'
import type { Database, UserRow } from './schema.ts'

/**
 * Locks the row of a user until the end of the transaction, so that changes of one user, and of
 * what is counted for them, happen one after the other.
 *
 * @returns the row as it now is; undefined when the user does not exist
 */
export async function lockUser(tx: Database, userId: string): Promise<UserRow | undefined> {
  return (await lock(tx, { userId })).rows[0]
}

const lock = compiledOnce((tx, { userId }: { userId: string }) =>
  locked(tx, tx.selectFrom('user').selectAll().where('id', '=', userId)),
)
