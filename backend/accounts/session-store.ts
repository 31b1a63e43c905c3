// SQL for sessions. Rows in, rows out; knows no rule.
import { compiledOnce } from '../database/compiled.ts'
import type { Database, SessionRow, UserRow } from '../database/schema.ts'

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

/** @returns the deleted session, undefined when this user had no such one */
export async function deleteSession(
  db: Database,
  userId: string,
  sessionId: string,
): Promise<SessionRow | undefined> {
  return db
    .deleteFrom('session')
    .where('userId', '=', userId)
    .where('id', '=', sessionId)
    .returningAll()
    .executeTakeFirst()
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
  return db
    .deleteFrom('session')
    .where('userId', '=', userId)
    .where('id', '!=', keptId)
    .returningAll()
    .execute()
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
  const ended = await db
    .deleteFrom('session')
    .where('userId', '=', userId)
    .where('provider', '=', provider)
    .where('providerUid', '=', providerUid)
    .where('id', '!=', keptId)
    .returningAll()
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
  return db.deleteFrom('session').where('userId', '=', userId).returningAll().execute()
}

/** Deletes a user's ended sessions, and of the others all but the newest `keep`. */
export async function trimSessions(
  db: Database,
  userId: string,
  { at, keep }: { at: ActiveAt; keep: number },
): Promise<SessionRow[]> {
  const kept = (await listSessions(db, userId, at)).slice(0, keep).map(({ id }) => id)
  return db
    .deleteFrom('session')
    .where('userId', '=', userId)
    .$if(kept.length > 0, (query) => query.where('id', 'not in', kept))
    .returningAll()
    .execute()
}
