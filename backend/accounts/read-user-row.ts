// The row of somebody who must be there.
import { Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import type { Database, UserRow } from '../database/schema.ts'
import { findUser } from './user-store.ts'

/** @throws Refusal `user_not_found`, also for what can be nobody's id */
export async function readUserRow(db: Database, userId: string): Promise<UserRow> {
  const user = isId(userId) ? await findUser(db, userId) : undefined
  if (!user) throw new Refusal('user_not_found')
  return user
}
