// Which account a sign-in with Google opens: the one linked to the identity, else the one with the
// same verified address, else a new one. Knows no HTTP and no provider.
import { Refusal } from '#contract/errors.ts'
import { NAME_MAX_CHARS } from '#contract/limits.ts'
import { revokeAllCredentials } from '../accounts/credentials.ts'
import { addIdentity, findIdentityOwner, noteIdentityUse } from '../accounts/identities.ts'
import { findEmail, readEmail } from '../accounts/personal-details.ts'
import { findUserRowByEmail, insertUserRow, makeUserRow } from '../accounts/users.ts'
import type { Database, UserRow } from '../database/schema.ts'
import { lockUser } from '../database/transaction.ts'
import { makeId } from '../process/ids.ts'
import type { ProviderProfile } from './google-provider.ts'

export const GOOGLE = 'google'

export type GoogleProfile = Pick<ProviderProfile, 'sub' | 'email' | 'isEmailVerified' | 'name'>

/**
 * The account that this user signs in to; its row is locked. The provider's own id counts first; an
 * address only when the provider has verified it, and an account whose own address was never
 * verified loses its old credentials.
 *
 * @returns its id
 * @throws Refusal `user_blocked`, `user_email_not_verified`, `user_count_exceeded` when
 *   registration is closed
 * @source threat-model.md §9, decision 0014
 */
export async function findOrAddAccount(
  tx: Database,
  { sub, email: providerEmail, isEmailVerified, name }: GoogleProfile,
  { isRegistrationOpen, now }: { isRegistrationOpen: boolean; now: Date },
): Promise<string> {
  const ownerId = await findIdentityOwner(tx, { provider: GOOGLE, sub })
  if (ownerId !== undefined) {
    await lockUsableUser(tx, ownerId)
    const use = { provider: GOOGLE, sub, userId: ownerId, email: findEmail(providerEmail) ?? '' }
    // It may have been revoked between the look and the lock.
    if (!(await noteIdentityUse(tx, use, now))) throw accountChanged()
    return ownerId
  }
  if (!isEmailVerified) throw new Refusal('user_email_not_verified')
  const email = readEmail(providerEmail)
  const sameAddress = await findUserRowByEmail(tx, email)
  const known = sameAddress && (await lockUsableUser(tx, sameAddress.id))
  if (!known && !isRegistrationOpen) throw new Refusal('user_count_exceeded')
  // Compared again now that nobody else can change it.
  if (known && known.email !== email) throw accountChanged()
  if (known && !known.isVerified)
    await revokeAllCredentials(tx, known.id, { passwordHash: null, isAddressProven: true, now })
  const userId = known?.id ?? (await addUser(tx, { email, name: cleanName(name) }, now))
  await addIdentity(tx, { provider: GOOGLE, sub, userId, email }, now)
  return userId
}

/** @throws Refusal `user_blocked`; as for an unknown state when the account has just gone */
async function lockUsableUser(tx: Database, userId: string): Promise<UserRow> {
  const user = await lockUser(tx, userId)
  if (!user) throw signInEnded()
  if (user.isBlocked) throw new Refusal('user_blocked')
  return user
}

/** @param profile whose address the provider has verified */
async function addUser(
  tx: Database,
  profile: { email: string; name: string },
  now: Date,
): Promise<string> {
  const id = makeId(now.getTime())
  const user = makeUserRow(
    { id, email: profile.email, name: profile.name, passwordHash: null },
    now,
  )
  await insertUserRow(tx, { ...user, isVerified: 1 })
  return id
}

function accountChanged(): Refusal {
  return new Refusal('user_oauth2_bad_request', 'This account has just changed. Please try again.')
}

export function signInEnded(): Refusal {
  return new Refusal(
    'user_oauth2_bad_request',
    'This sign-in has ended or was begun in another browser. Please start again.',
  )
}

/** A name is no reason to refuse a sign-in: what does not belong in one is removed. */
function cleanName(name: string): string {
  const plain = name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return [...plain].slice(0, NAME_MAX_CHARS).join('').slice(0, NAME_MAX_CHARS).toWellFormed()
}
