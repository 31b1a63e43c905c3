// Turns received bytes into a stored image: looked at and decoded in a process that draws, kept
// without metadata. Knows no row.

import { Refusal } from '#contract/errors.ts'
import { CONTENT_FILE_MAX_BYTES } from '#contract/limits.ts'
import type { QueueCaller } from '../process/bounded-queue.ts'
import { type BlobStore, makeStoredName, readWhole } from './blob-store.ts'
import { findImageType } from './containers.ts'
import type { Files } from './file-access.ts'
import { runImageJob } from './image-process.ts'

/** An image that was turned upright has been encoded again and may have grown. */
const KEPT_MAX_BYTES = 2 * CONTENT_FILE_MAX_BYTES

type KeepImageNeeds = Pick<Files, 'blobStore' | 'imageQueue'> & {
  /** Where the bytes wait. */
  received: Pick<BlobStore, 'open'>
}

/** `names` are those of the received bytes, in order; `sizeBytes` was announced by the client. */
type ReceivedImage = {
  names: string[]
  sizeBytes: number
  /** As `readExtension` gave it. */
  extension: string
}

/**
 * Checks all the bytes, then keeps the image that they hold. What turns out to be heavy only when
 * it has been read takes another turn.
 *
 * @returns what a row says about its bytes
 * @throws Refusal `storage_invalid_file_size` when there are more or fewer bytes than announced,
 *   and as the queue and {@link readUpload}
 */
export async function keepImage(needs: KeepImageNeeds, upload: ReceivedImage, caller: QueueCaller) {
  const { blobStore, received, imageQueue } = needs
  const { names, sizeBytes, extension } = upload
  const read = async (isHeavy: boolean) => {
    const bytes = await readWhole(readReceived(received, names))
    if (bytes.length !== sizeBytes)
      throw new Refusal(
        'storage_invalid_file_size',
        'The size of the file differs from the announced one.',
      )
    const image = await readUpload(bytes, { extension, mayBeHeavy: isHeavy })
    if (!image) return undefined
    const type = findImageType(image.bytes)
    if (!type) throw new Refusal('storage_invalid_file')
    const storedName = makeStoredName()
    const kept = await blobStore.put(storedName, [image.bytes], KEPT_MAX_BYTES)
    // Field by field, and the type by the bytes: the process has decoded hostile ones.
    const { width, height, color } = image
    return { mimeType: `image/${type}`, width, height, color, storedName, ...kept }
  }
  const keep = (isHeavy: boolean) =>
    imageQueue(() => read(isHeavy), caller, { isUpload: true, isHeavy })
  const done = (await keep(false)) ?? (await keep(true))
  if (!done) throw new Error('Heavy work was not done in the place for it')
  return done
}

async function* readReceived(
  received: KeepImageNeeds['received'],
  names: string[],
): AsyncIterable<Uint8Array> {
  for (const name of names) {
    const bytes = await received.open(name)
    // The chunk was sent again, and the new one has replaced it: the client may try once more.
    if (!bytes)
      throw new Refusal('general_service_disabled', 'A chunk was sent again meanwhile.', {
        headers: { 'retry-after': '1' },
      })
    yield* bytes
  }
}

/**
 * Looks at an upload and decodes it.
 *
 * @returns undefined for a heavy one that may not be
 * @throws Refusal `storage_file_type_unsupported` for another type or an image beyond the limits,
 *   `storage_invalid_file` for a broken one
 */
export async function readUpload(bytes: Buffer, order: { extension: string; mayBeHeavy: boolean }) {
  const image = await runImageJob('upload', bytes, order)
  if (!('refused' in image)) return image
  if (image.refused === 'heavy') return undefined
  const text = 'The image has too many pixels or frames.'
  throw new Refusal('storage_file_type_unsupported', image.refused === 'limits' ? text : undefined)
}
