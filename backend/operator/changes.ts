// Changes that the operator makes to users. Texts are checked as when users send them. All throw
// Refusal `user_not_found`. Knows no HTTP.
import type { Prefs } from '#contract/accounts.ts'
import {
  block,
  type ChangeUserNeeds,
  changeUser,
  type ReplaceEmailNeeds,
  type ReplacePrefsNeeds,
  replaceEmail,
  replacePrefs,
} from '../accounts/change-user.ts'
import { revokeAllCredentials } from '../accounts/credentials.ts'
import { checkNewPassword, type Passwords } from '../accounts/passwords.ts'
import { readEmail, readName } from '../accounts/personal-details.ts'
import { readUserRow } from '../accounts/users.ts'
import type { UserRow } from '../database/schema.ts'

/** @throws Refusal `general_argument_invalid` */
export function setName(needs: ChangeUserNeeds, userId: string, name: string): Promise<UserRow> {
  return changeUser(needs, userId, async () => ({ name: readName(name) }), 'name')
}

/**
 * The new address is not verified; the old one gets a mail.
 * @throws Refusal `general_argument_invalid`, `user_email_already_exists`
 */
export async function setEmail(
  needs: ChangeUserNeeds & ReplaceEmailNeeds,
  userId: string,
  sent: string,
): Promise<UserRow> {
  const email = readEmail(sent)
  return changeUser(
    needs,
    userId,
    (tx, user, after) => replaceEmail(needs, tx, { user, email, after }),
    'email',
  )
}

/**
 * Every credential but the new password stops working.
 * @throws Refusal `general_argument_invalid`, `password_personal_data`
 */
export async function setPassword(
  needs: ChangeUserNeeds & { passwords: Passwords },
  userId: string,
  password: string,
): Promise<UserRow> {
  await checkNewPassword(password, await readUserRow(needs.db, userId))
  const passwordHash = await needs.passwords.hash(password)
  return changeUser(
    needs,
    userId,
    async (tx) => {
      const now = needs.now()
      await revokeAllCredentials(tx, userId, { passwordHash, isAddressProven: false, now })
      return {}
    },
    'password',
  )
}

/** Blocking ends all sessions and revokes all mailed tokens. */
export function setBlocked(
  needs: ChangeUserNeeds,
  userId: string,
  isBlocked: boolean,
): Promise<UserRow> {
  return changeUser(needs, userId, isBlocked ? block : async () => ({ isBlocked: 0 }), 'status')
}

export function setVerified(
  needs: ChangeUserNeeds,
  userId: string,
  isVerified: boolean,
): Promise<UserRow> {
  return changeUser(needs, userId, async () => ({ isVerified: Number(isVerified) }))
}

/** Replaces all prefs. @throws Refusal `general_argument_invalid` when they are too large */
export async function setPrefs(
  needs: ChangeUserNeeds & ReplacePrefsNeeds,
  userId: string,
  prefs: Prefs,
): Promise<UserRow> {
  return changeUser(needs, userId, replacePrefs(needs, prefs), 'prefs')
}
