// The operator's view of users: listing and adding them, sign-in links, ending sessions (api.md
// §6). For the API key alone. Knows no HTTP.
import type { ImportedUser, NewSignInLink, NewUser, Token, User } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { type QuerySchema, readQueries } from '#contract/queries.ts'
import { notTaken } from '../accounts/imported-hashes.ts'
import { checkNewPassword, type Passwords } from '../accounts/passwords.ts'
import { readEmail, readName } from '../accounts/personal-details.ts'
import { endAllSessions, endSession } from '../accounts/sessions.ts'
import { toUser } from '../accounts/shapes.ts'
import { addNewUser, makeUserRow, readNewUserId, readUserRow } from '../accounts/users.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction, lockUser } from '../database/transaction.ts'
import { issueToken, toToken } from '../mail-links/mailed-tokens.ts'
import type { Background } from '../process/background.ts'
import { makeSecret } from '../process/ids.ts'
import type { Log } from '../process/log.ts'
import * as store from './store.ts'

export type OperatorNeeds = {
  db: Database
  background: Background
  log: Log
  passwords: Passwords
  now: () => Date
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
  { db }: Pick<OperatorNeeds, 'db'>,
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
    const user = await lockUser(tx, userId)
    if (!user) throw new Refusal('user_not_found')
    if (user.isBlocked) throw new Refusal('user_blocked')
    const options = { now: now(), seconds, secret: chosen?.slice(0, length) }
    return issueToken(tx, { userId, kind: 'sign-in' }, options)
  })
  log.info(
    { event: 'sign-in link made by the operator', userId },
    'sign-in link made by the operator',
  )
  return toToken(token, secret)
}

/** @throws Refusal `user_not_found`, `user_session_not_found` */
export async function endUserSession(
  { db }: Pick<OperatorNeeds, 'db'>,
  userId: string,
  sessionId: string,
): Promise<void> {
  await readUserRow(db, userId)
  await endSession(db, userId, sessionId)
}

/** @throws Refusal `user_not_found` */
export async function endUserSessions(
  { db }: Pick<OperatorNeeds, 'db'>,
  userId: string,
): Promise<void> {
  await readUserRow(db, userId)
  await endAllSessions(db, userId)
}
