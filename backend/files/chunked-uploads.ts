// Uploads in chunks, which may come in any order and at the same time: each chunk is noted, and the
// last one to come completes the file (api.md §4.3).
import { Refusal } from '#contract/errors.ts'
import { isForeignKeyFault, isUniqueFault } from '../database/faults.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import type { SharedWork } from '../process/shared-work.ts'
import type { ChunkRange } from './content-range.ts'
import { announceFile } from './file-access.ts'
import { claimOf, insertOwn } from './file-ids.ts'
import { readExtension } from './file-names.ts'
import { type ImageAsker, SERVER_ITSELF } from './image-queue.ts'
import { type KeepImageNeeds, keepImage } from './keep-image.ts'
import { refuseBeyondQuota } from './quota.ts'
import { type RemovalNeeds, removeRow } from './removal.ts'
import * as store from './store.ts'
import { claimId } from './uses-store.ts'

export type ChunkedUploadsNeeds = RemovalNeeds &
  KeepImageNeeds & {
    /**
     * Uploads whose chunks are being put together, by `storedName`: requests that bring the last
     * chunk at the same time wait for the same work.
     */
    assembling: SharedWork<store.FileRow>
    now: () => Date
  }

/**
 * The unfinished upload that a chunk belongs to, begun with the first chunk to come.
 *
 * @throws Refusal `storage_file_already_exists`, `user_unauthorized` for another person's upload,
 *   `storage_invalid_content_range` when it was announced differently
 */
export async function findOrBeginUpload(
  needs: Pick<ChunkedUploadsNeeds, 'db' | 'background'>,
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
  { db, background }: Pick<ChunkedUploadsNeeds, 'db' | 'background'>,
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

/**
 * Notes a chunk; one sent again replaces the earlier.
 *
 * @throws Refusal `storage_file_not_found` when the upload is gone
 */
export async function noteChunk(
  { db, background, received }: Pick<ChunkedUploadsNeeds, 'db' | 'background' | 'received'>,
  upload: store.FileRow,
  chunk: store.ChunkRow,
): Promise<void> {
  try {
    await inTransaction(db, background, async (tx, after) => {
      const replaced = await store.saveChunk(tx, upload, chunk)
      if (replaced) after('removal of a replaced chunk', () => received.remove(replaced))
    })
  } catch (error) {
    throw isForeignKeyFault(error)
      ? new Refusal('storage_file_not_found', undefined, { cause: error })
      : error
  }
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

async function assemble(
  needs: ChunkedUploadsNeeds,
  upload: store.FileRow,
  asker: ImageAsker,
): Promise<store.FileRow> {
  const { db, background, keeper, received, now } = needs
  const names = (await store.findChunks(db, upload)).map(({ storedName }) => storedName)
  try {
    const { sizeBytes, name } = upload
    const extension = readExtension(name)
    const image = await keepImage(
      needs,
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
      announceFile(tx, 'create', file)
      await claimId(tx, claimOf(file, file.updatedAt))
      await store.deleteChunks(tx, upload)
      for (const chunk of names) after('removal of a chunk', () => received.remove(chunk))
      return file
    })
    if (done) return done
    await keeper.remove(image.storedName)
    return missing()
  } catch (error) {
    // Nothing is kept of them. After any other failure the client may send the last chunk again.
    if (error instanceof Refusal && UNUSABLE.includes(error.type)) await removeRow(needs, upload)
    throw error
  }
}

function missing(): never {
  throw new Refusal('storage_file_not_found')
}

/** How many chunks there are without a gap from the first; they come in order of their index. */
function countFromStart(chunks: store.ChunkRow[]): number {
  const gap = chunks.findIndex(({ chunkIndex }, at) => chunkIndex !== at)
  return gap === -1 ? chunks.length : gap
}
