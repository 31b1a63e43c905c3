// SQL of identities: accounts at sign-in providers that are linked to users here. Rows in, rows
// out; knows no rule.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { byCodePoint } from '../database/dialect.ts'
import { anyContains } from '../database/list-conditions.ts'
import { countRows, type ListSource, listRows } from '../database/list-query.ts'
import type { ListQuery } from '../database/queries.ts'
import type { Database, IdentityRow } from '../database/schema.ts'

const SEARCHED = ['identity.userId', 'identity.provider', 'identity.sub', 'identity.email']
type IdentityKey = Pick<IdentityRow, 'provider' | 'sub'>

/** @returns the id of the user whom an identity belongs to */
export async function findIdentityOwner(db: Database, key: IdentityKey) {
  const owner = db.selectFrom('identity').select('userId')
  return (await owner.where((where) => where.and(key)).executeTakeFirst())?.userId
}

/** @throws the database's unique fault when it already belongs to a user */
export async function insertIdentity(db: Database, identity: IdentityRow): Promise<void> {
  await db.insertInto('identity').values(identity).execute()
}

/**
 * Notes a sign-in, inside a transaction that has locked the user's row.
 * @returns false when the identity was removed before the row was locked
 */
export async function noteIdentityUse(
  tx: Database,
  { email, ...key }: IdentityKey & Pick<IdentityRow, 'userId' | 'email'>,
  now: Date,
): Promise<boolean> {
  const update = tx.updateTable('identity').set({ email, lastUsedAt: now.toISOString() })
  const { numUpdatedRows } = await update.where((where) => where.and(key)).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** All of a user, oldest first. */
export async function listIdentities(db: Database, userId: string): Promise<IdentityRow[]> {
  const own = db.selectFrom('identity').selectAll().where('userId', '=', userId)
  return own.orderBy('createdAt').orderBy('sub').execute()
}

/**
 * One page.
 *
 * @param of whose they are, or what they say
 * @throws Refusal `general_cursor_not_found`
 */
export async function listIdentityPage(
  db: Database,
  of: { userId: string } | { search: string | undefined },
  query: ListQuery,
): Promise<{ total: number; rows: IdentityRow[] }> {
  const scope = 'userId' in of ? ownedBy(of.userId) : anyContains(db, SEARCHED, of.search)
  const call = { source: identityList(db), query, scope }
  return { rows: await listRows<IdentityRow>(db, call), total: await countRows(db, call) }
}

export async function findIdentity(db: Database, id: string): Promise<IdentityRow | undefined> {
  return db.selectFrom('identity').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function deleteIdentities(
  db: Database,
  of: Pick<IdentityRow, 'id'> | Pick<IdentityRow, 'userId'>,
): Promise<void> {
  await db
    .deleteFrom('identity')
    .where((where) => where.and(of))
    .execute()
}

function ownedBy(userId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref('identity.userId')} = ${userId}`
}

/** Identities have no number of creation: the time of linking and the id give the order. */
function identityList(db: Database): ListSource {
  const creationOrder = sql`(${sql.ref('identity.createdAt')} || ${sql.ref('identity.id')})`
  return {
    table: 'identity',
    seq: byCodePoint(db, creationOrder),
    id: sql.ref('identity.id'),
    columns: {
      userId: { value: sql.ref('identity.userId'), isText: true },
      provider: { value: sql.ref('identity.provider'), isText: true },
      providerUid: { value: sql.ref('identity.sub'), isText: true },
      providerEmail: { value: sql.ref('identity.email'), isText: true },
      providerAccessTokenExpiry: { value: sql`cast('' as text)`, isText: true },
      $id: { value: sql.ref('identity.id'), isText: true },
      $createdAt: { value: sql.ref('identity.createdAt') },
      $updatedAt: { value: sql.ref('identity.lastUsedAt') },
    },
  }
}
