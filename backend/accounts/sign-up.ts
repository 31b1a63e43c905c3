// Signing up. Knows no HTTP.

import type { Account, InvitationProof, NewAccount } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import type { Live } from '../database/live.ts'
import type { UserRow } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { type Caller, hashingFor } from './caller.ts'
import { findInvitation, redeemInvitation } from './invitations.ts'
import { checkNewPassword, type Passwords } from './passwords.ts'
import { readEmail, readName } from './personal-details.ts'
import { toAccount } from './shapes.ts'
import { isTaken } from './store.ts'
import { addNewUser, makeUserRow, readNewUserId } from './users.ts'

export type SignUpNeeds = Live & {
  passwords: Passwords
  isRegistrationOpen: boolean
}

/**
 * Adds an account; no session starts. With the secret of an invitation also while registration is
 * closed, for the invited address alone.
 *
 * @throws Refusal `user_invalid_token` for an invitation that does not work or is for another
 *   address, `user_count_exceeded` when registration is closed (the only documented refusal for
 *   it), `general_argument_invalid`, `password_personal_data`, `user_already_exists` (id, or e-mail
 *   in any letter case)
 * @source api.md §2.2, threat-model.md §3, decision 0028
 */
export async function signUp(
  needs: SignUpNeeds,
  sent: NewAccount,
  caller: Caller,
): Promise<Account> {
  const { db, log, passwords, isRegistrationOpen, now } = needs
  const { userId, secret } = sent
  const proof = secret === undefined ? undefined : { userId, secret }
  const at = now()
  // Looked at first, redeemed last: a password that is refused does not cost the invitation.
  const invitation = proof && (await findInvitation(db, proof, at))
  if (!invitation && !isRegistrationOpen) throw new Refusal('user_count_exceeded')
  const id = readNewUserId(userId, at)
  const email = readEmail(sent.email)
  if (invitation && invitation.email !== email) throw new Refusal('user_invalid_token')
  const name = readName(sent.name ?? '')
  await checkNewPassword(sent.password, { email, name })
  // Asked before the costly hash; the database decides.
  if (await isTaken(db, { userId: id, email })) throw new Refusal('user_already_exists')
  const passwordHash = await passwords.hash(sent.password, hashingFor(caller))
  const user = makeUserRow({ id, email, name, passwordHash }, at)
  const added = proof ? await addInvited(needs, user, proof) : user
  if (!proof) await addNewUser(db, user)
  const isInvited = proof !== undefined
  const { requestId, address } = caller
  log.info({ event: 'sign-up', requestId, userId: id, address, isInvited }, 'signed up')
  return toAccount(added)
}

/**
 * A link that only a mail brought proves the address; one that the operator handed over does not.
 */
async function addInvited(
  { db, background, now }: Live,
  user: UserRow,
  proof: InvitationProof,
): Promise<UserRow> {
  return inTransaction(db, background, async (tx) => {
    const { isMailed } = await redeemInvitation(tx, proof, now())
    const invited = { ...user, isVerified: isMailed }
    await addNewUser(tx, invited)
    return invited
  })
}
