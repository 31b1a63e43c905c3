// Finds, reads and adds users, for the rules of all rooms.

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
import { parseEmail, toLowerCaseEmail } from '../mail/addresses.ts'
import { makeId } from '../process/ids.ts'
import type { BaseContext } from '../site/context.ts'
import { isPlaceholderEmail } from './placeholder-email.ts'
import { toAccount, toUserFor } from './serialisers.ts'
import * as store from './store.ts'

export { deleteUser, insertUser, updateUser } from './store.ts'

/** The prefix of the email of a deleted account while its content is being deleted. */
export const RETIRED_EMAIL_PREFIX = 'deleted:'

export function isRetired({ email }: Pick<UserRow, 'email'>): boolean {
  return email.startsWith(RETIRED_EMAIL_PREFIX)
}

export async function findUserRow(db: Database, userId: string): Promise<UserRow | undefined> {
  const user = isId(userId) ? await store.findUser(db, userId) : undefined
  return user && isRetired(user) ? undefined : user
}

/**
 * The account of a mailbox. Two accounts from before 2026-11-28 may have different spellings of one
 * mailbox; then the exact spelling decides.
 *
 * @param email as the client sent it
 * @throws Refusal `general_argument_invalid`
 */
export async function findUserByEmail(db: Database, email: string): Promise<UserRow | undefined> {
  const lowerCaseEmail = toLowerCaseEmail(email)
  const users = await store.findUsersByEmail(db, [parseEmail(email), lowerCaseEmail])
  return users.find((user) => user.email === lowerCaseEmail) ?? users[0]
}

/** @throws Refusal `user_not_found`, also for an invalid id */
export async function readUserRow(db: Database, userId: string): Promise<UserRow> {
  const user = await findUserRow(db, userId)
  if (!user) throw new Refusal('user_not_found')
  return user
}

/**
 * Locks the row of a user who is not blocked.
 *
 * @param makeMissingError makes the error to throw when the user does not exist
 * @throws Refusal `user_blocked`
 */
export async function lockUnblockedUser(
  tx: Database,
  userId: string,
  makeMissingError = () => new Refusal('user_not_found'),
): Promise<UserRow> {
  const user = await lockUser(tx, userId)
  if (!user) throw makeMissingError()
  if (user.isBlocked) throw new Refusal('user_blocked')
  return user
}

/**
 * @returns the requested id, or a new one for `unique()`.
 * @throws Refusal `general_argument_invalid`
 */
export function readNewUserId(requested: string, now: Date): string {
  if (requested === UNIQUE_ID) return makeId(now.getTime())
  if (!isId(requested)) throw invalidParam('userId', ID_RULE)
  return requested
}

/** Checks id, email and name of a new user. @throws Refusal `general_argument_invalid` */
export function readNewUser(params: { userId: string; email: string; name?: string }, now: Date) {
  const id = readNewUserId(params.userId, now)
  return { id, email: parseEmail(params.email), name: parseName(params.name ?? '') }
}

/**
 * @param user `passwordHash` is null for a user who signs in by links or with a provider
 * @param newRole the role that operators chose for new accounts
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
 * As {@link insertUser}, but for an id or an email that the client chose.
 * @throws Refusal `user_already_exists`: the id is taken, or the email in any letter case
 */
export async function addNewUser(db: Database, user: UserRow): Promise<void> {
  // It would look like an imported author.
  if (isPlaceholderEmail(user.email))
    throw invalidParam('email', 'Value must be a valid email address')
  await store
    .insertUser(db, user)
    .catch((cause: unknown) => refuseIfTaken('user_already_exists', cause))
}

/** The user as the subject of an Activity entry. */
export function subjectOf({ id, name, email }: Pick<UserRow, 'id' | 'name' | 'email'>) {
  return { type: 'person', id, name: name || email } as const
}

/** Marks the email of an account as verified. */
export async function confirmEmail(tx: Database, userId: string, now: Date): Promise<void> {
  await store.updateUser(tx, userId, { isVerified: 1, updatedAt: now.toISOString() })
  publishAfterCommit(tx, { kind: 'access', userId })
}

/**
 * Whether guests may see the user. An account that a request for a sign-in link has created is
 * hidden until its first sign-in, because seeing it would reveal that the address was unknown.
 * Imported authors have no address.
 */
export function isPubliclyVisible({ isBlocked, isVerified, passwordHash, email }: UserRow) {
  return !isBlocked && (isVerified === 1 || passwordHash !== null || isPlaceholderEmail(email))
}

export async function readAccount({ db }: BaseContext, viewer: UserViewer): Promise<Account> {
  return toAccount(await readUserRow(db, viewer.userId))
}

/**
 * @returns all fields for the API key, all but the prefs for operators, id and name for others.
 * @throws Refusal `user_not_found`
 */
export async function readProfile({ db }: BaseContext, viewer: Viewer, userId: string) {
  const user = await readUserRow(db, userId)
  if (viewer.role === 'key' || isOperator(viewer)) return toUserFor(viewer, user)
  if (!isPubliclyVisible({ ...user, isBlocked: 0 })) throw new Refusal('user_not_found')
  return { $id: user.id, name: user.name } satisfies PublicUser
}

// --- validation of names and prefs, and the avatar in prefs. Pure functions.

/** Limit of the prefs as JSON. */
export const PREFS_MAX_BYTES = 65_535
/** Limit of a request body with prefs, where a byte may be sent as an escape of six characters. */
export const PREFS_BODY_MAX_BYTES = 8 * PREFS_MAX_BYTES

/**
 * Validates a user's name; markup in it is plain text. The schema checks its length.
 *
 * @returns the name without bidirectional control characters
 * @throws Refusal `general_argument_invalid` for control characters and line breaks, and for a name
 *   without visible characters
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

/** Keys that programs use in prefs for a user's image, besides `avatar`. */
const IMAGE_NAME = /[Aa]vatar|[Pp]hoto|[Pp]icture|[Ii]mage|[Ii]mg|Pic$|^pic$|_pic$/
const FILE_URL =
  /\/v1\/storage\/buckets\/[^/"'\s]+\/files\/([A-Za-z0-9][A-Za-z0-9._-]{0,35})\/(?:view|preview|download)(?![\w.-])/

/**
 * The id of a user's avatar: the value of `avatar` in the prefs, else that of the first key that
 * suggests an image. The value is the id or the URL of a file.
 */
export function avatarIn(prefs: Prefs): string | undefined {
  const others = Object.keys(prefs).filter((name) => IMAGE_NAME.test(name))
  const values = ['avatar', ...others].map((name) => prefs[name])
  for (const value of values) {
    if (typeof value !== 'string') continue
    const id = isId(value) ? value : FILE_URL.exec(value)?.[1]
    if (id !== undefined) return id
  }
  return undefined
}

/** The line that users write about themselves, from their prefs; empty if missing or invalid. */
export function aboutIn({ about }: Prefs): string {
  return (typeof about === 'string' ? readAboutAuthor(about) : undefined) ?? ''
}
