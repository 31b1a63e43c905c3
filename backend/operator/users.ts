// What the operator sees and changes of users, and of the ways into their accounts (api.md §6). For
// the API key alone. Knows no HTTP.

import { JWT_SECONDS } from '#backend/accounts/jwt.ts'
import type {
  Identity,
  ImportedUser,
  NewSignInLink,
  NewUser,
  NewUserJwt,
  Prefs,
  Session,
  Token,
  User,
} from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import {
  block,
  changeUser,
  type ReplaceEmailNeeds,
  type ReplacePrefsNeeds,
  replaceEmail,
  replacePrefs,
} from '../accounts/change-user.ts'
import { removeIdentity } from '../accounts/identities.ts'
import { notTaken } from '../accounts/imported-hashes.ts'
import { type Jwts, markOf } from '../accounts/jwt.ts'
import { checkNewPassword, type Passwords } from '../accounts/passwords.ts'
import { readEmail, readName } from '../accounts/personal-details.ts'
import type { Caller } from '../accounts/session-cookies.ts'
import {
  addSession,
  endAllSessions,
  endSession,
  listSessionRows,
  revokeAllCredentials,
} from '../accounts/sessions.ts'
import { toSession, toUser } from '../accounts/shapes.ts'
import { addNewUser, makeUserRow, readNewUserId, readUserRow } from '../accounts/users.ts'
import type { Live } from '../database/live.ts'
import { type QuerySchema, readQueries } from '../database/queries.ts'
import type { Database, UserRow } from '../database/schema.ts'
import { inTransaction, lockUser } from '../database/transaction.ts'
import { issueToken, toToken } from '../mail-links/mailed-tokens.ts'
import { makeSecret } from '../process/ids.ts'
import * as store from './store.ts'

export type OperatorNeeds = Live & {
  passwords: Passwords
}

const USER_QUERIES: QuerySchema = {
  name: { type: 'string' },
  email: { type: 'string' },
  phone: { type: 'string' },
  status: { type: 'boolean' },
  passwordUpdate: { type: 'datetime' },
  registration: { type: 'datetime' },
  emailVerification: { type: 'boolean' },
  phoneVerification: { type: 'boolean' },
  $id: { type: 'string' },
  $createdAt: { type: 'datetime' },
  $updatedAt: { type: 'datetime' },
}

/**
 * @param asked `search` looks into id, name and e-mail; without `hasTotal` the total is 0
 * @throws Refusal as {@link readQueries}
 */
export async function listUsers(
  { db }: Pick<Live, 'db'>,
  asked: { queries: string[] | undefined; search: string | undefined; hasTotal: boolean },
): Promise<{ total: number; users: User[] }> {
  const { queries, search, hasTotal } = asked
  const query = readQueries(queries, USER_QUERIES, { role: 'key' })
  if (query.select) throw new Refusal('general_argument_invalid', 'Invalid query method: select')
  const rows = await store.listUsers(db, query, search)
  const total = hasTotal ? await store.countUsers(db, query, search) : 0
  return { total, users: rows.map(toUser) }
}

/**
 * Adds a user, also while registration is closed.
 * @throws Refusal `general_argument_invalid`, `password_personal_data`, `user_already_exists`
 */
export async function createUser(
  { db, log, passwords, now }: Omit<OperatorNeeds, 'background'>,
  sent: NewUser,
): Promise<User> {
  const at = now()
  const id = readNewUserId(sent.userId, at)
  const email = readEmail(sent.email)
  const name = readName(sent.name ?? '')
  if (sent.password !== undefined) await checkNewPassword(sent.password, { email, name })
  const passwordHash = sent.password === undefined ? null : await passwords.hash(sent.password)
  const user = makeUserRow({ id, email, name, passwordHash }, at)
  await addNewUser(db, user)
  log.info({ event: 'account made by the operator', userId: id }, 'account made by the operator')
  return toUser(user)
}

/**
 * Adds a user who goes on with the password of before.
 *
 * @param passwordHash as imported-hashes.ts has read it
 * @throws Refusal `general_argument_invalid`, `user_already_exists`
 */
export async function importUser(
  { db, log, passwords, now }: Omit<OperatorNeeds, 'background'>,
  sent: Omit<ImportedUser, 'password'>,
  passwordHash: string,
): Promise<User> {
  await requireCheckable(passwords, passwordHash)
  const at = now()
  const id = readNewUserId(sent.userId, at)
  const user = makeUserRow(
    { id, email: readEmail(sent.email), name: readName(sent.name ?? ''), passwordHash },
    at,
  )
  await addNewUser(db, user)
  log.info({ event: 'account imported by the operator', userId: id }, 'account imported')
  return toUser(user)
}

/**
 * What looks like a hash may be none that can be checked, which would show only when its person
 * signs in: it is checked once before it is kept.
 */
async function requireCheckable(passwords: Passwords, hash: string): Promise<void> {
  try {
    await passwords.isRight(makeSecret(), hash)
  } catch (cause) {
    if (cause instanceof Refusal) throw cause
    throw notTaken('hash that can be checked')
  }
}

/**
 * Makes a secret that signs this user in once; shown to the caller alone.
 *
 * @param sent lifetime and length, when not the usual ones
 * @throws Refusal `user_not_found`, `user_blocked`
 */
export async function makeSignInLink(
  { db, background, log, now }: Omit<OperatorNeeds, 'passwords'>,
  userId: string,
  { length, expire: seconds }: NewSignInLink,
): Promise<Token> {
  const chosen = length === undefined ? undefined : makeSecret(Math.ceil(length / 2))

  const { token, secret } = await inTransaction(db, background, async (tx) => {
    await lockUsableUser(tx, userId)
    const options = { now: now(), seconds, secret: chosen?.slice(0, length) }
    return issueToken(tx, { userId, kind: 'sign-in' }, options)
  })
  log.info(
    { event: 'sign-in link made by the operator', userId },
    'sign-in link made by the operator',
  )
  return toToken(token, secret)
}

/** @throws Refusal `user_not_found`, `user_blocked` */
async function lockUsableUser(tx: Database, userId: string): Promise<void> {
  const user = await lockUser(tx, userId)
  if (!user) throw new Refusal('user_not_found')
  if (user.isBlocked) throw new Refusal('user_blocked')
}

/** @throws Refusal `user_not_found`, `user_session_not_found` */
export async function endUserSession(
  { db }: Live,
  userId: string,
  sessionId: string,
): Promise<void> {
  await readUserRow(db, userId)
  await endSession(db, userId, sessionId)
}

/** @throws Refusal `user_not_found` */
export async function endUserSessions({ db }: Live, userId: string): Promise<void> {
  await readUserRow(db, userId)
  await endAllSessions(db, userId)
}

// --- changes: texts are checked as when users send them; all throw Refusal `user_not_found`

/** @throws Refusal `general_argument_invalid` */
export function setName(needs: Live, userId: string, name: string): Promise<UserRow> {
  return changeUser(needs, userId, async () => ({ name: readName(name) }), 'name')
}

/**
 * The new address is not verified; the old one gets a mail.
 * @throws Refusal `general_argument_invalid`, `user_email_already_exists`
 */
export async function setEmail(
  needs: Live & ReplaceEmailNeeds,
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
  needs: Live & { passwords: Passwords },
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
export function setBlocked(needs: Live, userId: string, isBlocked: boolean): Promise<UserRow> {
  return changeUser(needs, userId, isBlocked ? block : async () => ({ isBlocked: 0 }), 'status')
}

export function setVerified(needs: Live, userId: string, isVerified: boolean): Promise<UserRow> {
  return changeUser(needs, userId, async () => ({ isVerified: Number(isVerified) }))
}

/** Replaces all prefs. @throws Refusal `general_argument_invalid` when they are too large */
export async function setPrefs(
  needs: Live & ReplacePrefsNeeds,
  userId: string,
  prefs: Prefs,
): Promise<UserRow> {
  return changeUser(needs, userId, replacePrefs(needs, prefs), 'prefs')
}

// --- ways into an account: sessions, JWTs, labels and identities

/** Newest first. @throws Refusal `user_not_found` */
export async function listUserSessions(
  { db, now }: Live,
  userId: string,
): Promise<{ total: number; sessions: Session[] }> {
  await readUserRow(db, userId)
  const rows = await listSessionRows(db, userId, now())
  return { total: rows.length, sessions: rows.map((row) => toSession(row, { isCurrent: false })) }
}

/**
 * Signs a user in, for a program of the operator that serves them.
 *
 * @returns the session with its secret, shown this once
 * @throws Refusal `user_not_found`, `user_blocked`
 */
export async function startUserSession(
  { db, background, log, now }: Live,
  userId: string,
  caller: Caller,
): Promise<Session & { secret: string }> {
  const { session, token } = await inTransaction(db, background, async (tx) => {
    await lockUsableUser(tx, userId)
    return addSession(tx, { userId, provider: 'server', providerUid: '' }, { caller, now: now() })
  })
  log.info({ event: 'session made by the operator', userId }, 'session made by the operator')
  return { ...toSession(session, { isCurrent: false }), secret: token }
}

/** @throws Refusal `user_not_found`, `user_blocked`, `user_session_not_found` */
export async function makeUserJwt(
  { db, log, now, jwts }: Live & { jwts: Jwts },
  userId: string,
  { sessionId = 'recent', duration = JWT_SECONDS }: NewUserJwt,
): Promise<string> {
  const at = now()
  const { isBlocked } = await readUserRow(db, userId)
  if (isBlocked) throw new Refusal('user_blocked')
  const rows = await listSessionRows(db, userId, at)
  const session = sessionId === 'recent' ? rows[0] : rows.find(({ id }) => id === sessionId)
  if (!session) throw new Refusal('user_session_not_found')
  log.info({ event: 'JWT made by the operator', userId }, 'JWT made by the operator')
  const claims = { userId, sessionId: session.id, mark: markOf(session.secretHash) }
  return jwts.make(claims, { now: at, seconds: duration })
}

/** Each of them once. @throws Refusal `user_not_found` */
export async function setLabels(
  needs: Live,
  userId: string,
  labels: readonly string[],
): Promise<User> {
  const changed = await changeUser(needs, userId, async () => ({
    labels: JSON.stringify([...new Set(labels)]),
  }))
  needs.log.info({ event: 'labels set by the operator', userId }, 'labels set by the operator')
  return toUser(changed)
}

/**
 * Sessions that began with it end. Whether another way in is left is the operator's to know.
 * @throws Refusal `user_identity_not_found`
 */
export async function removeUserIdentity(needs: Live, id: Identity['$id']): Promise<void> {
  const userId = await removeIdentity(needs, id)
  needs.log.info({ event: 'identity removed by the operator', userId }, 'identity removed')
}
