// Signing up. Knows no HTTP.
import type { Account, NewAccount } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import type { Database } from '../database/schema.ts'
import type { Log } from '../process/log.ts'
import type { Caller } from './caller.ts'
import { checkNewPassword, type Passwords } from './passwords.ts'
import { readEmail, readName } from './personal-details.ts'
import { toAccount } from './shapes.ts'
import { isTaken } from './user-store.ts'
import { addNewUser, makeUserRow, readNewUserId } from './users.ts'

export type SignUpNeeds = {
  db: Database
  log: Log
  passwords: Passwords
  isRegistrationOpen: boolean
  now: () => Date
}

/**
 * Adds an account; no session starts.
 *
 * @throws Refusal `user_count_exceeded` when registration is closed (the only documented refusal
 *   for it), `general_argument_invalid`, `password_personal_data`, `user_already_exists` (id, or
 *   e-mail in any letter case)
 * @source api.md §2.2, threat-model.md §3
 */
export async function signUp(
  { db, log, passwords, isRegistrationOpen, now }: SignUpNeeds,
  sent: NewAccount,
  { requestId, address }: Caller,
): Promise<Account> {
  if (!isRegistrationOpen) throw new Refusal('user_count_exceeded')
  const at = now()
  const id = readNewUserId(sent.userId, at)
  const email = readEmail(sent.email)
  const name = readName(sent.name ?? '')
  await checkNewPassword(sent.password, { email, name })
  // Asked before the costly hash; the database decides.
  if (await isTaken(db, { userId: id, email })) throw new Refusal('user_already_exists')
  const passwordHash = await passwords.hash(sent.password)
  const user = makeUserRow({ id, email, name, passwordHash }, at)
  await addNewUser(db, user)
  log.info({ event: 'sign-up', requestId, userId: id, address }, 'signed up')
  return toAccount(user)
}
