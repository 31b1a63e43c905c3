// SQL for people and their sessions. Rows in, rows out; knows no rule.
import type { Database, SessionRow, UserRow } from '../database/schema.ts'

/** A session with what `findViewer` needs of its person, in one read. */
export type SessionOwner = Pick<
  SessionRow,
  'id' | 'userId' | 'secretHash' | 'lastUsedAt' | 'expiresAt'
> &
  Pick<UserRow, 'email' | 'name' | 'isVerified' | 'isBlocked' | 'accessedAt'>

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

type UserChange = Partial<Omit<UserRow, 'id' | 'createdAt' | 'updatedAt'>> & { updatedAt: string }

/**
 * @returns the row as stored, undefined when the person is gone.
 * @throws the database's own unique fault for an e-mail in use
 */
export async function changeUser(
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
 * Notes a sign-in and holds the person's row till the end of the transaction, so that two sign-ins
 * at once come one after the other.
 *
 * @param passwordHash the hash that was checked: if it has changed meanwhile, nothing is done
 * @returns whether the person is still there, with that password and not blocked
 */
export async function holdForSignIn(
  db: Database,
  userId: string,
  change: { passwordHash: string; accessedAt: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('user')
    .set({ accessedAt: change.accessedAt })
    .where('id', '=', userId)
    .where('passwordHash', '=', change.passwordHash)
    .where('isBlocked', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Replaces a hash by a stronger one of the same password, unless it has changed meanwhile. */
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

export async function setAccessedAt(
  db: Database,
  userId: string,
  accessedAt: string,
): Promise<void> {
  await db.updateTable('user').set({ accessedAt }).where('id', '=', userId).execute()
}

export async function insertSession(db: Database, session: SessionRow): Promise<void> {
  await db.insertInto('session').values(session).execute()
}

export async function findSessionOwner(
  db: Database,
  secretHash: string,
): Promise<SessionOwner | undefined> {
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
    .where('session.secretHash', '=', secretHash)
    .executeTakeFirst()
}

export async function setLastUsedAt(
  db: Database,
  sessionId: string,
  lastUsedAt: string,
): Promise<void> {
  await db.updateTable('session').set({ lastUsedAt }).where('id', '=', sessionId).execute()
}

/** Sessions count as alive while they end after `now` and were used after `idleSince`. */
export type Alive = { now: string; idleSince: string }

/** Newest first. */
export async function listSessions(
  db: Database,
  userId: string,
  alive: Alive,
): Promise<SessionRow[]> {
  return db
    .selectFrom('session')
    .selectAll()
    .where('userId', '=', userId)
    .where('expiresAt', '>', alive.now)
    .where('lastUsedAt', '>', alive.idleSince)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** @returns whether there was such a session of this person */
export async function deleteSession(
  db: Database,
  userId: string,
  sessionId: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('session')
    .where('userId', '=', userId)
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** @returns the session with its new secret, undefined when it has ended meanwhile */
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

export async function deleteOtherSessions(
  db: Database,
  userId: string,
  keptId: string,
): Promise<void> {
  await db.deleteFrom('session').where('userId', '=', userId).where('id', '!=', keptId).execute()
}

export async function deleteSessions(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('session').where('userId', '=', userId).execute()
}

/** Drops a person's ended sessions, and of the others all but the newest `keep`. */
export async function trimSessions(
  db: Database,
  userId: string,
  { alive, keep }: { alive: Alive; keep: number },
): Promise<void> {
  const kept = (await listSessions(db, userId, alive)).slice(0, keep).map(({ id }) => id)
  await db
    .deleteFrom('session')
    .where('userId', '=', userId)
    .$if(kept.length > 0, (query) => query.where('id', 'not in', kept))
    .execute()
}

/** Every token mailed to this user stops working. */
export async function deleteTokens(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('token').where('userId', '=', userId).execute()
}

export async function deleteIdentities(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('identity').where('userId', '=', userId).execute()
}
