// SQL of the values that operators set.
import { withRowLock } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'

export const LOGO_PICTURE = 'logoPicture'

/** The picture of the logo is read by itself: it is long. */
export async function readValues(db: Database): Promise<ReadonlyMap<string, string>> {
  const all = db.selectFrom('siteValue').selectAll()
  const rows = await all.where('name', '!=', LOGO_PICTURE).execute()
  return new Map(rows.map(({ name, value }) => [name, value]))
}

export async function findValue(db: Database, name: string): Promise<string | undefined> {
  const found = db.selectFrom('siteValue').select('value').where('name', '=', name)
  return (await found.executeTakeFirst())?.value
}

export async function writeValue(tx: Database, name: string, value: string): Promise<void> {
  const insert = tx.insertInto('siteValue').values({ name, value })
  await insert.onConflict((one) => one.column('name').doUpdateSet({ value })).execute()
}

/** Whether nobody has an account, and there is no post. */
export async function isEmpty(db: Database): Promise<boolean> {
  const person = await db.selectFrom('user').select('id').limit(1).executeTakeFirst()
  const post = await db.selectFrom('post').select('id').limit(1).executeTakeFirst()
  return person === undefined && post === undefined
}

/** Locks a value until the end of the transaction; nothing when there is none. */
export async function lockValue(tx: Database, name: string): Promise<void> {
  await withRowLock(
    tx,
    tx.selectFrom('siteValue').select('name').where('name', '=', name),
  ).execute()
}

/** @returns false when it was there already */
export async function addValue(tx: Database, name: string, value: string): Promise<boolean> {
  const insert = tx.insertInto('siteValue').values({ name, value })
  const done = await insert.onConflict((one) => one.doNothing()).executeTakeFirst()
  return Number(done.numInsertedOrUpdatedRows) === 1
}
