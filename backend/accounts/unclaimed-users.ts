// Imported authors: accounts with a name and posts, but without any way in. An operator's
// invitation to the address that the author had in the old blog hands the account over.
import type { Database, UserRow } from '../database/schema.ts'
import { tryParseEmail } from '../mail/addresses.ts'
import { makePlaceholderEmail } from './placeholder-email.ts'
import * as store from './store.ts'
import { makeUserRow } from './users.ts'

type NewUnclaimed = { id: string; name: string; email: string; runId: string }

/** @param author `email` is the one of the old blog; empty or invalid for none */
export async function addUnclaimedUser(tx: Database, author: NewUnclaimed, now: Date) {
  const { id, name, runId } = author
  const user = makeUserRow({ id, name, email: makePlaceholderEmail(id), passwordHash: null }, now)
  await store.insertUser(tx, user)
  await store.insertUnclaimed(tx, { userId: id, email: tryParseEmail(author.email) ?? '', runId })
}

/** The account that waits for the author with this address. */
export async function findUnclaimedUser(db: Database, email: string): Promise<string | undefined> {
  const parsed = tryParseEmail(email)
  return parsed === undefined ? undefined : await store.findUnclaimed(db, parsed)
}

/**
 * Hands an imported author's account to the person who has been invited by its address.
 *
 * @param user the account that they would get otherwise
 * @returns their account, with the posts; undefined if there is none
 */
export async function claimUser(tx: Database, user: UserRow): Promise<UserRow | undefined> {
  const userId = await store.findUnclaimed(tx, user.email)
  if (userId === undefined) return undefined
  const { email, name, passwordHash, passwordUpdatedAt, isVerified, labels } = user
  const { updatedAt, accessedAt } = user
  const signIn = { email, name, passwordHash, passwordUpdatedAt, isVerified, labels }
  await store.deleteUnclaimed(tx, userId)
  return await store.updateUser(tx, userId, { ...signIn, updatedAt, accessedAt })
}
