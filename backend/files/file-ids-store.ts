// Whose an id is: the first to upload under it keeps it, also after the file is removed
// (threat-model.md §5). Addresses of files are kept by caches, feeds and other sites; nobody else
// may put something in their place. The SQL of ids, with their rule.
import { Refusal } from '#contract/errors.ts'
import { among, listParameter } from '../database/dialect.ts'
import type { Database, FileIdRow } from '../database/schema.ts'
import * as store from './store.ts'

/** How long its owner may delete a file that a post or an avatar has just let go. */
const RELEASED_FILE_SECONDS = 24 * 60 * 60

type NewFile = Pick<store.NewFileRow, 'bucketId' | 'id' | 'userId'>

/** Whether a new file cannot have this id. Only {@link insertOwn} is sure of it. */
export async function isIdTaken(db: Database, file: NewFile): Promise<boolean> {
  const known = await findId(db, file)
  if (known && known.ownerId !== file.userId) return true
  return (await store.findFile(db, file)) !== undefined
}

/**
 * @throws Refusal `storage_file_already_exists` when the id is or was another owner's, a unique
 *   fault when the owner has a file with it
 */
export async function insertOwn(tx: Database, row: store.NewFileRow): Promise<store.FileRow> {
  if (!(await claimId(tx, row, row.createdAt))) throw new Refusal('storage_file_already_exists')
  return await store.insertFile(tx, row)
}

/** @returns false when it is, or was, another owner's */
export async function claimId(
  tx: Database,
  { bucketId, id, userId: ownerId }: NewFile,
  uploadedAt: string,
): Promise<boolean> {
  const claimed = await tx
    .insertInto('fileId')
    .values({ bucketId, id, ownerId, uploadedAt, releasedAt: '' })
    .onConflict((c) =>
      c
        .columns(['bucketId', 'id'])
        .doUpdateSet({ uploadedAt, releasedAt: '' })
        .where('fileId.ownerId', 'is not distinct from', ownerId),
    )
    .returning('id')
    .executeTakeFirst()
  return claimed !== undefined
}

async function findId(
  db: Database,
  { bucketId, id }: Pick<NewFile, 'bucketId' | 'id'>,
): Promise<FileIdRow | undefined> {
  const ids = db.selectFrom('fileId').selectAll().where('bucketId', '=', bucketId)
  return await ids.where('id', '=', id).executeTakeFirst()
}

/** Notes when files of one bucket were let go; an empty time takes that back. */
export async function setReleased(
  tx: Database,
  files: readonly Pick<NewFile, 'bucketId' | 'id'>[],
  releasedAt: string,
): Promise<void> {
  const [first] = files
  if (!first) return
  const ids = listParameter(
    tx,
    files.map(({ id }) => id),
  )
  const updating = tx.updateTable('fileId').set({ releasedAt })
  await updating
    .where('bucketId', '=', first.bucketId)
    .where(among(tx, 'id', ids))
    .execute()
}

/** Whether this person's file was let go a moment ago, and may be gone with that. */
export async function wasReleased(
  db: Database,
  { userId, ...file }: { bucketId: string; id: string; userId: string },
  now: Date,
): Promise<boolean> {
  const known = await findId(db, file)
  const since = new Date(now.getTime() - RELEASED_FILE_SECONDS * 1000).toISOString()
  return known?.ownerId === userId && known.releasedAt > since
}

/** The ids of a deleted account are nobody's any more. */
export async function disownIds(tx: Database, userId: string): Promise<void> {
  await tx.updateTable('fileId').set({ ownerId: '' }).where('ownerId', '=', userId).execute()
}
