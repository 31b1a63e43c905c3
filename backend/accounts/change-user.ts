// One change of a user at a time, whoever makes it: the user or the operator. Which secrets and
// sessions end with each change is decided here and in credentials.ts. Knows no HTTP.
import type { Prefs } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { announce } from '../database/changes.ts'
import { isUniqueFault } from '../database/faults.ts'
import type { Database, UserRow } from '../database/schema.ts'
import { type After, inTransaction, lockUser } from '../database/transaction.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Background } from '../process/background.ts'
import { revokeSessionsAndTokens } from './credentials.ts'
import { emailChangedMail } from './mails.ts'
import { avatarIn, writePrefs } from './personal-details.ts'
import { toAccount } from './shapes.ts'
import * as store from './user-store.ts'

export type ChangeUserNeeds = { db: Database; background: Background; now: () => Date }

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
  { db, background, now }: ChangeUserNeeds,
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
