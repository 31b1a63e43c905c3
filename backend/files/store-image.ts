// Turns received bytes into a stored image: an image process checks and decodes them, and removes
// metadata. Independent of rows.

import { Refusal } from '#contract/errors.ts'
import { CONTENT_FILE_MAX_BYTES } from '#contract/limits.ts'
import type { QueueCaller } from '../process/bounded-queue.ts'
import { type BlobStore, makeStoredName, readWhole } from './blob-store.ts'
import { findImageType, isWebp } from './containers.ts'
import type { FilesContext } from './context.ts'
import { runImageJob } from './image-process.ts'

/** An image that is turned upright is re-encoded, and may grow. */
const STORED_MAX_BYTES = 2 * CONTENT_FILE_MAX_BYTES

/** `names` are the stored names of the received bytes, in order; `sizeBytes` was announced. */
type ReceivedImage = {
  names: string[]
  sizeBytes: number
  /** As `readExtension` returned it. */
  extension: string
}

/**
 * Checks all the bytes, then stores their image. An image that proves to be heavy is queued again
 * as heavy work.
 *
 * @param received the store of the received bytes
 * @returns the columns of the row that describe the bytes
 * @throws Refusal `storage_invalid_file_size` when there are more or fewer bytes than announced,
 *   and as the queue and {@link decodeUpload}
 */
export async function storeImage(
  { blobStore, imageQueue }: FilesContext,
  received: Pick<BlobStore, 'open'>,
  upload: ReceivedImage,
  caller: QueueCaller,
) {
  const { names, sizeBytes, extension } = upload
  const read = async (isHeavy: boolean) => {
    const bytes = await readWhole(readReceived(received, names))
    if (bytes.length !== sizeBytes)
      throw new Refusal(
        'storage_invalid_file_size',
        'The size of the file differs from the announced one.',
      )
    const image = await decodeUpload(bytes, { extension, mayBeHeavy: isHeavy })
    if (!image) return undefined
    const type = findImageType(image.bytes)
    if (!type) throw new Refusal('storage_invalid_file')
    const storedName = makeStoredName()
    const stored = await blobStore.put(storedName, [image.bytes], STORED_MAX_BYTES)
    // Hostile bytes may control the image process: only these fields are used, and the type is
    // determined again.
    const { width, height, color } = image
    return { mimeType: `image/${type}`, width, height, color, storedName, ...stored }
  }
  const store = (isHeavy: boolean) =>
    imageQueue(() => read(isHeavy), caller, { isUpload: true, isHeavy })
  const columns = (await store(false)) ?? (await store(true))
  if (!columns) throw new Error('A heavy image was refused as heavy work')
  return columns
}

async function* readReceived(
  received: Pick<BlobStore, 'open'>,
  names: string[],
): AsyncIterable<Uint8Array> {
  for (const name of names) {
    const bytes = await received.open(name)
    // The client has replaced this chunk by sending it again: it may retry.
    if (!bytes)
      throw new Refusal('general_service_disabled', 'A chunk was sent again meanwhile.', {
        headers: { 'retry-after': '1' },
      })
    yield* bytes
  }
}

/**
 * The bytes of an image as they can be uploaded: a webp is converted.
 *
 * @returns undefined for another type
 * @throws Refusal `storage_invalid_file`, and as the queue
 */
export async function toUploadable(
  { imageQueue }: Pick<FilesContext, 'imageQueue'>,
  bytes: Buffer,
) {
  const type = findImageType(bytes)
  if (type) return { bytes, extension: type === 'jpeg' ? 'jpg' : type }
  if (!isWebp(bytes)) return undefined
  return imageQueue(() => runImageJob('convert', bytes, {}), {}, { isUpload: true, isHeavy: true })
}

/**
 * Checks and decodes an upload.
 *
 * @returns undefined for a heavy image if `mayBeHeavy` is false
 * @throws Refusal `storage_file_type_unsupported` for another type or an image beyond the limits,
 *   `storage_invalid_file` for a broken one
 */
export async function decodeUpload(
  bytes: Buffer,
  options: { extension: string; mayBeHeavy: boolean },
) {
  const image = await runImageJob('upload', bytes, options)
  if (!('refused' in image)) return image
  if (image.refused === 'heavy') return undefined
  const text = 'The image has too many pixels or frames.'
  throw new Refusal('storage_file_type_unsupported', image.refused === 'limits' ? text : undefined)
}
