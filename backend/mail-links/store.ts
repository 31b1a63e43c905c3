// SQL of tokens.
import type { Database, TokenRow } from '../database/schema.ts'

export async function insertToken(db: Database, token: TokenRow): Promise<void> {
  await db.insertInto('token').values(token).execute()
}

/** Deletes the older tokens of a user and kind, so that with this one `keep` are left. */
export async function trimTokens(db: Database, { id, userId, kind }: TokenRow, keep: number) {
  const others = db.selectFrom('token').select('id').where('userId', '=', userId)
  const newest = others.where('kind', '=', kind).where('id', '!=', id).orderBy('createdAt', 'desc')
  const newestFirst = newest.orderBy('id', 'desc').limit(keep - 1)
  const keptIds = [id, ...(await newestFirst.execute()).map((one) => one.id)]
  const ofKind = db.deleteFrom('token').where('userId', '=', userId).where('kind', '=', kind)
  await ofKind.where('id', 'not in', keptIds).execute()
}

export async function listTokens(db: Database, userId: string, kinds: readonly string[]) {
  const own = db.selectFrom('token').selectAll().where('userId', '=', userId)
  return own.where('kind', 'in', kinds).execute()
}

/** The tokens of a response that named this id. */
export async function listTokensByAlias(db: Database, alias: string): Promise<TokenRow[]> {
  return db.selectFrom('token').selectAll().where('alias', '=', alias).execute()
}

/** Takes one guess off each of these that has one left, or gives it back. @returns their ids */
export async function changeGuessesLeft(db: Database, ids: readonly string[], by: 1 | -1) {
  if (ids.length === 0) return []
  const tokens = db.updateTable('token').where('id', 'in', ids).returning('id')
  const open = tokens.where('guessesLeft', '>=', by === 1 ? 0 : 1)
  const change = open.set(({ eb }) => ({ guessesLeft: eb('guessesLeft', '+', by) }))
  return (await change.execute()).map(({ id }) => id)
}

/** @returns whether it still existed */
export async function deleteTokenById(
  db: Database,
  which: Pick<TokenRow, 'id' | 'userId' | 'kind'>,
): Promise<boolean> {
  const deletion = db.deleteFrom('token').where((where) => where.and(which))
  return (await deletion.returning('id').executeTakeFirst()) !== undefined
}

/** @returns whether it still existed, with this secret */
export async function deleteToken(db: Database, { id, secretHash }: TokenRow): Promise<boolean> {
  const deletion = db.deleteFrom('token').where('id', '=', id).where('secretHash', '=', secretHash)
  return (await deletion.returning('id').executeTakeFirst()) !== undefined
}
