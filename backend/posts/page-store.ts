// SQL of the blog's pages, such as "About", and of their addresses.
import { type SqlBool, sql } from 'kysely'
import { withRowLock } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'

/** In the form of the index `postPage`. */
const IS_PAGE = sql<SqlBool>`readers = 'page'`

export async function findAddress(db: Database, address: string) {
  const query = db.selectFrom('pageAddress').selectAll()
  return await query.where('address', '=', address).executeTakeFirst()
}

/**
 * Gives a page an address that no other page has now. The page's address until now leads to it.
 *
 * @returns false when another page has it
 */
export async function setAddress(tx: Database, address: string, postId: string): Promise<boolean> {
  await tx
    .deleteFrom('pageAddress')
    .where('address', '=', address)
    .where('isCurrent', '=', 0)
    .execute()
  await tx
    .updateTable('pageAddress')
    .set({ isCurrent: 0 })
    .where('postId', '=', postId)
    .where('address', '!=', address)
    .execute()
  await tx
    .insertInto('pageAddress')
    .values({ address, postId, isCurrent: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await findAddress(tx, address))?.postId === postId
}

/** The addresses of the pages that everybody may read, with the time of their last change. */
export async function listShownPages(db: Database) {
  return await db
    .selectFrom('post')
    .innerJoin('pageAddress', 'pageAddress.postId', 'post.id')
    .select(['pageAddress.address', 'post.updatedAt'])
    .where(sql<SqlBool>`post.readers = 'page'`)
    .where('post.status', '=', 'active')
    .where('post.isHidden', '=', 0)
    .where('pageAddress.isCurrent', '=', 1)
    .orderBy('post.seq')
    .execute()
}

/** Counts all pages, inactive ones too. */
export async function countPages(db: Database): Promise<number> {
  const query = db.selectFrom('post').select(sql<number>`count(*)`.as('total')).where(IS_PAGE)
  return Number((await query.executeTakeFirstOrThrow()).total)
}

/** The ids of a user's pages, which it locks. */
export async function lockPagesOf(tx: Database, userId: string): Promise<string[]> {
  const pages = tx.selectFrom('post').select('id').where(IS_PAGE).where('userId', '=', userId)
  return (await withRowLock(tx, pages.orderBy('seq')).execute()).map(({ id }) => id)
}

/** Makes another user the owner of pages, and of their owner's files that they show. */
export async function handOver(
  tx: Database,
  ids: string[],
  { from, to }: { from: string; to: string },
): Promise<void> {
  await tx.updateTable('post').set({ userId: to }).where('id', 'in', ids).execute()
  const files = tx.selectFrom('postFile').select('fileId').where('postId', 'in', ids)
  await tx
    .updateTable('file')
    .set({ userId: to })
    .where('userId', '=', from)
    .where('id', 'in', files)
    .execute()
}
