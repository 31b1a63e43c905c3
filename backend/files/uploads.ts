// Uploads in one request or in chunks: bytes first, then the row (threat-model.md §10). Chunks may
// arrive in any order and concurrently: each gets a row, and the last one completes the file
// (api.md §4.3). In one piece because both ways share their first and last steps.

import { Readable } from 'node:stream'
import { Refusal } from '#contract/errors.ts'
import { defaultPermissions, readersOf, readPermissions } from '#contract/permissions.ts'
import { CommitOutcomeUnknown, refuseIfTaken, retryIfTaken } from '../database/database-errors.ts'
import type { Database } from '../database/schema.ts'
import { type AfterCommit, inTransaction } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import type { QueueCaller } from '../process/bounded-queue.ts'
import { makeId } from '../process/ids.ts'
import { type BlobStore, makeStoredName } from './blob-store.ts'
import type { FilesContext } from './context.ts'
import {
  maxBytesOf,
  publishFileEvent,
  refuseBeyondQuota,
  removeRow,
  toModel,
  UNFINISHED_UPLOAD_SECONDS,
} from './file-access.ts'
import { cleanName, readExtension } from './file-names.ts'
import { lockFiles } from './file-references-store.ts'
import * as store from './store.ts'
import { storeImage } from './store-image.ts'
import {
  type ChunkRange,
  parseContentRange,
  UPLOAD_REQUEST_MAX_BYTES,
  type Upload,
} from './upload-form.ts'

/**
 * Stores a whole file or one chunk of it. Afterwards the received bytes are part of a file or a
 * chunk, or removed.
 *
 * @returns the file, or the unfinished upload with its count of chunks
 * @throws Refusal as listed in api.md §4.2, in its order of checks
 */
export async function createFile(
  context: FilesContext,
  bucketId: string,
  viewer: Viewer,
  upload: Upload,
) {
  // The store that has the bytes while no row names them.
  let orphanStore: BlobStore | undefined = context.received
  try {
    const { row, range, storedName, extension } = checkUpload(context, bucketId, viewer, upload)
    await dropExpiredUploads(context, row.userId)
    if (!range)
      return toModel(await storeWhole(context, row, { names: [storedName], extension }, upload))
    const unfinished = await findOrBeginUpload(context, row, viewer, range)
    const running = context.assembling.join(unfinished.storedName, upload.caller?.signal)
    if (running !== undefined) return toModel(await running)
    await shareChunk(context, storedName)
    orphanStore = context.chunks
    await saveChunk(context, unfinished, { chunkIndex: range.index, storedName }).catch(
      (error: unknown) => {
        // The row may have been committed. If not, the sweep removes the bytes.
        if (error instanceof CommitOutcomeUnknown) orphanStore = undefined
        throw error
      },
    )
    orphanStore = undefined
    return toModel(await continueUpload(context, unfinished, upload.caller))
  } finally {
    if (upload.bytes) await orphanStore?.remove(upload.bytes.storedName)
  }
}

/** @returns the row of the file; `range` is undefined when the request has the whole file */
function checkUpload(context: FilesContext, bucketId: string, viewer: Viewer, upload: Upload) {
  const { id, permissions: requested, bytes, contentRange } = upload
  const maxBytes = maxBytesOf(context, bucketId)
  if (viewer.role === 'guest') throw new Refusal('user_unauthorized')
  const userId = viewer.role === 'user' ? viewer.userId : null
  const permissions =
    readPermissions(requested, viewer, userId ?? '') ??
    (userId === null ? ['read("any")'] : defaultPermissions(userId))
  if (!bytes || bytes.sizeBytes === 0) throw new Refusal('storage_file_empty')
  const range = parseContentRange(contentRange)
  if (range && range.lengthBytes !== bytes.sizeBytes)
    throw new Refusal('storage_invalid_content_range')
  const name = cleanName(bytes.name)
  const extension = readExtension(name)
  const sizeBytes = range?.sizeBytes ?? bytes.sizeBytes
  if (sizeBytes > maxBytes) throw new Refusal('storage_invalid_file_size')
  const now = context.now().toISOString()
  const row: store.NewFileRow = {
    id: id ?? makeId(),
    bucketId,
    userId,
    name,
    mimeType: '',
    sizeBytes,
    signature: '',
    width: 0,
    height: 0,
    color: '',
    chunksTotal: range?.total ?? 1,
    chunksUploaded: 0,
    isComplete: 0,
    storedName: makeStoredName(),
    permissions: JSON.stringify(permissions),
    readers: readersOf(permissions),
    createdAt: now,
    updatedAt: now,
  }
  return { row, range, storedName: bytes.storedName, extension }
}

type WholeImage = {
  names: string[]
  extension: string
  /** Has the bytes, if they are not in the store of received bytes. */
  store?: Pick<BlobStore, 'open'>
}
type WholeUpload = Pick<Upload, 'isDisconnected' | 'caller'> & {
  saveReference?: (tx: Database, file: store.FileRow) => Promise<void>
}

async function storeWhole(
  context: FilesContext,
  row: store.NewFileRow,
  { store: received = context.received, ...image }: WholeImage,
  { isDisconnected, caller = {}, saveReference }: WholeUpload,
): Promise<store.FileRow> {
  const { db, background, blobStore } = context
  // An early check, which avoids decoding in vain; `insertOwn` decides.
  if (await store.isIdTaken(db, row)) throw new Refusal('storage_file_already_exists')
  await refuseBeyondQuota(db, row)
  const receivedImage = { ...image, sizeBytes: row.sizeBytes }
  const stored = await storeImage(context, received, receivedImage, caller)
  try {
    // A client that disconnects cancels the upload, even if its last byte has arrived.
    if (isDisconnected?.())
      throw new Refusal('general_argument_invalid', 'The upload was cut short.')
    return await inTransaction(db, background, async (tx, afterCommit) => {
      await refuseBeyondQuota(tx, row)
      const completion = { isComplete: 1, chunksUploaded: row.chunksTotal }
      const file = await store.insertOwn(tx, { ...row, ...stored, ...completion })
      await saveReference?.(tx, file)
      publishFile(context, tx, afterCommit, file)
      return file
    })
  } catch (error) {
    // The row may have been committed. If not, the sweep removes the bytes.
    if (!(error instanceof CommitOutcomeUnknown)) await blobStore.remove(stored.storedName)
    return refuseIfTaken('storage_file_already_exists', error)
  }
}

/** An image that the server has read itself, such as one of an imported post. */
export type ReadImage = { name: string; bytes: Buffer; userId: string }

/**
 * Stores an image that the server has read itself, as an upload of this user: with the same checks
 * and the same room, but no share of hourly limits.
 *
 * @param saveReference runs in the transaction of the new row
 * @throws Refusal `storage_file_type_unsupported`, `storage_invalid_file`,
 *   `storage_invalid_file_size`, and `general_argument_invalid` for too many files
 */
export async function storeReadImage(
  context: FilesContext,
  { name, bytes, userId }: ReadImage,
  saveReference: (tx: Database, file: store.FileRow) => Promise<void>,
): Promise<store.FileRow> {
  const { contentBucketId, now } = context
  const time = now().toISOString()
  const permissions = defaultPermissions(userId)
  const row: store.NewFileRow = {
    id: makeId(),
    bucketId: contentBucketId,
    userId,
    name: cleanName(name),
    mimeType: '',
    sizeBytes: bytes.length,
    signature: '',
    width: 0,
    height: 0,
    color: '',
    chunksTotal: 1,
    chunksUploaded: 0,
    isComplete: 0,
    storedName: makeStoredName(),
    permissions: JSON.stringify(permissions),
    readers: readersOf(permissions),
    createdAt: time,
    updatedAt: time,
  }
  const image = {
    names: [''],
    extension: readExtension(row.name),
    store: { open: async () => Readable.from([bytes]) },
  }
  return storeWhole(context, row, image, { saveReference })
}

/** Removes expired uploads, so that they do not count until the next sweep. */
async function dropExpiredUploads(context: FilesContext, userId: string | null): Promise<void> {
  if (userId === null) return
  const before = new Date(context.now().getTime() - UNFINISHED_UPLOAD_SECONDS * 1000)
  for (const upload of await store.findExpiredUploads(context.db, before.toISOString(), userId))
    await removeRow(context, upload)
}

/**
 * The unfinished upload that a chunk belongs to; the first chunk to arrive begins it.
 *
 * @throws Refusal `storage_file_already_exists`, `user_unauthorized` for another user's upload,
 *   `storage_invalid_content_range` when its chunks announced another size
 */
async function findOrBeginUpload(
  context: FilesContext,
  row: store.NewFileRow,
  viewer: Viewer,
  range: ChunkRange,
): Promise<store.FileRow> {
  const { db, background } = context
  const begin = () =>
    inTransaction(db, background, async (tx) => {
      await refuseBeyondQuota(tx, row)
      return await store.insertOwn(tx, row)
    })
  // Another chunk may begin it at the same moment.
  const upload = await retryIfTaken(async () => (await store.findFile(db, row)) ?? begin())
  if (upload.isComplete) throw new Refusal('storage_file_already_exists')
  if (viewer.role !== 'key' && upload.userId !== row.userId) throw new Refusal('user_unauthorized')
  if (upload.sizeBytes !== range.sizeBytes || upload.chunksTotal !== range.total)
    throw new Refusal('storage_invalid_content_range')
  return upload
}

/** Moves the bytes of a chunk to a store that every process can read. */
async function shareChunk({ chunks, received }: FilesContext, storedName: string): Promise<void> {
  if (chunks === received) return
  const bytes = await received.open(storedName)
  if (!bytes) throw new Error('The bytes of a request have vanished')
  await chunks.put(storedName, bytes, UPLOAD_REQUEST_MAX_BYTES)
  await received.remove(storedName)
}

/**
 * Saves the row of a chunk, or replaces that of a chunk that is sent again.
 *
 * @throws Refusal `storage_file_not_found` when the upload is gone, `storage_file_already_exists`
 *   when it is complete
 */
async function saveChunk(context: FilesContext, upload: store.FileRow, chunk: store.ChunkRow) {
  const { db, background, chunks } = context
  await inTransaction(db, background, async (tx, afterCommit) => {
    // The lock serialises the chunks of one upload, so that one of two with the same index is
    // replaced.
    const [file = refuseMissing()] = await lockFiles(tx, upload.bucketId, [upload.id])
    if (file.isComplete) throw new Refusal('storage_file_already_exists')
    const replaced = await store.saveChunk(tx, upload, chunk)
    if (replaced) afterCommit('removal of a replaced chunk', () => chunks.remove(replaced))
  })
}

/**
 * Completes the file when all chunks are stored. Counts them after the commit of {@link saveChunk}:
 * of concurrent chunks, the last one to commit sees all.
 *
 * @returns the file, or the unfinished upload
 * @throws Refusal `storage_file_not_found` when the upload is gone, and as {@link storeImage}
 */
export async function continueUpload(
  context: FilesContext,
  upload: store.FileRow,
  caller: QueueCaller = {},
): Promise<store.FileRow> {
  const { db, assembling, now } = context
  const chunksUploaded = countFromStart(await store.findChunks(db, upload))
  if (chunksUploaded < upload.chunksTotal) {
    const change = { chunksUploaded, updatedAt: now().toISOString() }
    await store.raiseChunksUploaded(db, upload.storedName, change)
    return (await store.findFile(db, upload)) ?? refuseMissing()
  }
  return await assembling.run(upload.storedName, caller.signal, (signal) =>
    assemble(context, upload, { ...caller, signal }),
  )
}

/** Refusals that a retry would not change. */
const FINAL_REFUSALS = [
  'storage_file_type_unsupported',
  'storage_invalid_file',
  'storage_invalid_file_size',
]

/** How many attempts joining has if chunks are replaced meanwhile; then 503. */
const ASSEMBLING_ATTEMPTS = 3

async function assemble(
  context: FilesContext,
  upload: store.FileRow,
  caller: QueueCaller,
  attemptsLeft = ASSEMBLING_ATTEMPTS,
): Promise<store.FileRow> {
  const { db, background, blobStore, chunks, received, now } = context
  const findNames = async () =>
    (await store.findChunks(db, upload)).map(({ storedName }) => storedName)
  const names = await findNames()
  try {
    const { sizeBytes, name } = upload
    const extension = readExtension(name)
    const image = await storeImage(
      context,
      // Older chunks may be in `received`, if `chunks` was the same store when they arrived.
      { open: async (name) => (await chunks.open(name)) ?? received.open(name) },
      { names, sizeBytes, extension },
      caller,
    )
    const completed = await inTransaction(db, background, async (tx, afterCommit) => {
      const file = await store.completeFile(tx, upload.storedName, {
        ...image,
        chunksUploaded: upload.chunksTotal,
        updatedAt: now().toISOString(),
      })
      if (!file) return undefined
      await store.claimId(tx, file, file.updatedAt)
      publishFile(context, tx, afterCommit, file)
      for (const chunk of await store.deleteChunks(tx, upload))
        afterCommit('removal of a chunk', () => chunks.remove(chunk))
      return file
    })
    if (completed) return completed
    await blobStore.remove(image.storedName)
    return (await findCompleted(context, upload)) ?? refuseMissing()
  } catch (error) {
    // Another process may have joined the chunks first, or replaced a chunk before it was read.
    const completed = await findCompleted(context, upload)
    if (completed) return completed
    const currentNames = await findNames()
    const isReplaced =
      currentNames.length === names.length && String(currentNames) !== String(names)
    if (isReplaced && attemptsLeft > 1)
      return await assemble(context, upload, caller, attemptsLeft - 1)
    // Such an upload cannot succeed. After any other failure the client may resend the last chunk.
    if (!isReplaced && error instanceof Refusal && FINAL_REFUSALS.includes(error.type))
      await removeRow(context, upload)
    throw error
  }
}

/** Publishes a complete file, and queues its previews. */
function publishFile(
  { previewPregeneration }: FilesContext,
  tx: Database,
  afterCommit: AfterCommit,
  file: store.FileRow,
): void {
  publishFileEvent(tx, 'create', file)
  afterCommit('pregeneration of previews', async () => previewPregeneration.add(file))
}

/** The file that the upload has become; undefined while it is unfinished, or gone. */
async function findCompleted({ db }: FilesContext, upload: store.FileRow) {
  const file = await store.findFile(db, upload)
  return file?.seq === upload.seq && file.isComplete ? file : undefined
}

function refuseMissing(): never {
  throw new Refusal('storage_file_not_found')
}

/** The number of chunks without a gap from the first. @param chunks sorted by index */
function countFromStart(chunks: store.ChunkRow[]): number {
  const gap = chunks.findIndex(({ chunkIndex }, at) => chunkIndex !== at)
  return gap === -1 ? chunks.length : gap
}
