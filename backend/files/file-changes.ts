// Reads, renames and removes one file, and changes its permissions.

import { invalidParam, Refusal } from '#contract/errors.ts'
import type { FileModel } from '#contract/files.ts'
import { isId } from '#contract/ids.ts'
import { readersOf, readPermissions } from '#contract/permissions.ts'
import type { Database } from '../database/schema.ts'
import { ensureTransaction, inTransaction } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import type { FilesContext } from './context.ts'
import {
  canSee,
  deleteRow,
  findRow,
  isOwn,
  isWithheld,
  publishFileEvent,
  readRow,
  requireOwn,
  toModel,
} from './file-access.ts'
import { cleanName, fitName, readExtension } from './file-names.ts'
import { findAvatar, lockFiles } from './file-references-store.ts'
import { countBlockingReferences, isUsedByDeletedPost } from './file-uses-store.ts'
import * as store from './store.ts'
import type { LaterChunk } from './upload-form.ts'

/** Whether a chunk continues an unfinished upload of this user. */
export async function continuesUpload(
  { db }: FilesContext,
  bucketId: string,
  viewer: Viewer,
  { id, sizeBytes }: LaterChunk,
): Promise<boolean> {
  if (viewer.role !== 'user') return false
  const row = await store.findFile(db, { bucketId, id })
  return row?.isComplete === 0 && row.userId === viewer.userId && row.sizeBytes === sizeBytes
}

/** The JSON of a file, for its owner and the API key. @throws Refusal `storage_file_not_found` */
export async function readFile(
  context: FilesContext,
  bucketId: string,
  id: string,
  viewer: Viewer,
) {
  const row = await readRow(context, { bucketId, id })
  if (!isOwn(row, viewer)) throw new Refusal('storage_file_not_found')
  return toModel(row)
}

/**
 * Renames a file or changes its permissions. A new name gets an extension of the file's type.
 *
 * @throws Refusal `storage_file_not_found`, `user_unauthorized`, `general_argument_invalid`
 */
export async function changeFile(
  context: FilesContext,
  bucketId: string,
  id: string,
  viewer: Viewer,
  { name, permissions }: { name?: string | undefined; permissions?: unknown },
): Promise<FileModel> {
  const row = await readRow(context, { bucketId, id })
  await requireOwn(context, row, viewer)
  if (name !== undefined && cleanName(name) !== name)
    throw invalidParam('name', 'Value must not contain control characters, slashes or backslashes')
  const granted =
    viewer.role === 'guest' ? undefined : readPermissions(permissions, viewer, row.userId ?? '')
  const changes = {
    ...(name === undefined ? {} : { name: fitName(name, extensionOf(row)) }),
    ...(granted ? { permissions: JSON.stringify(granted), readers: readersOf(granted) } : {}),
    updatedAt: context.now().toISOString(),
  }
  return ensureTransaction(context.db, async (tx) => {
    const updated = await store.updateFile(tx, row.storedName, changes)
    if (!updated) throw new Refusal('storage_file_not_found')
    publishFileEvent(tx, 'update', updated)
    return toModel(updated)
  })
}

/**
 * Removes a file or an unfinished upload. For the owner it also succeeds, without effect, when a
 * post or an avatar released the file within the last day, and when `isDeletionBlocked`.
 *
 * @throws Refusal `storage_file_not_found`, `user_unauthorized`
 */
export async function removeFile(
  context: FilesContext,
  bucketId: string,
  id: string,
  viewer: Viewer,
) {
  const row = await findRow(context, { bucketId, id })
  if (row) {
    await requireOwn(context, row, viewer)
    if (await removeOwn(context, row, viewer)) return
  }
  const mayBeReleased = viewer.role === 'user' && isId(id)
  if (
    mayBeReleased &&
    (await store.wasReleased(context.db, { bucketId, id, ...viewer }, context.now()))
  )
    return
  throw new Refusal('storage_file_not_found')
}

/** @returns false when it was already gone */
async function removeOwn(context: FilesContext, file: store.FileRow, viewer: Viewer) {
  const { bucketId, id } = file
  return await inTransaction(context.db, context.background, async (tx, afterCommit) => {
    const [row] = await lockFiles(tx, bucketId, [id])
    if (row?.storedName !== file.storedName) return false
    if (viewer.role === 'user' && row.isComplete) {
      if (await isDeletionBlocked(context, tx, { bucketId, id, userId: viewer.userId })) return true
      await store.setReleased(tx, [row], '')
    }
    return await deleteRow(context, tx, afterCommit, row)
  })
}

/**
 * Whether a file stays although its owner deletes it. One reference does not block: a program may
 * delete the old image before it saves the post. Two references block, and so does one if another
 * was just released, because the deletion follows that release. A deleted post of the owner blocks
 * while it can be restored. Versions and bodies of other users do not block.
 */
async function isDeletionBlocked(
  context: FilesContext,
  tx: Database,
  file: store.FileKey & { userId: string },
): Promise<boolean> {
  const { bucketId, id: fileId, userId: ownerId } = file
  const isContent = bucketId === context.contentBucketId
  if (isContent && (await isUsedByDeletedPost(tx, { fileId, ownerId }))) return true
  const posts = isContent ? await countBlockingReferences(tx, { fileId, ownerId }) : 0
  const isAvatar = bucketId === context.avatarBucketId && (await findAvatar(tx, ownerId)) === fileId
  const references = posts + Number(isAvatar)
  return references > 1 || (references === 1 && (await store.wasReleased(tx, file, context.now())))
}

/**
 * @returns `isPublic`: guests may see its bytes, so shared caches may store them
 * @throws Refusal `storage_file_not_found` when missing, unfinished or hidden from this viewer
 */
export async function readVisible(
  context: FilesContext,
  bucketId: string,
  id: string,
  viewer: Viewer,
) {
  const row = await findRow(context, { bucketId, id })
  if (!row?.isComplete || !canSee(row, viewer)) throw new Refusal('storage_file_not_found')
  const withheld = await isWithheld(context, row)
  if (withheld && !isOwn(row, viewer)) throw new Refusal('storage_file_not_found')
  return { ...row, isPublic: row.readers === 'any' && !withheld }
}

/** The extension for a file's type; that of its name while the upload is unfinished. */
function extensionOf({ isComplete, mimeType, name }: store.FileRow): string {
  return isComplete ? mimeType.replace('image/', '') : readExtension(name)
}
