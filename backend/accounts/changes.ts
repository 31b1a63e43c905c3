// Changes that users make to their own account: name, e-mail, password, blocking it. Knows no HTTP.
import type { Account, UpdatedEmail, UpdatedPassword } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import type { UserRow } from '../database/schema.ts'
import type { UserViewer } from '../http/viewer.ts'
import type { Log } from '../process/log.ts'
import { type Caller, hashingFor, logEvent } from './caller.ts'
import {
  block,
  type ChangeUserNeeds,
  changeUser,
  type ReplaceEmailNeeds,
  replaceEmail,
} from './change-user.ts'
import { requireFreshSession } from './credentials.ts'
import { checkNewPassword, checkPasswordLength, type Passwords } from './passwords.ts'
import { readEmail, readName } from './personal-details.ts'
import { deleteOtherSessions } from './session-store.ts'
import type { StartedSession } from './session-tokens.ts'
import { announceEnded, renewSession } from './sessions.ts'
import { toAccount } from './shapes.ts'
import { deleteTokens } from './user-store.ts'
import { readUserRow } from './users.ts'

export type ChangesNeeds = ChangeUserNeeds & ReplaceEmailNeeds & { log: Log; passwords: Passwords }

const SIGN_IN_TO_CHANGE_EMAIL =
  'Please sign in again first. Without a password only a fresh sign-in changes the e-mail address.'
const SIGN_IN_TO_SET_PASSWORD =
  'Please sign in again first. Only a fresh sign-in sets the first password.'

/** @throws Refusal `general_argument_invalid` */
export async function rename(
  needs: ChangeUserNeeds,
  viewer: UserViewer,
  name: string,
): Promise<Account> {
  return toAccount(
    await changeUser(needs, viewer.userId, async () => ({ name: readName(name) }), 'name'),
  )
}

/**
 * The new address is not verified; the old one gets a mail.
 *
 * @param sent for an account without a password its `password` becomes one; the session must be
 *   fresh then
 * @throws Refusal `general_argument_invalid`, `user_invalid_credentials`, `user_unauthorized`,
 *   `user_email_already_exists`
 */
export async function changeEmail(
  needs: ChangesNeeds,
  viewer: UserViewer,
  sent: UpdatedEmail,
  caller: Caller,
): Promise<Account> {
  const { db, log, now, passwords } = needs
  const email = readEmail(sent.email)
  checkPasswordLength(sent.password)
  const checked = await readUserRow(db, viewer.userId)
  const hadPassword = checked.passwordHash !== null
  if (hadPassword) await checkPassword(passwords, checked, { password: sent.password, caller })
  else {
    await requireFreshSession(db, viewer, { now: now(), refusal: SIGN_IN_TO_CHANGE_EMAIL })
    await checkNewPassword(sent.password, { email, name: checked.name })
  }
  const newHash = hadPassword ? undefined : await passwords.hash(sent.password, hashingFor(caller))
  const changed = await changeUser(
    needs,
    viewer.userId,
    async (tx, user, after) => {
      refuseChangedPassword(user, checked)
      if (!hadPassword)
        await requireFreshSession(tx, viewer, { now: now(), refusal: SIGN_IN_TO_CHANGE_EMAIL })
      const columns = await replaceEmail(needs, tx, { user, email, after })
      return newHash === undefined
        ? columns
        : { ...columns, passwordHash: newHash, passwordUpdatedAt: now().toISOString() }
    },
    'email',
  )
  logEvent(log, 'e-mail changed', viewer.userId, caller)
  return toAccount(changed)
}

/**
 * Ends all other sessions, gives this one a new secret, and revokes all mailed tokens. A first
 * password needs a fresh session: it could change the address right afterwards.
 *
 * @returns `renewed` is undefined when this session has ended
 * @throws Refusal `general_argument_invalid`, `user_invalid_credentials`, `user_unauthorized`,
 *   `password_personal_data`
 */
export async function changePassword(
  needs: Pick<ChangesNeeds, 'db' | 'background' | 'log' | 'now' | 'passwords'>,
  viewer: UserViewer,
  { password, oldPassword = '' }: UpdatedPassword,
  caller: Caller,
): Promise<{ account: Account; renewed: StartedSession | undefined }> {
  const { db, log, now, passwords } = needs
  checkPasswordLength(password)
  if (oldPassword) checkPasswordLength(oldPassword, 'oldPassword')
  const checked = await readUserRow(db, viewer.userId)
  const hadPassword = checked.passwordHash !== null
  if (hadPassword) await checkPassword(passwords, checked, { password: oldPassword, caller })
  else await requireFreshSession(db, viewer, { now: now(), refusal: SIGN_IN_TO_SET_PASSWORD })
  await checkNewPassword(password, checked)
  const passwordHash = await passwords.hash(password, hashingFor(caller))
  let renewed: StartedSession | undefined
  const changed = await changeUser(
    needs,
    viewer.userId,
    async (tx, user) => {
      refuseChangedPassword(user, checked)
      if (!hadPassword)
        await requireFreshSession(tx, viewer, { now: now(), refusal: SIGN_IN_TO_SET_PASSWORD })
      const ended = await deleteOtherSessions(tx, viewer.userId, viewer.sessionId)
      announceEnded(tx, viewer.userId, ended)
      await deleteTokens(tx, viewer.userId)
      renewed = await renewSession(tx, viewer)
      return { passwordHash, passwordUpdatedAt: now().toISOString() }
    },
    'password',
  )
  logEvent(log, 'password changed', viewer.userId, caller)
  return { account: toAccount(changed), renewed }
}

/** Blocks the viewer's own account: only the operator can lift it. */
export async function blockSelf(
  needs: ChangeUserNeeds & { log: Log },
  viewer: UserViewer,
  caller: Caller,
): Promise<Account> {
  const blocked = await changeUser(needs, viewer.userId, block, 'status')
  logEvent(needs.log, 'account blocked', viewer.userId, caller)
  return toAccount(blocked)
}

/** @throws Refusal `user_invalid_credentials` */
async function checkPassword(
  passwords: Passwords,
  { passwordHash }: UserRow,
  { password, caller }: { password: string; caller: Caller },
): Promise<void> {
  const isRight = await passwords.isRight(password, passwordHash ?? undefined, hashingFor(caller))
  if (!isRight) throw new Refusal('user_invalid_credentials')
}

/** What was checked before the transaction must still be the password. */
function refuseChangedPassword(user: UserRow, checked: UserRow): void {
  if (user.passwordHash !== checked.passwordHash) throw new Refusal('user_invalid_credentials')
}
