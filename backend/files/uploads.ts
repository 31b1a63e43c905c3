// Takes uploads: checks what a request says, and stores a file that came in one request, bytes
// first, then the row (threat-model.md §10). Chunks may come in any order and at the same time:
// each is noted, and the last one to come completes the file (api.md §4.3). In one piece because
// both ways share their checks, their needs and their end.

import { Refusal } from '#contract/errors.ts'
import { defaultPermissions, readersOf, readPermissions } from '#contract/permissions.ts'
import { CommitOutcomeUnknown, onceMoreIfTaken, refuseTaken } from '../database/database-errors.ts'
import type { Database } from '../database/schema.ts'
import { type After, inTransaction } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import type { QueueCaller } from '../process/bounded-queue.ts'
import { makeId } from '../process/ids.ts'
import { type BlobStore, makeStoredName } from './blob-store.ts'
import {
  announceFile,
  type Files,
  maxBytesOf,
  refuseBeyondQuota,
  removeRow,
  toModel,
  UNFINISHED_UPLOAD_SECONDS,
} from './file-access.ts'
import { cleanName, readExtension } from './file-names.ts'
import { lockFiles } from './file-references-store.ts'
import * as store from './store.ts'
import { keepImage } from './store-image.ts'
import {
  type ChunkRange,
  parseContentRange,
  UPLOAD_REQUEST_MAX_BYTES,
  type Upload,
} from './upload-form.ts'

/**
 * Takes a whole file or one chunk of it, with its received bytes: afterwards they are stored, noted
 * as a chunk, or removed.
 *
 * @returns the file, or the unfinished upload with its count of chunks
 * @throws Refusal as listed in api.md §4.2, in its order of checks
 */
export async function createFile(needs: Files, bucketId: string, viewer: Viewer, upload: Upload) {
  // Where bytes are that no row names.
  let ownerless: BlobStore | undefined = needs.received
  try {
    const { row, range, storedName, extension } = checkUpload(needs, bucketId, viewer, upload)
    await dropExpiredUploads(needs, row.userId)
    if (!range)
      return toModel(await storeWhole(needs, row, { names: [storedName], extension }, upload))
    const unfinished = await findOrBeginUpload(needs, row, viewer, range)
    const running = needs.assembling.join(unfinished.storedName, upload.caller?.signal)
    if (running !== undefined) return toModel(await running)
    await shareChunk(needs, storedName)
    ownerless = needs.chunks
    await noteChunk(needs, unfinished, { chunkIndex: range.index, storedName }).catch(
      (error: unknown) => {
        // The row may be there: the sweep removes the bytes if it is not.
        if (error instanceof CommitOutcomeUnknown) ownerless = undefined
        throw error
      },
    )
    ownerless = undefined
    return toModel(await continueUpload(needs, unfinished, upload.caller))
  } finally {
    if (upload.bytes) await ownerless?.remove(upload.bytes.storedName)
  }
}

/** What a checked request brings. Without `range` it is a whole file. */
function checkUpload(needs: Files, bucketId: string, viewer: Viewer, upload: Upload) {
  const { id, permissions: wanted, bytes, contentRange } = upload
  const maxBytes = maxBytesOf(needs, bucketId)
  if (viewer.role === 'guest') throw new Refusal('user_unauthorized')
  const userId = viewer.role === 'user' ? viewer.userId : null
  const permissions =
    readPermissions(wanted, viewer, userId ?? '') ??
    (userId === null ? ['read("any")'] : defaultPermissions(userId))
  if (!bytes || bytes.sizeBytes === 0) throw new Refusal('storage_file_empty')
  const range = parseContentRange(contentRange)
  if (range && range.lengthBytes !== bytes.sizeBytes)
    throw new Refusal('storage_invalid_content_range')
  const name = cleanName(bytes.name)
  const extension = readExtension(name)
  const sizeBytes = range?.sizeBytes ?? bytes.sizeBytes
  if (sizeBytes > maxBytes) throw new Refusal('storage_invalid_file_size')
  const now = needs.now().toISOString()
  const row: store.NewFileRow = {
    id: id ?? makeId(),
    bucketId,
    userId,
    name,
    mimeType: '',
    sizeBytes,
    signature: '',
    ...{ width: 0, height: 0, color: '' },
    ...{ chunksTotal: range?.total ?? 1, chunksUploaded: 0, isComplete: 0 },
    storedName: makeStoredName(),
    permissions: JSON.stringify(permissions),
    readers: readersOf(permissions),
    ...{ createdAt: now, updatedAt: now },
  }
  return { row, range, storedName: bytes.storedName, extension }
}

async function storeWhole(
  needs: Files,
  row: store.NewFileRow,
  received: { names: string[]; extension: string },
  { isGone, caller = {} }: Pick<Upload, 'isGone' | 'caller'>,
): Promise<store.FileRow> {
  const { db, background, blobStore } = needs
  // Asked early to spare the work; `insertOwn` decides.
  if (await store.isIdTaken(db, row)) throw new Refusal('storage_file_already_exists')
  await refuseBeyondQuota(db, row)
  const image = await keepImage(needs, { ...received, sizeBytes: row.sizeBytes }, caller)
  try {
    // A cancelled upload leaves nothing, even when its last byte had come.
    if (isGone?.()) throw new Refusal('general_argument_invalid', 'The upload was cut short.')
    return await inTransaction(db, background, async (tx, after) => {
      await refuseBeyondQuota(tx, row)
      const done = { isComplete: 1, chunksUploaded: row.chunksTotal }
      const file = await store.insertOwn(tx, { ...row, ...image, ...done })
      noteComplete(needs, tx, after, file)
      return file
    })
  } catch (error) {
    // There may be a row that shows these bytes: the sweep removes them if there is none.
    if (!(error instanceof CommitOutcomeUnknown)) await blobStore.remove(image.storedName)
    return refuseTaken('storage_file_already_exists')(error)
  }
}

/** A person's unfinished uploads count for a day, whenever the sweep runs. */
async function dropExpiredUploads(needs: Files, userId: string | null): Promise<void> {
  if (userId === null) return
  const before = new Date(needs.now().getTime() - UNFINISHED_UPLOAD_SECONDS * 1000)
  for (const upload of await store.findExpiredUploads(needs.db, before.toISOString(), userId))
    await removeRow(needs, upload)
}

/**
 * The unfinished upload that a chunk belongs to, begun with the first chunk to come.
 *
 * @throws Refusal `storage_file_already_exists`, `user_unauthorized` for another person's upload,
 *   `storage_invalid_content_range` when it was announced differently
 */
async function findOrBeginUpload(
  needs: Files,
  row: store.NewFileRow,
  viewer: Viewer,
  range: ChunkRange,
): Promise<store.FileRow> {
  const { db, background } = needs
  const begin = () =>
    inTransaction(db, background, async (tx) => {
      await refuseBeyondQuota(tx, row)
      return await store.insertOwn(tx, row)
    })
  // Another chunk may begin it at the same moment.
  const upload = await onceMoreIfTaken(async () => (await store.findFile(db, row)) ?? begin())
  if (upload.isComplete) throw new Refusal('storage_file_already_exists')
  if (viewer.role !== 'key' && upload.userId !== row.userId) throw new Refusal('user_unauthorized')
  if (upload.sizeBytes !== range.sizeBytes || upload.chunksTotal !== range.total)
    throw new Refusal('storage_invalid_content_range')
  return upload
}

/** Brings the bytes of a chunk to where every process finds them. */
async function shareChunk({ chunks, received }: Files, storedName: string): Promise<void> {
  if (chunks === received) return
  const bytes = await received.open(storedName)
  if (!bytes) throw new Error('The bytes of a request have vanished')
  await chunks.put(storedName, bytes, UPLOAD_REQUEST_MAX_BYTES)
  await received.remove(storedName)
}

/**
 * Notes a chunk; one sent again replaces the earlier.
 *
 * @throws Refusal `storage_file_not_found` when the upload is gone, `storage_file_already_exists`
 *   when it is complete
 */
async function noteChunk(needs: Files, upload: store.FileRow, chunk: store.ChunkRow) {
  const { db, background, chunks } = needs
  await inTransaction(db, background, async (tx, after) => {
    // Chunks of one upload wait for each other: of two with one number each sees the other.
    const [file = missing()] = await lockFiles(tx, upload.bucketId, [upload.id])
    if (file.isComplete) throw new Refusal('storage_file_already_exists')
    const replaced = await store.saveChunk(tx, upload, chunk)
    if (replaced) after('removal of a replaced chunk', () => chunks.remove(replaced))
  })
}

/**
 * Completes the file when all chunks are there. Counts after the commit of {@link noteChunk}: of
 * chunks that arrive together, the last one to commit sees all.
 *
 * @returns the file, or the unfinished upload
 * @throws Refusal `storage_file_not_found` when the upload is gone, and as {@link keepImage}
 */
export async function continueUpload(
  needs: Files,
  upload: store.FileRow,
  caller: QueueCaller = {},
): Promise<store.FileRow> {
  const { db, assembling, now } = needs
  const chunksUploaded = countFromStart(await store.findChunks(db, upload))
  if (chunksUploaded < upload.chunksTotal) {
    const change = { chunksUploaded, updatedAt: now().toISOString() }
    await store.raiseChunksUploaded(db, upload.storedName, change)
    return (await store.findFile(db, upload)) ?? missing()
  }
  return await assembling.run(upload.storedName, caller.signal, (signal) =>
    assemble(needs, upload, { ...caller, signal }),
  )
}

/** Why bytes will never become an image. */
const UNUSABLE = [
  'storage_file_type_unsupported',
  'storage_invalid_file',
  'storage_invalid_file_size',
]

/** How often chunks may be replaced while they are put together. Then: 503. */
const ASSEMBLING_ATTEMPTS = 3

async function assemble(
  needs: Files,
  upload: store.FileRow,
  caller: QueueCaller,
  attemptsLeft = ASSEMBLING_ATTEMPTS,
): Promise<store.FileRow> {
  const { db, background, blobStore, chunks, received, now } = needs
  const findNames = async () =>
    (await store.findChunks(db, upload)).map(({ storedName }) => storedName)
  const names = await findNames()
  try {
    const { sizeBytes, name } = upload
    const extension = readExtension(name)
    const image = await keepImage(
      // Chunks that came before they were shared are where requests brought them.
      {
        ...needs,
        received: { open: async (name) => (await chunks.open(name)) ?? received.open(name) },
      },
      { names, sizeBytes, extension },
      caller,
    )
    const done = await inTransaction(db, background, async (tx, after) => {
      const file = await store.completeFile(tx, upload.storedName, {
        ...image,
        chunksUploaded: upload.chunksTotal,
        updatedAt: now().toISOString(),
      })
      if (!file) return undefined
      await store.claimId(tx, file, file.updatedAt)
      noteComplete(needs, tx, after, file)
      for (const chunk of await store.deleteChunks(tx, upload))
        after('removal of a chunk', () => chunks.remove(chunk))
      return file
    })
    if (done) return done
    await blobStore.remove(image.storedName)
    return (await findCompleted(needs, upload)) ?? missing()
  } catch (error) {
    // Another process had the last chunk at the same time, and was faster.
    const done = await findCompleted(needs, upload)
    if (done) return done
    // Or has replaced a chunk that was about to be read.
    const namesNow = await findNames()
    const isReplaced = namesNow.length === names.length && String(namesNow) !== String(names)
    if (isReplaced && attemptsLeft > 1)
      return await assemble(needs, upload, caller, attemptsLeft - 1)
    // Nothing is kept of them. After any other failure the client may send the last chunk again.
    if (!isReplaced && error instanceof Refusal && UNUSABLE.includes(error.type))
      await removeRow(needs, upload)
    throw error
  }
}

/** A file is there: it is told, and its previews are drawn. */
function noteComplete({ drawAhead }: Files, tx: Database, after: After, file: store.FileRow): void {
  announceFile(tx, 'create', file)
  after('drawing ahead', async () => drawAhead.add(file))
}

/** The upload as the file that it has become. */
async function findCompleted({ db }: Files, upload: store.FileRow) {
  const found = await store.findFile(db, upload)
  return found?.seq === upload.seq && found.isComplete ? found : undefined
}

function missing(): never {
  throw new Refusal('storage_file_not_found')
}

/** How many chunks there are without a gap from the first; they come in order of their index. */
function countFromStart(chunks: store.ChunkRow[]): number {
  const gap = chunks.findIndex(({ chunkIndex }, at) => chunkIndex !== at)
  return gap === -1 ? chunks.length : gap
}
