// One change of a user at a time, whoever makes it: the user or the operator. Which secrets and
// sessions end with each change is decided here and in sessions.ts. Knows no HTTP.
import type { Account, Prefs, UpdatedEmail, UpdatedPassword } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { announce } from '../database/changes.ts'
import { isUniqueFault } from '../database/faults.ts'
import type { Live } from '../database/live.ts'
import type { Database, UserRow } from '../database/schema.ts'
import { type After, inTransaction, lockUser } from '../database/transaction.ts'
import type { UserViewer } from '../http/viewer.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Log } from '../process/log.ts'
import type { StartedSession } from './find-viewer.ts'
import { emailChangedMail } from './mails.ts'
import { checkNewPassword, checkPasswordLength, type Passwords } from './passwords.ts'
import { avatarIn, readEmail, readName, writePrefs } from './personal-details.ts'
import { type Caller, hashingFor, logEvent } from './session-cookies.ts'
import {
  announceEnded,
  renewSession,
  requireFreshSession,
  revokeSessionsAndTokens,
} from './sessions.ts'
import { toAccount } from './shapes.ts'
import * as store from './store.ts'
import { deleteOtherSessions, deleteTokens } from './store.ts'
import { readUserRow } from './users.ts'

export type ReplaceEmailNeeds = { mailer: Mailer; siteName: string; publicUrl: string }

export type ReplacePrefsNeeds = {
  /** From files: see `Files.noteAvatar`. */
  noteAvatar: (
    tx: Database,
    after: After,
    avatar: { userId: string; fileId: string | undefined },
  ) => Promise<void>
  /** From reads: see `Reads.notePrefs`. */
  notePrefs: (tx: Database, user: { userId: string; prefs: Prefs }) => Promise<void>
}

/** @returns the columns that change */
type Change = (
  tx: Database,
  user: UserRow,
  after: After,
) => Promise<Omit<store.UserChange, 'updatedAt'>>

/** The end of the event's name (api.md §7.3). */
type Changed = 'name' | 'email' | 'password' | 'prefs' | 'status'

/**
 * @param what is heard of it; without it only the person's open connections take note
 * @throws Refusal `user_not_found`, `user_email_already_exists`
 */
export async function changeUser(
  { db, background, now }: Omit<Live, 'log'>,
  userId: string,
  change: Change,
  what?: Changed,
): Promise<UserRow> {
  try {
    return await inTransaction(db, background, async (tx, after) => {
      const user = await lockUser(tx, userId)
      if (!user) throw new Refusal('user_not_found')
      const columns = await change(tx, user, after)
      const changed = await store.updateUser(tx, userId, {
        ...columns,
        updatedAt: now().toISOString(),
      })
      if (!changed) throw new Refusal('user_not_found')
      const payload = toAccount(changed)
      if (what) announce(tx, { kind: 'account', userId, name: `update.${what}`, payload })
      announce(tx, { kind: 'access', userId })
      return changed
    })
  } catch (cause) {
    if (isUniqueFault(cause)) throw new Refusal('user_email_already_exists', undefined, { cause })
    throw cause
  }
}

/**
 * The new address is not verified; the old one gets a mail, and tokens that were mailed to it stop
 * working.
 *
 * @param change `email` as `readEmail` gives it
 */
export async function replaceEmail(
  { mailer, siteName, publicUrl }: ReplaceEmailNeeds,
  tx: Database,
  { user, email, after }: { user: UserRow; email: string; after: After },
): Promise<{ email?: string; isVerified?: number }> {
  if (user.email === email) return {}
  await store.deleteTokens(tx, user.id)
  if (mailer.delivery !== 'off')
    after('mail to the old address', () =>
      mailer.send(emailChangedMail({ siteName, publicUrl }, { to: user.email })),
    )
  return { email, isVerified: 0 }
}

/** All prefs anew. @throws Refusal `general_argument_invalid` when they are too large */
export function replacePrefs({ noteAvatar, notePrefs }: ReplacePrefsNeeds, sent: Prefs): Change {
  const prefs = writePrefs(sent)
  const fileId = avatarIn(sent)
  return async (tx, { id: userId }, after) => {
    await noteAvatar(tx, after, { userId, fileId })
    await notePrefs(tx, { userId, prefs: sent })
    return { prefs }
  }
}

/** Only the operator can lift it. */
export async function block(tx: Database, user: UserRow): Promise<{ isBlocked: number }> {
  await revokeSessionsAndTokens(tx, user.id)
  return { isBlocked: 1 }
}

// --- changes that users make to their own account: name, e-mail, password, blocking it

export type ChangesNeeds = Live & ReplaceEmailNeeds & { passwords: Passwords }

const SIGN_IN_TO_CHANGE_EMAIL =
  'Please sign in again first. Without a password only a fresh sign-in changes the e-mail address.'
const SIGN_IN_TO_SET_PASSWORD =
  'Please sign in again first. Only a fresh sign-in sets the first password.'

/** @throws Refusal `general_argument_invalid` */
export async function rename(needs: Live, viewer: UserViewer, name: string): Promise<Account> {
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
  needs: Live & { passwords: Passwords },
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
  needs: Live & { log: Log },
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
