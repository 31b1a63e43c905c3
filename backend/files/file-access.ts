// Who may see, change or remove a file (threat-model.md §5), how much a user may store, and the
// JSON of a file.

import { Refusal } from '#contract/errors.ts'
import type { FileModel } from '#contract/files.ts'
import { isId, wireTime } from '#contract/ids.ts'
import { AVATAR_FILE_MAX_BYTES, CONTENT_FILE_MAX_BYTES } from '#contract/limits.ts'
import type { Database } from '../database/schema.ts'
import {
  type AfterCommit,
  inTransaction,
  lockUser,
  publishAfterCommit,
} from '../database/transaction.ts'
import { readerGroups, type Viewer } from '../http/viewer.ts'
import type { FilesContext } from './context.ts'
import { findWithheld } from './file-uses-store.ts'
import * as store from './store.ts'

/**
 * The size of the largest file that a bucket accepts. Both buckets may have the same id (product.md
 * §O19); then the larger limit applies.
 *
 * @throws Refusal `storage_bucket_not_found`
 */
export function maxBytesOf(
  { contentBucketId, avatarBucketId }: FilesContext,
  bucketId: string,
): number {
  if (bucketId === contentBucketId) return CONTENT_FILE_MAX_BYTES
  if (bucketId === avatarBucketId) return AVATAR_FILE_MAX_BYTES
  throw new Refusal('storage_bucket_not_found')
}

/**
 * Checked before any byte of an upload is read.
 *
 * @throws Refusal `storage_bucket_not_found`, `user_unauthorized` for guests
 */
export function requireCreator(context: FilesContext, bucketId: string, viewer: Viewer): void {
  maxBytesOf(context, bucketId)
  if (viewer.role === 'guest') throw new Refusal('user_unauthorized')
}

/** @throws Refusal `storage_bucket_not_found`, `storage_file_not_found` */
export async function readRow(context: FilesContext, key: store.FileKey): Promise<store.FileRow> {
  const row = await findRow(context, key)
  if (!row) throw new Refusal('storage_file_not_found')
  return row
}

/**
 * @returns undefined for a missing file or an invalid id.
 *
 * @throws Refusal `storage_bucket_not_found`
 */
export async function findRow(context: FilesContext, key: store.FileKey) {
  maxBytesOf(context, key.bucketId)
  return isId(key.id) ? await store.findFile(context.db, key) : undefined
}

/**
 * @throws Refusal `user_unauthorized` for a file of somebody else that the viewer may see,
 *   `storage_file_not_found` for one that they may not see
 */
export async function requireOwn(
  context: FilesContext,
  row: store.FileRow,
  viewer: Viewer,
): Promise<void> {
  if (isOwn(row, viewer)) return
  const isVisible = canSee(row, viewer) && !(await isWithheld(context, row))
  throw new Refusal(isVisible ? 'user_unauthorized' : 'storage_file_not_found')
}

/** Whether only versions and deleted posts show a file: then its owner alone may see it. */
export async function isWithheld({ db, contentBucketId }: FilesContext, row: store.FileRow) {
  return (await findWithheld(db, contentBucketId, [row])).size > 0
}

/** Whether the viewer owns the file; the API key owns every file. */
export function isOwn(row: Pick<store.FileRow, 'userId'>, viewer: Viewer): boolean {
  return viewer.role === 'key' || (viewer.role === 'user' && row.userId === viewer.userId)
}

/** Whether the viewer may see the bytes; only its owner may see an unfinished upload. */
export function canSee(
  row: Pick<store.FileRow, 'userId' | 'isComplete' | 'readers'>,
  viewer: Viewer,
): boolean {
  if (isOwn(row, viewer)) return true
  const groups: string[] = readerGroups(viewer)
  return row.isComplete === 1 && groups.includes(row.readers)
}

/** Publishes a change of a complete file after the commit. */
export function publishFileEvent(
  tx: Database,
  action: 'create' | 'update' | 'delete',
  row: store.FileRow,
): void {
  const { bucketId, id, userId: ownerId } = row
  if (row.isComplete)
    publishAfterCommit(tx, { kind: 'file', action, bucketId, id, ownerId, payload: toModel(row) })
}

export function toModel(row: store.FileRow): FileModel {
  const { id, bucketId, name, signature, mimeType, chunksTotal, chunksUploaded } = row
  return {
    $id: id,
    bucketId,
    $createdAt: wireTime(row.createdAt),
    $updatedAt: wireTime(row.updatedAt),
    $permissions: JSON.parse(row.permissions),
    name,
    signature,
    mimeType,
    sizeOriginal: row.sizeBytes,
    chunksTotal,
    chunksUploaded,
  }
}

/**
 * Removes a file or an unfinished upload: the row first, then the bytes (threat-model.md §10).
 *
 * @returns false when it was already gone
 */
export async function removeRow(context: FilesContext, row: store.FileRow): Promise<boolean> {
  return await inTransaction(context.db, context.background, (tx, afterCommit) =>
    deleteRow(context, tx, afterCommit, row),
  )
}

/** As {@link removeRow} inside a transaction: the bytes are removed after its commit. */
export async function deleteRow(
  context: FilesContext,
  tx: Database,
  afterCommit: AfterCommit,
  row: store.FileRow,
) {
  const { blobStore, chunks } = context
  const chunkRows = row.isComplete ? [] : await store.findChunks(tx, row)
  if (!(await store.deleteFile(tx, row.storedName))) return false
  publishFileEvent(tx, 'delete', row)
  afterCommit('removal of a file', () => blobStore.remove(row.storedName))
  for (const { storedName } of chunkRows)
    afterCommit('removal of a chunk', () => chunks.remove(storedName))
  return true
}

// --- how much a user may store

/** Bytes in both buckets together. */
export const STORED_PER_USER_MAX_BYTES = 1024 * 1024 * 1024
export const FILES_PER_USER_MAX = 5000
export const UNFINISHED_UPLOADS_PER_USER_MAX = 20
/** The age at which an unfinished upload is removed. */
export const UNFINISHED_UPLOAD_SECONDS = 24 * 60 * 60

/**
 * Refuses a file beyond the limits of its user; the API key has no limits. Locks the row of the
 * user, so that concurrent uploads cannot exceed the limits together.
 *
 * @throws Refusal `user_unauthorized` when the account is gone, `general_argument_invalid` for too
 *   many files or unfinished uploads, `storage_invalid_file_size` for too many bytes
 * @source threat-model.md §3
 */
export async function refuseBeyondQuota(db: Database, row: store.NewFileRow): Promise<void> {
  const { userId, sizeBytes, chunksTotal } = row
  if (userId === null) return
  // The account may have been deleted while the bytes arrived.
  if (!(await lockUser(db, userId))) throw new Refusal('user_unauthorized')
  const usage = await store.sumUsage(db, userId)
  if (usage.files >= FILES_PER_USER_MAX)
    throw new Refusal(
      'general_argument_invalid',
      `You keep ${FILES_PER_USER_MAX} files already. Delete some first.`,
    )
  if (usage.sizeBytes + sizeBytes > STORED_PER_USER_MAX_BYTES)
    throw new Refusal('storage_invalid_file_size', 'Your storage is full. Delete some files first.')
  if (chunksTotal > 1 && usage.unfinished >= UNFINISHED_UPLOADS_PER_USER_MAX)
    throw new Refusal(
      'general_argument_invalid',
      `You have ${UNFINISHED_UPLOADS_PER_USER_MAX} unfinished uploads already.`,
    )
}
