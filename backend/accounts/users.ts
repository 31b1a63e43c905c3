// Users, for the rules of all modules: finding, reading and adding them.

import type { Account, Prefs, PublicUser } from '#contract/accounts.ts'
import { readAboutAuthor } from '#contract/authors.ts'
import { invalidParam, Refusal } from '#contract/errors.ts'
import { ID_RULE, isId, UNIQUE_ID } from '#contract/ids.ts'
import type { SiteValues } from '#contract/site-settings.ts'
import { isVisible, withoutBidiControls } from '#contract/visible-text.ts'
import { refuseIfTaken } from '../database/database-errors.ts'
import type { Database, UserRow } from '../database/schema.ts'
import { lockUser, publishAfterCommit } from '../database/transaction.ts'
import { isOperator, type UserViewer, type Viewer } from '../http/viewer.ts'
import { emailAsSent, parseEmail } from '../mail/addresses.ts'
import { makeId } from '../process/ids.ts'
import type { BaseContext } from '../site/context.ts'
import { toAccount, toUserFor } from './serialisers.ts'
import * as store from './store.ts'

export { deleteUser, insertUser, updateUser } from './store.ts'

/** Begins the address of an account that is deleted while the rest of its content goes. */
export const RETIRED_EMAIL_PREFIX = 'deleted:'

export function isRetired({ email }: Pick<UserRow, 'email'>): boolean {
  return email.startsWith(RETIRED_EMAIL_PREFIX)
}

export async function findUserRow(db: Database, userId: string): Promise<UserRow | undefined> {
  const user = isId(userId) ? await store.findUser(db, userId) : undefined
  return user && isRetired(user) ? undefined : user
}

/**
 * The account of a mailbox. Two accounts that had one mailbox in two spellings before these counted
 * as one (2026-11-28) are each found by its own.
 *
 * @param sent the address as it was sent
 * @throws Refusal `general_argument_invalid`
 */
export async function findUserByEmail(db: Database, sent: string): Promise<UserRow | undefined> {
  const asSent = emailAsSent(sent)
  const users = await store.findUsersByEmail(db, [parseEmail(sent), asSent])
  return users.find(({ email }) => email === asSent) ?? users[0]
}

/** @throws Refusal `user_not_found`, also for an invalid id */
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
export async function lockUnblockedUser(
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

/** Checks id, e-mail and name of a new user. @throws Refusal `general_argument_invalid` */
export function readNewUser(sent: { userId: string; email: string; name?: string }, now: Date) {
  const id = readNewUserId(sent.userId, now)
  return { id, email: parseEmail(sent.email), name: parseName(sent.name ?? '') }
}

/**
 * @param user `passwordHash` is null for a user who signs in by links or with a provider
 * @param newRole of the settings
 */
export function makeUserRow(
  user: Pick<UserRow, 'id' | 'email' | 'name' | 'passwordHash'>,
  now: Date,
  { newRole }: Pick<SiteValues, 'newRole'> = { newRole: 'author' },
): UserRow {
  const time = now.toISOString()
  return {
    ...user,
    passwordUpdatedAt: user.passwordHash === null ? null : time,
    passwordSetBy: '',
    isVerified: 0,
    isBlocked: 0,
    prefs: '{}',
    about: '',
    labels: JSON.stringify([newRole]),
    createdAt: time,
    updatedAt: time,
    accessedAt: time,
  }
}

/**
 * As {@link insertUser}, for a caller who chose the id or the e-mail.
 * @throws Refusal `user_already_exists`: the id is taken, or the e-mail in any letter case
 */
export function addNewUser(db: Database, user: UserRow): Promise<void> {
  return store
    .insertUser(db, user)
    .catch((cause: unknown) => refuseIfTaken('user_already_exists', cause))
}

/** The user as Activity names them. */
export function subjectOf({ id, name, email }: Pick<UserRow, 'id' | 'name' | 'email'>) {
  return { type: 'person', id, name: name || email } as const
}

/** The user has proven to receive mail at the account's address. */
export async function confirmEmail(tx: Database, userId: string, now: Date): Promise<void> {
  await store.updateUser(tx, userId, { isVerified: 1, updatedAt: now.toISOString() })
  publishAfterCommit(tx, { kind: 'access', userId })
}

/**
 * Whether guests may see the user. An account that only a request for a sign-in link has added is
 * hidden: showing it would reveal what the request did.
 */
export function isPubliclyVisible({ isBlocked, isVerified, passwordHash }: UserRow): boolean {
  return !isBlocked && (isVerified === 1 || passwordHash !== null)
}

export async function readAccount({ db }: BaseContext, viewer: UserViewer): Promise<Account> {
  return toAccount(await readUserRow(db, viewer.userId))
}

/**
 * @returns everything for the API key and, but for the prefs, for operators; id and name for every
 *   other caller.
 * @throws Refusal `user_not_found`
 */
export async function readProfile({ db }: BaseContext, viewer: Viewer, userId: string) {
  const user = await readUserRow(db, userId)
  if (viewer.role === 'key' || isOperator(viewer)) return toUserFor(viewer, user)
  if (!isPubliclyVisible({ ...user, isBlocked: 0 })) throw new Refusal('user_not_found')
  return { $id: user.id, name: user.name } satisfies PublicUser
}

// --- what a valid name and prefs are, and the avatar that prefs name. Pure functions.

/** Size of the preferences as JSON. */
export const PREFS_MAX_BYTES = 65_535
/** Size of a body with prefs: each byte may be written as an escape of six. */
export const PREFS_BODY_MAX_BYTES = 8 * PREFS_MAX_BYTES

/**
 * A user's name as sent; markup in it is plain text.
 *
 * @param text its length is checked by the schema
 * @returns without the signs that turn the text behind it
 * @throws Refusal `general_argument_invalid` for control characters and line breaks, and for a name
 *   of which nothing is seen
 */
export function parseName(text: string): string {
  if (/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(text))
    throw invalidParam('name', 'Value must be one line of text without control characters')
  if (text !== '' && !isVisible(text))
    throw invalidParam('name', 'Value must have a character that can be seen')
  return withoutBidiControls(text)
}

/**
 * @returns JSON, as stored.
 * @throws Refusal `general_argument_invalid` when they are too large
 */
export function serialisePrefs(prefs: Prefs): string {
  const text = JSON.stringify(prefs)
  if (Buffer.byteLength(text) > PREFS_MAX_BYTES)
    throw invalidParam('prefs', `Value must be a JSON object of at most ${PREFS_MAX_BYTES} bytes`)
  return text
}

/** How programs name a user's image in the prefs, if not `avatar`. */
const NAME_OF_IMAGE = /[Aa]vatar|[Pp]hoto|[Pp]icture|[Ii]mage|[Ii]mg|Pic$|^pic$|_pic$/
const FILE_ADDRESS =
  /\/v1\/storage\/buckets\/[^/"'\s]+\/files\/([A-Za-z0-9][A-Za-z0-9._-]{0,35})\/(?:view|preview|download)(?![\w.-])/

/**
 * The id of the file that is a user's avatar: `avatar` of the prefs, else the first that is named
 * like an image; its value is an id, or the URL of a file.
 */
export function avatarIn(prefs: Prefs): string | undefined {
  const others = Object.keys(prefs).filter((name) => NAME_OF_IMAGE.test(name))
  const values = ['avatar', ...others].map((name) => prefs[name])
  for (const value of values) {
    if (typeof value !== 'string') continue
    const id = isId(value) ? value : FILE_ADDRESS.exec(value)?.[1]
    if (id !== undefined) return id
  }
  return undefined
}

/** The line about themselves that prefs have; empty when there is none that can be shown. */
export function aboutIn({ about }: Prefs): string {
  return (typeof about === 'string' ? readAboutAuthor(about) : undefined) ?? ''
}
