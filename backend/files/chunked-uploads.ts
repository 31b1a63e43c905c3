// Uploads in chunks, which may come in any order and at the same time: each chunk is noted, and the
// last one to come completes the file (api.md §4.3).
import { Refusal } from '#contract/errors.ts'
import { isUniqueFault } from '../database/faults.ts'
import type { Database } from '../database/schema.ts'
import { type After, inTransaction } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import type { SharedWork } from '../process/single-flight.ts'
import type { ChunkRange } from './content-range.ts'
import { UPLOAD_REQUEST_MAX_BYTES } from './content-range.ts'
import type { DrawAhead } from './draw-ahead.ts'
import { announceFile } from './file-access.ts'
import { claimId, insertOwn } from './file-ids-store.ts'
import { readExtension } from './file-names.ts'
import { type ImageAsker, SERVER_ITSELF } from './image-queue.ts'
import { type KeepImageNeeds, keepImage } from './keep-image.ts'
import type { Keeper } from './keeper.ts'
import { refuseBeyondQuota } from './quota.ts'
import { type RemovalNeeds, removeRow } from './removal.ts'
import * as store from './store.ts'

export type ChunkedUploadsNeeds = RemovalNeeds &
  KeepImageNeeds & {
    /** Where requests bring their bytes, on this machine. */
    received: Keeper
    /**
     * Uploads whose chunks are being put together, by `storedName`: requests that bring the last
     * chunk at the same time wait for the same work.
     */
    assembling: SharedWork<store.FileRow>
    drawAhead: Pick<DrawAhead, 'add'>
    now: () => Date
  }

/**
 * The unfinished upload that a chunk belongs to, begun with the first chunk to come.
 *
 * @throws Refusal `storage_file_already_exists`, `user_unauthorized` for another person's upload,
 *   `storage_invalid_content_range` when it was announced differently
 */
export async function findOrBeginUpload(
  needs: ChunkedUploadsNeeds,
  row: store.NewFileRow,
  viewer: Viewer,
  range: ChunkRange,
): Promise<store.FileRow> {
  const upload = (await store.findFile(needs.db, row)) ?? (await beginUpload(needs, row))
  if (upload.isComplete) throw new Refusal('storage_file_already_exists')
  if (viewer.role !== 'key' && upload.userId !== row.userId) throw new Refusal('user_unauthorized')
  if (upload.sizeBytes !== range.sizeBytes || upload.chunksTotal !== range.total)
    throw new Refusal('storage_invalid_content_range')
  return upload
}

async function beginUpload(
  { db, background }: ChunkedUploadsNeeds,
  row: store.NewFileRow,
): Promise<store.FileRow> {
  try {
    return await inTransaction(db, background, async (tx) => {
      await refuseBeyondQuota(tx, row)
      return await insertOwn(tx, row)
    })
  } catch (error) {
    if (!isUniqueFault(error)) throw error
    return (await store.findFile(db, row)) ?? missing() // another chunk began it at the same moment
  }
}

/** Brings the bytes of a chunk to where every process finds them. */
export async function shareChunk(
  { chunks, received }: ChunkedUploadsNeeds,
  storedName: string,
): Promise<void> {
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
export async function noteChunk(
  { db, background, chunks }: ChunkedUploadsNeeds,
  upload: store.FileRow,
  chunk: store.ChunkRow,
): Promise<void> {
  await inTransaction(db, background, async (tx, after) => {
    const { isComplete } = (await store.lockFile(tx, upload)) ?? missing()
    if (isComplete) throw new Refusal('storage_file_already_exists')
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
  needs: ChunkedUploadsNeeds,
  upload: store.FileRow,
  asker: ImageAsker = SERVER_ITSELF,
): Promise<store.FileRow> {
  const { db, assembling, now } = needs
  const chunksUploaded = countFromStart(await store.findChunks(db, upload))
  if (chunksUploaded < upload.chunksTotal) {
    await store.raiseChunksUploaded(db, upload.storedName, chunksUploaded, now().toISOString())
    return (await store.findFile(db, upload)) ?? missing()
  }
  return await assembling.run(upload.storedName, asker.signal, (signal) =>
    assemble(needs, upload, { ...asker, signal }),
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
  needs: ChunkedUploadsNeeds,
  upload: store.FileRow,
  asker: ImageAsker,
  attemptsLeft = ASSEMBLING_ATTEMPTS,
): Promise<store.FileRow> {
  const { db, background, keeper, chunks, received, now } = needs
  const names = await findNames(needs, upload)
  try {
    const { sizeBytes, name } = upload
    const extension = readExtension(name)
    const image = await keepImage(
      // Chunks that came before they were shared are where requests brought them.
      {
        ...needs,
        received: { open: async (name) => (await chunks.open(name)) ?? received.open(name) },
      },
      { names, sizeBytes, maxBytes: sizeBytes, extension },
      asker,
    )
    const done = await inTransaction(db, background, async (tx, after) => {
      const file = await store.completeFile(tx, upload.storedName, {
        ...image,
        chunksUploaded: upload.chunksTotal,
        updatedAt: now().toISOString(),
      })
      if (!file) return undefined
      await claimId(tx, file, file.updatedAt)
      noteComplete(needs, tx, after, file)
      for (const chunk of await store.deleteChunks(tx, upload))
        after('removal of a chunk', () => chunks.remove(chunk))
      return file
    })
    if (done) return done
    await keeper.remove(image.storedName)
    return (await findCompleted(needs, upload)) ?? missing()
  } catch (error) {
    // Another process had the last chunk at the same time, and was faster.
    const done = await findCompleted(needs, upload)
    if (done) return done
    // Or has replaced one that was about to be read.
    const namesNow = await findNames(needs, upload)
    const isReplaced = namesNow.length === names.length && String(namesNow) !== String(names)
    if (isReplaced && attemptsLeft > 1)
      return await assemble(needs, upload, asker, attemptsLeft - 1)
    // Nothing is kept of them. After any other failure the client may send the last chunk again.
    if (error instanceof Refusal && UNUSABLE.includes(error.type)) await removeRow(needs, upload)
    throw error
  }
}

/** A file is there: it is told, and its previews are drawn. */
export function noteComplete(
  { drawAhead }: ChunkedUploadsNeeds,
  tx: Database,
  after: After,
  file: store.FileRow,
): void {
  announceFile(tx, 'create', file)
  after('drawing ahead', async () => drawAhead.add(file))
}

async function findNames({ db }: ChunkedUploadsNeeds, upload: store.FileRow): Promise<string[]> {
  return (await store.findChunks(db, upload)).map(({ storedName }) => storedName)
}

/** The upload as the file that it has become. */
async function findCompleted(
  { db }: ChunkedUploadsNeeds,
  upload: store.FileRow,
): Promise<store.FileRow | undefined> {
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
