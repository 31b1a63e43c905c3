// SQL for user rows, and for deleting what gives access to them. Rows in, rows out; knows no rule.
import type { Database, UserRow } from '../database/schema.ts'

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
