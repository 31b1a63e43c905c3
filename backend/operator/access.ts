// What the operator sees and changes of the ways into an account: sessions, JWTs, labels and
// identities. For the API key alone. Knows no HTTP.
import type { Identity, NewUserJwt, Session, User } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { JWT_SECONDS } from '#contract/limits.ts'
import type { Caller } from '../accounts/caller.ts'
import { changeUser } from '../accounts/change-user.ts'
import { removeIdentity } from '../accounts/identities.ts'
import { type Jwts, markOf } from '../accounts/jwt.ts'
import { addSession, listSessionRows } from '../accounts/sessions.ts'
import { toSession, toUser } from '../accounts/shapes.ts'
import { readUserRow } from '../accounts/users.ts'
import { inTransaction, lockUser } from '../database/transaction.ts'
import type { OperatorNeeds } from './users.ts'

type AccessNeeds = Pick<OperatorNeeds, 'db' | 'background' | 'log' | 'now'>

/** Newest first. @throws Refusal `user_not_found` */
export async function listUserSessions(
  { db, now }: Pick<AccessNeeds, 'db' | 'now'>,
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
  { db, background, log, now }: AccessNeeds,
  userId: string,
  caller: Caller,
): Promise<Session & { secret: string }> {
  const { session, token } = await inTransaction(db, background, async (tx) => {
    const user = await lockUser(tx, userId)
    if (!user) throw new Refusal('user_not_found')
    if (user.isBlocked) throw new Refusal('user_blocked')
    return addSession(tx, { userId, provider: 'server', providerUid: '' }, { caller, now: now() })
  })
  log.info({ event: 'session made by the operator', userId }, 'session made by the operator')
  return { ...toSession(session, { isCurrent: false }), secret: token }
}

/** @throws Refusal `user_not_found`, `user_blocked`, `user_session_not_found` */
export async function makeUserJwt(
  { db, log, now, jwts }: Pick<AccessNeeds, 'db' | 'log' | 'now'> & { jwts: Jwts },
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
  needs: AccessNeeds,
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
export async function removeUserIdentity(needs: AccessNeeds, id: Identity['$id']): Promise<void> {
  const userId = await removeIdentity(needs, id)
  needs.log.info({ event: 'identity removed by the operator', userId }, 'identity removed')
}
