// Rows of users for the rules of all rooms: finding, reading and adding them.
import { invalidParam, Refusal } from '#contract/errors.ts'
import { ID_RULE, isId, UNIQUE_ID } from '#contract/ids.ts'
import { isUniqueFault } from '../database/faults.ts'
import type { Database, UserRow } from '../database/schema.ts'
import { announce, lockUser } from '../database/transaction.ts'
import { makeId } from '../process/ids.ts'
import { readEmail, readName } from './personal-details.ts'
import * as store from './store.ts'

export { deleteUser, findUserByEmail, insertUser } from './store.ts'

export async function findUserRow(db: Database, userId: string): Promise<UserRow | undefined> {
  return isId(userId) ? store.findUser(db, userId) : undefined
}

/** @throws Refusal `user_not_found`, also for what is no valid id */
export async function readUserRow(db: Database, userId: string): Promise<UserRow> {
  const user = await findUserRow(db, userId)
  if (!user) throw new Refusal('user_not_found')
  return user
}

/**
 * Locks the row of a user who may sign in.
 *
 * @param missing what is thrown when the user is not there
 * @throws Refusal `user_blocked`
 */
export async function lockUsableUser(
  tx: Database,
  userId: string,
  missing = () => new Refusal('user_not_found'),
): Promise<UserRow> {
  const user = await lockUser(tx, userId)
  if (!user) throw missing()
  if (user.isBlocked) throw new Refusal('user_blocked')
  return user
}

/**
 * @returns the id that was asked for, or a new one for `unique()`.
 * @throws Refusal `general_argument_invalid`
 */
export function readNewUserId(sent: string, now: Date): string {
  if (sent === UNIQUE_ID) return makeId(now.getTime())
  if (!isId(sent)) throw invalidParam('userId', ID_RULE)
  return sent
}

/** What a new user is called, checked. @throws Refusal `general_argument_invalid` */
export function readNewUser(sent: { userId: string; email: string; name?: string }, now: Date) {
  const id = readNewUserId(sent.userId, now)
  return { id, email: readEmail(sent.email), name: readName(sent.name ?? '') }
}

/** @param user `passwordHash` is null for a user who signs in by links or with a provider */
export function makeUserRow(
  user: Pick<UserRow, 'id' | 'email' | 'name' | 'passwordHash'>,
  now: Date,
): UserRow {
  const time = now.toISOString()
  return {
    ...user,
    passwordUpdatedAt: user.passwordHash === null ? null : time,
    isVerified: 0,
    isBlocked: 0,
    prefs: '{}',
    labels: '[]',
    createdAt: time,
    updatedAt: time,
    accessedAt: time,
  }
}

/**
 * As {@link insertUser}, for a caller who chose the id or the e-mail.
 * @throws Refusal `user_already_exists`: the id is taken, or the e-mail in any letter case
 */
export async function addNewUser(db: Database, user: UserRow): Promise<void> {
  try {
    await store.insertUser(db, user)
  } catch (cause) {
    if (isUniqueFault(cause)) throw new Refusal('user_already_exists', undefined, { cause })
    throw cause
  }
}

/** The user has proven to receive mail at the account's address. */
export async function confirmEmail(tx: Database, userId: string, now: Date): Promise<void> {
  await store.updateUser(tx, userId, { isVerified: 1, updatedAt: now.toISOString() })
  announce(tx, { kind: 'access', userId })
}

/**
 * Whether everybody may see that the person is there. An account that only a request for a sign-in
 * link has added is not shown: showing it would tell what the request did.
 */
export function isShown({ isBlocked, isVerified, passwordHash }: UserRow): boolean {
  return !isBlocked && (isVerified === 1 || passwordHash !== null)
}
