// Takes uploads: checks what a request says, and stores a file that came in one request. Bytes
// first, then the row (threat-model.md §10). Chunks are in chunked-uploads.ts.
import { Refusal } from '#contract/errors.ts'
import { defaultPermissions, readersOf, readPermissions } from '#contract/permissions.ts'
import { isUniqueFault, isUnknownOutcome } from '../database/faults.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import { makeId } from '../process/ids.ts'
import {
  type ChunkedUploadsNeeds,
  continueUpload,
  findOrBeginUpload,
  noteChunk,
  noteComplete,
  shareChunk,
} from './chunked-uploads.ts'
import { parseContentRange } from './content-range.ts'
import { insertOwn, isIdTaken } from './file-ids-store.ts'
import { cleanName, readExtension } from './file-names.ts'
import { type ImageAsker, SERVER_ITSELF } from './image-queue.ts'
import { keepImage } from './keep-image.ts'
import { type Keeper, makeStoredName } from './keeper.ts'
import { refuseBeyondQuota, UNFINISHED_UPLOAD_SECONDS } from './quota.ts'
import { type RemovalNeeds, removeRow } from './removal.ts'
import * as store from './store.ts'

/** One upload request, its bytes already received. */
export type Upload = {
  /** Undefined asks for a server-made id. */
  id: string | undefined
  permissions: unknown
  bytes: { storedName: string; sizeBytes: number; name: string } | undefined
  contentRange: string | undefined
  /** Whether the client has closed the connection. */
  isGone?: (() => boolean) | undefined
  /** Who pays for the decoding; nobody when absent. */
  asker?: ImageAsker | undefined
}
export type Bucket = { bucketId: string; maxBytes: number }

/**
 * Takes the received bytes over: afterwards they are stored, noted as a chunk, or removed.
 *
 * @returns the file, or the unfinished upload with its count of chunks
 * @throws Refusal as listed in api.md §4.2, in its order of checks
 */
export async function takeUpload(
  needs: ChunkedUploadsNeeds,
  bucket: Bucket,
  viewer: Viewer,
  upload: Upload,
): Promise<store.FileRow> {
  // Where bytes are that no row names.
  let ownerless: Keeper | undefined = needs.received
  try {
    const { row, range, storedName, extension } = checkUpload(bucket, viewer, upload, needs.now())
    await dropExpiredUploads(needs, row.userId)
    if (!range) {
      const received = { names: [storedName], maxBytes: bucket.maxBytes, extension }
      return await storeWhole(needs, row, received, upload)
    }
    const unfinished = await findOrBeginUpload(needs, row, viewer, range)
    const running = needs.assembling.join(unfinished.storedName, upload.asker?.signal)
    if (running !== undefined) return await running
    await shareChunk(needs, storedName)
    ownerless = needs.chunks
    await noteChunk(needs, unfinished, { chunkIndex: range.index, storedName }).catch(
      (error: unknown) => {
        // The row may be there: the sweep removes the bytes if it is not.
        if (isUnknownOutcome(error)) ownerless = undefined
        throw error
      },
    )
    ownerless = undefined
    return await continueUpload(needs, unfinished, upload.asker)
  } finally {
    if (upload.bytes) await ownerless?.remove(upload.bytes.storedName)
  }
}

/** What a checked request brings. Without `range` it is a whole file. */
function checkUpload(
  { bucketId, maxBytes }: Bucket,
  viewer: Viewer,
  { id, permissions: wanted, bytes, contentRange }: Upload,
  now: Date,
) {
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
    ...{ createdAt: now.toISOString(), updatedAt: now.toISOString() },
  }
  return { row, range, storedName: bytes.storedName, extension }
}

async function storeWhole(
  needs: ChunkedUploadsNeeds,
  row: store.NewFileRow,
  received: { names: string[]; maxBytes: number; extension: string },
  { isGone, asker = SERVER_ITSELF }: Pick<Upload, 'isGone' | 'asker'>,
): Promise<store.FileRow> {
  const { db, background, keeper } = needs
  // Asked early to spare the work; `insertOwn` decides.
  if (await isIdTaken(db, row)) throw new Refusal('storage_file_already_exists')
  await refuseBeyondQuota(db, row)
  const image = await keepImage(needs, { ...received, sizeBytes: row.sizeBytes }, asker)
  try {
    // A cancelled upload leaves nothing, even when its last byte had come.
    if (isGone?.()) throw new Refusal('general_argument_invalid', 'The upload was cut short.')
    return await inTransaction(db, background, async (tx, after) => {
      await refuseBeyondQuota(tx, row)
      const done = { isComplete: 1, chunksUploaded: row.chunksTotal }
      const file = await insertOwn(tx, { ...row, ...image, ...done })
      noteComplete(needs, tx, after, file)
      return file
    })
  } catch (error) {
    // There may be a row that shows these bytes: the sweep removes them if there is none.
    if (!isUnknownOutcome(error)) await keeper.remove(image.storedName)
    throw isUniqueFault(error)
      ? new Refusal('storage_file_already_exists', undefined, { cause: error })
      : error
  }
}

/** A person's unfinished uploads count for a day, whenever the sweep runs. */
async function dropExpiredUploads(
  needs: RemovalNeeds & { now: () => Date },
  userId: string | null,
): Promise<void> {
  if (userId === null) return
  const before = new Date(needs.now().getTime() - UNFINISHED_UPLOAD_SECONDS * 1000)
  for (const upload of await store.findExpiredUploads(needs.db, before.toISOString(), userId))
    await removeRow(needs, upload)
}
