// SQL of preview links.
import type { Selectable } from 'kysely'
import type { Database, PreviewLinkTable } from '../database/schema.ts'

export type PreviewLinkRow = Selectable<PreviewLinkTable>

/** Stores the link of a post in place of the previous one. */
export async function replaceLink(
  tx: Database,
  link: Omit<PreviewLinkRow, 'opens' | 'lastOpenedAt'>,
): Promise<void> {
  const row = { ...link, opens: 0, lastOpenedAt: '' }
  await tx
    .insertInto('previewLink')
    .values(row)
    .onConflict((c) => c.column('postId').doUpdateSet(row))
    .execute()
}

export function findLinkOf(db: Database, postId: string): Promise<PreviewLinkRow | undefined> {
  return db.selectFrom('previewLink').selectAll().where('postId', '=', postId).executeTakeFirst()
}

export function findLink(db: Database, secretHash: string): Promise<PreviewLinkRow | undefined> {
  return db
    .selectFrom('previewLink')
    .selectAll()
    .where('secretHash', '=', secretHash)
    .executeTakeFirst()
}

export async function deleteLinkOf(tx: Database, postId: string): Promise<void> {
  await tx.deleteFrom('previewLink').where('postId', '=', postId).execute()
}

export async function recordOpening(
  db: Database,
  { secretHash, time }: { secretHash: string; time: string },
): Promise<void> {
  await db
    .updateTable('previewLink')
    .set((eb) => ({ opens: eb('opens', '+', 1), lastOpenedAt: time }))
    .where('secretHash', '=', secretHash)
    .execute()
}

export async function deleteExpired(db: Database, now: string): Promise<void> {
  await db.deleteFrom('previewLink').where('expiresAt', '<=', now).execute()
}
