// SQL of tokens. Rows in, rows out; knows no rule.
import type { Database, TokenRow } from '../database/schema.ts'

export async function insertToken(db: Database, token: TokenRow): Promise<void> {
  await db.insertInto('token').values(token).execute()
}

type OfKind = Pick<TokenRow, 'userId' | 'kind'>

export async function deleteTokensOfKind(db: Database, { userId, kind }: OfKind): Promise<void> {
  await db.deleteFrom('token').where('userId', '=', userId).where('kind', '=', kind).execute()
}

/** Deletes all tokens of a user and kind but the newest `keep`. */
export async function trimTokens(
  db: Database,
  { userId, kind }: OfKind,
  keep: number,
): Promise<void> {
  const ofKind = db
    .selectFrom('token')
    .select('id')
    .where('userId', '=', userId)
    .where('kind', '=', kind)
  const kept = await ofKind.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(keep).execute()
  await db
    .deleteFrom('token')
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .where(
      'id',
      'not in',
      kept.map(({ id }) => id),
    )
    .execute()
}

export async function listTokens(
  db: Database,
  userId: string,
  kinds: readonly string[],
): Promise<TokenRow[]> {
  return db
    .selectFrom('token')
    .selectAll()
    .where('userId', '=', userId)
    .where('kind', 'in', kinds)
    .execute()
}

/** Those that an answer named this id for. */
export async function listTokensByAlias(db: Database, alias: string): Promise<TokenRow[]> {
  return db.selectFrom('token').selectAll().where('alias', '=', alias).execute()
}

/** Takes one guess off each of these. @returns the ids of those that had one left */
export async function takeGuesses(db: Database, ids: readonly string[]): Promise<string[]> {
  const taken = await db
    .updateTable('token')
    .set(({ eb }) => ({ guessesLeft: eb('guessesLeft', '-', 1) }))
    .where('id', 'in', ids)
    .where('guessesLeft', '>', 0)
    .returning('id')
    .execute()
  return taken.map(({ id }) => id)
}

export async function giveBackGuesses(db: Database, ids: readonly string[]): Promise<void> {
  await db
    .updateTable('token')
    .set(({ eb }) => ({ guessesLeft: eb('guessesLeft', '+', 1) }))
    .where('id', 'in', ids)
    .execute()
}

/** @returns whether it still existed, with this secret */
export async function deleteToken(
  db: Database,
  { id, secretHash }: Pick<TokenRow, 'id' | 'secretHash'>,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('token')
    .where('id', '=', id)
    .where('secretHash', '=', secretHash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
