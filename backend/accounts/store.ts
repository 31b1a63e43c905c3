// SQL of users, their sessions and sign-ins. Rows in, rows out; knows no rule.

import { sql } from 'kysely'
import { compiledOnce } from '../database/compiled.ts'
import type { Database, SessionRow, SignInLogRow, UserRow } from '../database/schema.ts'

/** A session ends this long after its last use. */
const SESSION_IDLE_SECONDS = 14 * 24 * 60 * 60

/** A session with what `findViewer` needs of its user, in one read. */
export type SessionOwner = Pick<
  SessionRow,
  'id' | 'userId' | 'secretHash' | 'lastUsedAt' | 'expiresAt'
> &
  Pick<UserRow, 'email' | 'name' | 'isVerified' | 'isBlocked' | 'accessedAt'>

export async function insertSession(db: Database, session: SessionRow): Promise<void> {
  await db.insertInto('session').values(session).execute()
}

export async function findSessionOwner(
  db: Database,
  secretHash: string,
): Promise<SessionOwner | undefined> {
  return (await findBySecret(db, { secretHash })).rows[0]
}

const findBySecret = compiledOnce((db, { secretHash }: { secretHash: string }) =>
  ownersOf(db).where('session.secretHash', '=', secretHash),
)

export async function findSessionOwnerById(
  db: Database,
  sessionId: string,
): Promise<SessionOwner | undefined> {
  return ownersOf(db).where('session.id', '=', sessionId).executeTakeFirst()
}

/** Sessions with their users. */
function ownersOf(db: Database) {
  return db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.userId')
    .select([
      'session.id',
      'session.userId',
      'session.secretHash',
      'session.lastUsedAt',
      'session.expiresAt',
    ])
    .select(['user.email', 'user.name', 'user.isVerified', 'user.isBlocked', 'user.accessedAt'])
}

export async function setLastUsedAt(
  db: Database,
  sessionId: string,
  lastUsedAt: string,
): Promise<void> {
  await db.updateTable('session').set({ lastUsedAt }).where('id', '=', sessionId).execute()
}

/** A session is active while it ends after `now` and was used after `idleSince`; ISO times. */
export type ActiveAt = { now: string; idleSince: string }

export function activeAt(now: Date): ActiveAt {
  return { now: now.toISOString(), idleSince: secondsBefore(now, SESSION_IDLE_SECONDS) }
}

/** @returns an ISO time */
export function secondsBefore(time: Date, seconds: number): string {
  return new Date(time.getTime() - seconds * 1000).toISOString()
}

/** Newest first. */
export async function listSessions(
  db: Database,
  userId: string,
  at: ActiveAt,
): Promise<SessionRow[]> {
  return db
    .selectFrom('session')
    .selectAll()
    .where('userId', '=', userId)
    .where('expiresAt', '>', at.now)
    .where('lastUsedAt', '>', at.idleSince)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

function deletionFor(db: Database, userId: string) {
  return db.deleteFrom('session').where('userId', '=', userId).returningAll()
}

/** @returns the deleted session, undefined when this user had no such one */
export async function deleteSession(
  db: Database,
  userId: string,
  sessionId: string,
): Promise<SessionRow | undefined> {
  return deletionFor(db, userId).where('id', '=', sessionId).executeTakeFirst()
}

/** @returns the session with its new secret, undefined when it has ended */
export async function setSessionSecret(
  db: Database,
  sessionId: string,
  secretHash: string,
): Promise<SessionRow | undefined> {
  return db
    .updateTable('session')
    .set({ secretHash })
    .where('id', '=', sessionId)
    .returningAll()
    .executeTakeFirst()
}

/** @returns those that were deleted, as the functions below do */
export async function deleteOtherSessions(
  db: Database,
  userId: string,
  keptId: string,
): Promise<SessionRow[]> {
  return deletionFor(db, userId).where('id', '!=', keptId).execute()
}

/** When a session of this user began. */
export async function findSessionStart(
  db: Database,
  { sessionId, userId }: { sessionId: string; userId: string },
): Promise<string | undefined> {
  const found = await db
    .selectFrom('session')
    .select('createdAt')
    .where('id', '=', sessionId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return found?.createdAt
}

/** Ends the sessions that began with an identity, but one; that one forgets provider tokens. */
export async function endSessionsBegunWith(
  db: Database,
  { userId, provider, providerUid }: Pick<SessionRow, 'userId' | 'provider' | 'providerUid'>,
  { keptId }: { keptId: string },
): Promise<SessionRow[]> {
  const ended = await deletionFor(db, userId)
    .where('provider', '=', provider)
    .where('providerUid', '=', providerUid)
    .where('id', '!=', keptId)
    .execute()
  await db
    .updateTable('session')
    .set({ providerAccessToken: '', providerAccessTokenExpiresAt: '', providerRefreshToken: '' })
    .where('id', '=', keptId)
    .where('provider', '=', provider)
    .where('providerUid', '=', providerUid)
    .execute()
  return ended
}

export async function deleteSessions(db: Database, userId: string): Promise<SessionRow[]> {
  return deletionFor(db, userId).execute()
}

/** Deletes a user's ended sessions, and of the others all but the newest `keep`. */
export async function trimSessions(
  db: Database,
  userId: string,
  { at, keep }: { at: ActiveAt; keep: number },
): Promise<SessionRow[]> {
  const kept = (await listSessions(db, userId, at)).slice(0, keep).map(({ id }) => id)
  return deletionFor(db, userId)
    .$if(kept.length > 0, (query) => query.where('id', 'not in', kept))
    .execute()
}

// --- users, and deleting what gives access to them

/** @throws the database's unique fault when the id or the e-mail is taken */
export async function insertUser(db: Database, user: UserRow): Promise<void> {
  await db.insertInto('user').values(user).execute()
}

export async function findUser(db: Database, userId: string): Promise<UserRow | undefined> {
  return db.selectFrom('user').selectAll().where('id', '=', userId).executeTakeFirst()
}

/** @param email in lower case */
export async function findUserByEmail(db: Database, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('user').selectAll().where('email', '=', email).executeTakeFirst()
}

export async function isTaken(
  db: Database,
  { userId, email }: { userId: string; email: string },
): Promise<boolean> {
  const found = await db
    .selectFrom('user')
    .select('id')
    .where((where) => where.or([where('id', '=', userId), where('email', '=', email)]))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export type UserChange = Partial<Omit<UserRow, 'id' | 'createdAt' | 'updatedAt'>> & {
  updatedAt: string
}

/**
 * @returns the row as stored; undefined when the user does not exist.
 * @throws the database's own unique fault for an e-mail in use
 */
export async function updateUser(
  db: Database,
  userId: string,
  change: UserChange,
): Promise<UserRow | undefined> {
  return db
    .updateTable('user')
    .set(change)
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Replaces a hash by a stronger one of the same password, unless it has changed in the meantime.
 */
export async function upgradeHash(
  db: Database,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await db
    .updateTable('user')
    .set({ passwordHash: to })
    .where('id', '=', userId)
    .where('passwordHash', '=', from)
    .execute()
}

/** Whether any account has a password hash that begins otherwise. */
export async function hasOtherHash(db: Database, prefix: string): Promise<boolean> {
  const found = await db
    .selectFrom('user')
    .select('id')
    .where('passwordHash', 'is not', null)
    .where('passwordHash', 'not like', `${prefix}%`)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export async function setAccessedAt(
  db: Database,
  userId: string,
  accessedAt: string,
): Promise<void> {
  await db.updateTable('user').set({ accessedAt }).where('id', '=', userId).execute()
}

/** Every token mailed to this user stops working. */
export async function deleteTokens(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('token').where('userId', '=', userId).execute()
}

/** Those that followed a sign-in with this account at a provider. */
export async function deleteTokensBegunWith(
  db: Database,
  { userId, providerUid }: { userId: string; providerUid: string },
): Promise<void> {
  await db
    .deleteFrom('token')
    .where('userId', '=', userId)
    .where('providerUid', '=', providerUid)
    .execute()
}

// --- sign-ins that are remembered of each user

export async function insertLog(db: Database, row: SignInLogRow): Promise<void> {
  await db.insertInto('signInLog').values(row).execute()
}

/** Deletes all of a user but the newest `keep`. */
export async function trimLogs(db: Database, userId: string, keep: number): Promise<void> {
  const oldest = db
    .selectFrom('signInLog')
    .select('id')
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .offset(keep)
    // SQLite takes no offset without a limit.
    .limit(keep)
  await db.deleteFrom('signInLog').where('id', 'in', oldest).execute()
}

export async function deleteLogsBefore(db: Database, time: string): Promise<void> {
  await db.deleteFrom('signInLog').where('createdAt', '<=', time).execute()
}

/** Newest first. */
export async function listLogs(
  db: Database,
  { userId, after }: { userId: string; after: string },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; rows: SignInLogRow[] }> {
  const own = db.selectFrom('signInLog').where('userId', '=', userId).where('createdAt', '>', after)
  const rows = await own
    .selectAll()
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const counted = await own.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  return { total: Number(counted.total), rows }
}
