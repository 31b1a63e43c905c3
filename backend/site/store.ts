// SQL for the values that operators set.
import { type SqlBool, sql } from 'kysely'
import { addressSegment } from '#contract/post-url.ts'
import { withRowLock } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'

export const LOGO_PICTURE = 'logoPicture'

/** All values except the picture of the logo, which is large. */
export async function readValues(db: Database): Promise<ReadonlyMap<string, string>> {
  const query = db.selectFrom('siteValue').selectAll()
  const rows = await query.where('name', '!=', LOGO_PICTURE).execute()
  return new Map(rows.map(({ name, value }) => [name, value]))
}

export async function findValue(db: Database, name: string): Promise<string | undefined> {
  const query = db.selectFrom('siteValue').select('value').where('name', '=', name)
  return (await query.executeTakeFirst())?.value
}

export async function writeValue(tx: Database, name: string, value: string): Promise<void> {
  const insert = tx.insertInto('siteValue').values({ name, value })
  await insert.onConflict((conflict) => conflict.column('name').doUpdateSet({ value })).execute()
}

/** Whether there are no users and no posts. */
export async function isEmpty(db: Database): Promise<boolean> {
  const person = await db.selectFrom('user').select('id').limit(1).executeTakeFirst()
  const post = await db.selectFrom('post').select('id').limit(1).executeTakeFirst()
  return person === undefined && post === undefined
}

/** A page of the blog with its address, or the one that it would get. */
export type PageRow = {
  id: string
  title: string
  address: string
  status: string
  isHidden: number
}

/** All pages, the oldest first. */
export async function listPages(db: Database): Promise<PageRow[]> {
  const rows = await db
    .selectFrom('post')
    .leftJoin('pageAddress', (join) =>
      join.onRef('pageAddress.postId', '=', 'post.id').on('pageAddress.isCurrent', '=', 1),
    )
    .leftJoin('postDetails', 'postDetails.postId', 'post.id')
    .select(['post.id', 'post.title', 'post.status', 'post.isHidden', 'pageAddress.address'])
    .select('postDetails.details')
    .where(sql<SqlBool>`post.readers = 'page'`)
    .orderBy('post.seq')
    .execute()
  return rows.map(({ details, ...row }) => {
    const { addressWords } = JSON.parse(details ?? '{}') as { addressWords?: string }
    return { ...row, address: row.address ?? addressSegment({ title: row.title, addressWords }) }
  })
}

/** Locks a value until the end of the transaction, if it exists. */
export async function lockValue(tx: Database, name: string): Promise<void> {
  await withRowLock(
    tx,
    tx.selectFrom('siteValue').select('name').where('name', '=', name),
  ).execute()
}

/** @returns false when it existed already */
export async function addValue(tx: Database, name: string, value: string): Promise<boolean> {
  const insert = tx.insertInto('siteValue').values({ name, value })
  const result = await insert.onConflict((conflict) => conflict.doNothing()).executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows) === 1
}
