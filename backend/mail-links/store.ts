// SQL of one-time tokens.
import type { Database, TokenRow } from '../database/schema.ts'

export async function insertToken(db: Database, token: TokenRow): Promise<void> {
  await db.insertInto('token').values(token).execute()
}

/** Deletes the oldest tokens of a user and kind, so that `keep` are left, this one included. */
export async function trimTokens(db: Database, { id, userId, kind }: TokenRow, keep: number) {
  const others = db.selectFrom('token').select('id').where('userId', '=', userId)
  const sorted = others.where('kind', '=', kind).where('id', '!=', id).orderBy('createdAt', 'desc')
  const newest = sorted.orderBy('id', 'desc').limit(keep - 1)
  const keptIds = [id, ...(await newest.execute()).map((row) => row.id)]
  const ofKind = db.deleteFrom('token').where('userId', '=', userId).where('kind', '=', kind)
  await ofKind.where('id', 'not in', keptIds).execute()
}

export async function listTokens(db: Database, userId: string, kinds: readonly string[]) {
  const tokens = db.selectFrom('token').selectAll().where('userId', '=', userId)
  return tokens.where('kind', 'in', kinds).execute()
}

/** The tokens whose request was answered with this id instead of the user's. */
export async function listTokensByAlias(db: Database, alias: string): Promise<TokenRow[]> {
  return db.selectFrom('token').selectAll().where('alias', '=', alias).execute()
}

/**
 * Takes a guess from each token that has one left, or returns it.
 *
 * @returns ids of the changed tokens
 */
export async function changeGuessesLeft(db: Database, ids: readonly string[], by: 1 | -1) {
  if (ids.length === 0) return []
  const tokens = db.updateTable('token').where('id', 'in', ids).returning('id')
  const changeable = tokens.where('guessesLeft', '>=', by === 1 ? 0 : 1)
  const change = changeable.set(({ eb }) => ({ guessesLeft: eb('guessesLeft', '+', by) }))
  return (await change.execute()).map(({ id }) => id)
}

/** @returns whether it still existed */
export async function deleteTokenById(
  db: Database,
  filter: Pick<TokenRow, 'id' | 'userId' | 'kind'>,
): Promise<boolean> {
  const deletion = db.deleteFrom('token').where((where) => where.and(filter))
  return (await deletion.returning('id').executeTakeFirst()) !== undefined
}

/** @returns whether it still existed, with this secret */
export async function deleteToken(db: Database, { id, secretHash }: TokenRow): Promise<boolean> {
  const deletion = db.deleteFrom('token').where('id', '=', id).where('secretHash', '=', secretHash)
  return (await deletion.returning('id').executeTakeFirst()) !== undefined
}
