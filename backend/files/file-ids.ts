// Whose an id is: the first to upload under it keeps it, also after the file is removed
// (threat-model.md §5). Addresses of files are kept by caches, feeds and other sites; nobody else
// may put something in their place.
import { Refusal } from '#contract/errors.ts'
import type { Database, FileIdRow } from '../database/schema.ts'
import * as store from './store.ts'
import { claimId, findId } from './uses-store.ts'

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
  if (!(await claimId(tx, claimOf(row, row.createdAt))))
    throw new Refusal('storage_file_already_exists')
  return await store.insertFile(tx, row)
}

export function claimOf(
  { bucketId, id, userId }: NewFile,
  uploadedAt: string,
): Pick<FileIdRow, 'bucketId' | 'id' | 'ownerId' | 'uploadedAt'> {
  return { bucketId, id, ownerId: userId, uploadedAt }
}
