// SQL of users, their sessions and sign-ins. Rows in, rows out; knows no rule.
import { sql } from 'kysely'
import { compiledOnce } from '../database/dialect.ts'
import type { Database, SessionRow, SignInLogRow, TokenRow, UserRow } from '../database/schema.ts'
import { secondsBefore } from '../process/ids.ts'

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

export async function findSessionOwnerById(db: Database, sessionId: string) {
  return ownersOf(db).where('session.id', '=', sessionId).executeTakeFirst()
}

/** Sessions with their users. */
function ownersOf(db: Database) {
  return db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.userId')
    .select(['session.id', 'session.userId', 'session.secretHash'])
    .select(['session.lastUsedAt', 'session.expiresAt'])
    .select(['user.email', 'user.name', 'user.isVerified', 'user.isBlocked', 'user.accessedAt'])
}

/** A session is active while it ends after `now` and was used after `idleSince`; ISO times. */
export function activeAt(now: Date): { now: string; idleSince: string } {
  return { now: now.toISOString(), idleSince: secondsBefore(now, SESSION_IDLE_SECONDS) }
}

/** The active ones, newest first. */
export async function listSessions(db: Database, userId: string, at: Date) {
  const { now, idleSince } = activeAt(at)
  return db
    .selectFrom('session')
    .selectAll()
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
    .where('lastUsedAt', '>', idleSince)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

type Begun = Pick<SessionRow, 'provider' | 'providerUid'>

/** @returns the session as it is now, undefined when it has ended */
export async function updateSession(
  db: Database,
  which: Pick<SessionRow, 'id'> | (Pick<SessionRow, 'userId'> & Begun),
  change: Partial<SessionRow>,
): Promise<SessionRow | undefined> {
  const update = db.updateTable('session').set(change)
  return update
    .where((where) => where.and(which))
    .returningAll()
    .executeTakeFirst()
}

/**
 * @param which of the user's; all when absent
 * @returns those that were deleted
 */
export async function deleteSessions(
  db: Database,
  userId: string,
  which: Partial<Begun & Pick<SessionRow, 'id'>> & { but?: string[] } = {},
): Promise<SessionRow[]> {
  const { but = [], ...equal } = which
  return db
    .deleteFrom('session')
    .where((where) => where.and({ userId, ...equal }))
    .$if(but.length > 0, (query) => query.where('id', 'not in', but))
    .returningAll()
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

export type UserChange = Partial<Omit<UserRow, 'id' | 'createdAt'>>

/**
 * @returns the row as stored; undefined when the user does not exist.
 * @throws the database's own unique fault for an e-mail in use
 */
export async function updateUser(
  db: Database,
  userId: string,
  change: UserChange,
): Promise<UserRow | undefined> {
  const update = db.updateTable('user').set(change).where('id', '=', userId)
  return update.returningAll().executeTakeFirst()
}

/**
 * Replaces a hash by a stronger one of the same password, unless it has changed in the meantime.
 */
export async function upgradeHash(
  db: Database,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const update = db.updateTable('user').set({ passwordHash: to }).where('id', '=', userId)
  await update.where('passwordHash', '=', from).execute()
}

/** Whether any account has a password hash that begins otherwise. */
export async function hasOtherHash(db: Database, prefix: string): Promise<boolean> {
  const others = db.selectFrom('user').select('id').where('passwordHash', 'not like', `${prefix}%`)
  return (await others.limit(1).executeTakeFirst()) !== undefined
}

/** Every token mailed to this user stops working, or those that followed one sign-in. */
export async function deleteTokens(
  db: Database,
  of: Pick<TokenRow, 'userId'> & Partial<Pick<TokenRow, 'providerUid'>>,
): Promise<void> {
  await db
    .deleteFrom('token')
    .where((where) => where.and(of))
    .execute()
}

// --- sign-ins that are remembered of each user

/** Deletes all of the user's but the newest `keep`. */
export async function addLog(db: Database, row: SignInLogRow, keep: number): Promise<void> {
  await db.insertInto('signInLog').values(row).execute()
  // SQLite takes no offset without a limit.
  const oldest = logsOf(db, row.userId).select('id').offset(keep).limit(keep)
  await db.deleteFrom('signInLog').where('id', 'in', oldest).execute()
}

function logsOf(db: Database, userId: string) {
  const logs = db.selectFrom('signInLog').where('userId', '=', userId)
  return logs.orderBy('createdAt', 'desc').orderBy('id', 'desc')
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
  const own = logsOf(db, userId).where('createdAt', '>', after)
  const rows = await own.selectAll().limit(limit).offset(offset).execute()
  const count = own.clearOrderBy().select(sql<number>`count(*)`.as('total'))
  return { total: Number((await count.executeTakeFirstOrThrow()).total), rows }
}
