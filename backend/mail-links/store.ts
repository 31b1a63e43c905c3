// SQL of mailed tokens. Rows in, rows out; knows no rule.
import type { Database, TokenRow } from '../database/schema.ts'

/** Replaces the user's older token of the same kind. */
export async function replaceToken(db: Database, token: TokenRow): Promise<void> {
  const { id, secretHash, createdAt, expiresAt } = token
  await db
    .insertInto('token')
    .values(token)
    .onConflict((on) =>
      on.columns(['userId', 'kind']).doUpdateSet({ id, secretHash, createdAt, expiresAt }),
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
