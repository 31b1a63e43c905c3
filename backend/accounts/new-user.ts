// A person who is new here: the id asked for, the row, and adding it.
import { invalidParam, Refusal } from '#contract/errors.ts'
import { ID_RULE, isId, UNIQUE_ID } from '#contract/ids.ts'
import { isUniqueFault } from '../database/faults.ts'
import type { Database, UserRow } from '../database/schema.ts'
import { makeId } from '../process/ids.ts'
import * as store from './user-store.ts'

/**
 * @returns the id that was asked for, or a new one for `unique()`.
 * @throws Refusal `general_argument_invalid`
 */
export function readNewUserId(sent: string, now: Date): string {
  if (sent === UNIQUE_ID) return makeId(now.getTime())
  if (!isId(sent)) throw invalidParam('userId', ID_RULE)
  return sent
}

/** @param person `passwordHash` null is somebody who signs in by links or by a provider */
export function makeUserRow(
  person: Pick<UserRow, 'id' | 'email' | 'name' | 'passwordHash'>,
  now: Date,
): UserRow {
  const time = now.toISOString()
  return {
    ...person,
    passwordUpdatedAt: person.passwordHash === null ? null : time,
    isVerified: 0,
    isBlocked: 0,
    prefs: '{}',
    createdAt: time,
    updatedAt: time,
    accessedAt: time,
  }
}

/**
 * @throws Refusal `user_already_exists`: the id is taken, or the e-mail in any letter case; also by
 *   somebody who was just quicker
 */
export async function addNewUser(db: Database, user: UserRow): Promise<void> {
  try {
    await store.insertUser(db, user)
  } catch (cause) {
    if (isUniqueFault(cause)) throw new Refusal('user_already_exists', undefined, { cause })
    throw cause
  }
}
