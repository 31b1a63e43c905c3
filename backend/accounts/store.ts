// SQL for users, their sessions, sign-ins and identities, and for invitations. In one file because
// most rules use several of these tables.
import { type SqlBool, sql } from 'kysely'
import type { UnclaimedUserRow } from '../database/archive-tables.ts'
import { deleteInBatches } from '../database/change-in-batches.ts'
import { byCodePoint, isOneOfTexts, listParameter, prepared } from '../database/dialect.ts'
import { anyContains, startsWithSql } from '../database/list-conditions.ts'
import { byCreation, type ListAttributes, readPage } from '../database/list-query.ts'
import type { InvitationRow } from '../database/operator-tables.ts'
import type {
  Database,
  IdentityRow,
  SessionRow,
  SignInLogRow,
  TokenRow,
  UserRow,
} from '../database/schema.ts'
import { secondsBefore } from '../process/ids.ts'
import { ARGON2_PREFIX } from './passwords.ts'

/** A session ends this long after its last use. */
const SESSION_IDLE_SECONDS = 14 * 24 * 60 * 60

/** A session with the columns of its user and its opener that `makeResolveViewer` needs. */
export type SessionWithUser = NonNullable<Awaited<ReturnType<typeof findSessionWithUserById>>>

export async function insertSession(db: Database, session: SessionRow): Promise<void> {
  await db.insertInto('session').values(session).execute()
}

/** Sessions by the hash of their secret. */
export async function findSessionsWithUsers(db: Database, secretHashes: string[]) {
  const { rows } = await findBySecrets(db, { secretHashes: listParameter(db, secretHashes) })
  return new Map(rows.map((row) => [row.secretHash, row]))
}

const findBySecrets = prepared((db, { secretHashes }: { secretHashes: unknown }) =>
  selectSessionsWithUsers(db).where(isOneOfTexts(db, 'session.secretHash', secretHashes)),
)

export async function findSessionWithUserById(db: Database, sessionId: string) {
  return selectSessionsWithUsers(db).where('session.id', '=', sessionId).executeTakeFirst()
}

function selectSessionsWithUsers(db: Database) {
  return db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.userId')
    .leftJoin('user as opener', 'opener.id', 'session.openedBy')
    .select(['session.id', 'session.userId', 'session.secretHash'])
    .select(['session.lastUsedAt', 'session.expiresAt'])
    .select(['user.email', 'user.name', 'user.isVerified', 'user.isBlocked', 'user.accessedAt'])
    .select(['user.labels', 'session.openedBy', 'session.openedRole', 'opener.name as openerName'])
    .select(['opener.labels as openerLabels', 'opener.isBlocked as openerIsBlocked'])
}

/** A session is active if it expires after `now` and was used after `idleSince`; ISO times. */
export function activeSessionBounds(now: Date): { now: string; idleSince: string } {
  return { now: now.toISOString(), idleSince: secondsBefore(now, SESSION_IDLE_SECONDS) }
}

/** The active sessions of a user, newest first. */
export async function listSessions(db: Database, userId: string, at: Date) {
  const { now, idleSince } = activeSessionBounds(at)
  const sessions = db.selectFrom('session').selectAll().where('userId', '=', userId)
  const active = sessions.where('expiresAt', '>', now).where('lastUsedAt', '>', idleSince)
  return active.orderBy('createdAt', 'desc').orderBy('id', 'desc').execute()
}

type SessionOrigin = Pick<SessionRow, 'provider' | 'providerUid'>

/** @returns the changed session; undefined when it has ended */
export async function updateSession(
  db: Database,
  filter: Pick<SessionRow, 'id'> | (Pick<SessionRow, 'userId'> & SessionOrigin),
  change: Partial<SessionRow>,
): Promise<SessionRow | undefined> {
  const update = db.updateTable('session').set(change).returningAll()
  return update.where((where) => where.and(filter)).executeTakeFirst()
}

/**
 * @param filter selects some sessions of the user; all when empty
 * @returns the deleted rows
 */
export async function deleteSessions(
  db: Database,
  userId: string,
  filter: Partial<SessionOrigin & Pick<SessionRow, 'id'>> & { exceptIds?: string[] } = {},
): Promise<SessionRow[]> {
  const { exceptIds = [], ...columns } = filter
  const matching = db.deleteFrom('session').where((where) => where.and({ userId, ...columns }))
  const deletion = exceptIds.length > 0 ? matching.where('id', 'not in', exceptIds) : matching
  return deletion.returningAll().execute()
}

/**
 * Deletes sessions that operators or the API key have opened: all for one user's account, or all
 * that one operator has opened.
 *
 * @returns the deleted rows
 */
export async function deleteSessionsOpenedByOthers(
  db: Database,
  filter: Pick<SessionRow, 'userId'> | Pick<SessionRow, 'openedBy'>,
): Promise<SessionRow[]> {
  const opened = db.deleteFrom('session').where('openedRole', '<>', '')
  return opened
    .where((where) => where.and(filter))
    .returningAll()
    .execute()
}

/** Deletes the tokens of a user that operators or the API key have issued or copied. */
export async function deleteTokensOpenedByOthers(db: Database, userId: string): Promise<void> {
  const deletion = db.deleteFrom('token').where('userId', '=', userId)
  await deletion.where('openedRole', '<>', '').execute()
}

// --- users, and deleting their tokens

/** @throws the database's unique-constraint violation when the id or the email is taken */
export async function insertUser(db: Database, user: UserRow): Promise<void> {
  await db.insertInto('user').values(user).execute()
}

export async function findUser(db: Database, userId: string): Promise<UserRow | undefined> {
  return db.selectFrom('user').selectAll().where('id', '=', userId).executeTakeFirst()
}

export async function findUsersByEmail(db: Database, emails: string[]): Promise<UserRow[]> {
  return db.selectFrom('user').selectAll().where('email', 'in', emails).execute()
}

/** The ids of users whose email begins with `start`. */
export async function listUserIdsByEmailPrefix(db: Database, start: string, limit: number) {
  const email = byCodePoint(db, sql.ref('email'))
  const people = db
    .selectFrom('user')
    .select('id')
    .where(sql<SqlBool>`${startsWithSql(email, start)}`)
  return (await people.limit(limit).execute()).map(({ id }) => id)
}

export type UserChange = Partial<Omit<UserRow, 'id' | 'createdAt'>>

/**
 * @returns the row as stored; undefined when the user does not exist.
 * @throws the database's unique-constraint violation when the email is taken
 */
export async function updateUser(db: Database, userId: string, change: UserChange) {
  const update = db.updateTable('user').set(change).where('id', '=', userId)
  return update.returningAll().executeTakeFirst()
}

/** Replaces a hash with a stronger one of the same password, unless it has changed meanwhile. */
export async function upgradeHash(db: Database, id: string, hash: { from: string; to: string }) {
  const update = db.updateTable('user').set({ passwordHash: hash.to }).where('id', '=', id)
  await update.where('passwordHash', '=', hash.from).execute()
}

/** Whether any account has a password hash with parameters other than those in `prefix`. */
export async function hasOutdatedHash(db: Database, prefix: string): Promise<boolean> {
  const outdated = db
    .selectFrom('user')
    .select('id')
    .where('passwordHash', 'like', `${ARGON2_PREFIX}%`)
    .where('passwordHash', 'not like', `${prefix}%`)
  return (await outdated.limit(1).executeTakeFirst()) !== undefined
}

/** The first account of another unblocked operator. Reads all users, but is called rarely. */
export async function findOtherOperator(db: Database, userId: string) {
  const others = db.selectFrom('user').select('id').where('labels', 'like', '%"operator"%')
  const usable = others.where('isBlocked', '=', 0).where('id', '<>', userId)
  return (await usable.orderBy('createdAt').limit(1).executeTakeFirst())?.id
}

export async function insertUnclaimed(tx: Database, row: UnclaimedUserRow): Promise<void> {
  await tx.insertInto('unclaimedUser').values(row).execute()
}

/** The imported author with this address, who has not claimed the account. */
export async function findUnclaimed(db: Database, email: string): Promise<string | undefined> {
  const authors = db.selectFrom('unclaimedUser').select('userId').where('email', '=', email)
  return (await authors.orderBy('userId').limit(1).executeTakeFirst())?.userId
}

export async function deleteUnclaimed(tx: Database, userId: string): Promise<void> {
  await tx.deleteFrom('unclaimedUser').where('userId', '=', userId).execute()
}

/** Foreign keys cascade to sessions, identities, mailed tokens and likes. */
export async function deleteUser(tx: Database, id: string): Promise<void> {
  await tx.deleteFrom('user').where('id', '=', id).execute()
}

/**
 * Deletes the tokens of a user, optionally of one identity or kind, or those issued by an operator.
 */
export async function deleteTokens(
  db: Database,
  filter:
    | (Pick<TokenRow, 'userId'> & Partial<Pick<TokenRow, 'providerUid' | 'kind'>>)
    | Pick<TokenRow, 'openedBy'>,
): Promise<void> {
  const deletion = db.deleteFrom('token').where((where) => where.and(filter))
  await deletion.execute()
}

// --- the log of sign-ins

/** Adds a sign-in, and deletes all but the user's newest `keep`. */
export async function addSignInLog(db: Database, row: SignInLogRow, keep: number): Promise<void> {
  await db.insertInto('signInLog').values(row).execute()
  // SQLite accepts no offset without a limit.
  const oldest = selectSignInLogs(db, row.userId).select('id').offset(keep).limit(keep)
  await db.deleteFrom('signInLog').where('id', 'in', oldest).execute()
}

function selectSignInLogs(db: Database, userId: string) {
  const logs = db.selectFrom('signInLog').where('userId', '=', userId)
  return logs.orderBy('createdAt', 'desc').orderBy('id', 'desc')
}

export async function deleteSignInLogsBefore(db: Database, time: string): Promise<void> {
  const where = sql`${sql.ref('createdAt')} <= ${time}`
  await deleteInBatches(db, { table: 'signInLog', key: 'id', where })
}

/** Newest first. */
export async function listSignInLogs(
  db: Database,
  { userId, after }: { userId: string; after: string },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; rows: SignInLogRow[] }> {
  const logs = selectSignInLogs(db, userId).where('createdAt', '>', after)
  const rows = await logs.selectAll().limit(limit).offset(offset).execute()
  const count = logs.clearOrderBy().select(sql<number>`count(*)`.as('total'))
  return { total: Number((await count.executeTakeFirstOrThrow()).total), rows }
}

// --- accounts at sign-in providers that are linked to users

/** The attributes that queries of identities may name. */
const IDENTITY_ATTRIBUTES: ListAttributes = {
  userId: { type: 'string', column: 'userId' },
  provider: { type: 'string', column: 'provider' },
  providerUid: { type: 'string', column: 'sub' },
  providerEmail: { type: 'string', column: 'email' },
  providerAccessTokenExpiry: { type: 'datetime', column: sql`cast('' as text)` },
  $id: { type: 'string', column: 'id' },
  $createdAt: { type: 'datetime', column: 'createdAt' },
  $updatedAt: { type: 'datetime', column: 'lastUsedAt' },
}
const SEARCHED = ['identity.userId', 'identity.provider', 'identity.sub', 'identity.email']
type IdentityKey = Pick<IdentityRow, 'provider' | 'sub'>

/** @returns the id of the user of an identity */
export async function findIdentityOwner(db: Database, key: IdentityKey) {
  const owner = db.selectFrom('identity').select('userId')
  return (await owner.where((where) => where.and(key)).executeTakeFirst())?.userId
}

/** @throws the database's unique-constraint violation when the identity is already linked */
export async function insertIdentity(db: Database, identity: IdentityRow): Promise<void> {
  await db.insertInto('identity').values(identity).execute()
}

/**
 * Records a sign-in, inside a transaction that has locked the user's row.
 * @returns false when the identity was removed before the row was locked
 */
export async function recordIdentityUse(
  tx: Database,
  { email, ...key }: IdentityKey & Pick<IdentityRow, 'userId' | 'email'>,
  now: Date,
): Promise<boolean> {
  const update = tx.updateTable('identity').set({ email, lastUsedAt: now.toISOString() })
  const { numUpdatedRows } = await update.where((where) => where.and(key)).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** All identities of a user, oldest first. */
export async function listIdentities(db: Database, userId: string): Promise<IdentityRow[]> {
  const identities = db.selectFrom('identity').selectAll().where('userId', '=', userId)
  return identities.orderBy('createdAt').orderBy('sub').execute()
}

/** The identities of one user, or those of all users that contain a text. */
export type IdentityScope = { userId: string } | { search: string | undefined }

/** @throws Refusal as {@link readPage} */
export function listIdentityPage(
  db: Database,
  scope: IdentityScope,
  queries: string[] | undefined,
) {
  const isOwn = 'userId' in scope
  return readPage<IdentityRow>(db, {
    table: 'identity',
    attributes: IDENTITY_ATTRIBUTES,
    seq: byCreation(db, 'identity'),
    queries,
    role: isOwn ? 'user' : 'key',
    scope: isOwn
      ? sql<SqlBool>`${sql.ref('identity.userId')} = ${scope.userId}`
      : anyContains(db, SEARCHED, scope.search),
  })
}

export async function findIdentity(db: Database, id: string): Promise<IdentityRow | undefined> {
  return db.selectFrom('identity').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function deleteIdentities(
  db: Database,
  filter: Pick<IdentityRow, 'id'> | Pick<IdentityRow, 'userId'>,
): Promise<void> {
  const deletion = db.deleteFrom('identity').where((where) => where.and(filter))
  await deletion.execute()
}

// --- invitations

/** Adds an invitation, or replaces the one for the same address. */
export async function replaceInvitation(db: Database, invitation: InvitationRow): Promise<void> {
  const { email: _key, ...changed } = invitation
  const insertion = db.insertInto('invitation').values(invitation)
  await insertion.onConflict((on) => on.column('email').doUpdateSet(changed)).execute()
}

export async function deleteExpiredInvitations(db: Database, now: string): Promise<void> {
  const where = sql`${sql.ref('expiresAt')} <= ${now}`
  await deleteInBatches(db, { table: 'invitation', key: 'id', where })
}

export async function findInvitation(
  db: Database,
  { id, secretHash, now }: { id: string; secretHash: string; now: string },
): Promise<InvitationRow | undefined> {
  const valid = db.selectFrom('invitation').selectAll().where('expiresAt', '>', now)
  return valid.where((where) => where.and({ id, secretHash })).executeTakeFirst()
}

/** Valid invitations, oldest first. */
export async function listInvitations(db: Database, now: string): Promise<InvitationRow[]> {
  const valid = db.selectFrom('invitation').selectAll().where('expiresAt', '>', now)
  return valid.orderBy('createdAt').orderBy('id').execute()
}

/** @returns the deleted row; undefined when there was none */
export async function deleteInvitation(db: Database, id: string) {
  return db.deleteFrom('invitation').where('id', '=', id).returning('email').executeTakeFirst()
}

/** Deletes the invitations by an operator that would make somebody an operator. */
export async function deleteOperatorInvitations(db: Database, invitedBy: string): Promise<void> {
  const deletion = db.deleteFrom('invitation').where('invitedBy', '=', invitedBy)
  await deletion.where('role', '=', 'operator').execute()
}

// --- used links

export async function insertUsedLink(tx: Database, link: { id: string; usedAt: string }) {
  await tx
    .insertInto('usedLink')
    .values(link)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteUsedLinksBefore(db: Database, time: string): Promise<void> {
  const where = sql`${sql.ref('usedAt')} < ${time}`
  await deleteInBatches(db, { table: 'usedLink', key: 'id', where })
}
