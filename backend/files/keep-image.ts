// Turns received bytes into a stored image: decoded, cleaned, kept. Knows no row.
import { Refusal } from '#contract/errors.ts'
import { IMAGE_LARGE_BYTES } from './image-price.ts'
import { type ImageAsker, type ImageQueue, workInTurn } from './image-queue.ts'
import { inspectUpload, readImage } from './images.ts'
import { type Keeper, makeStoredName, readWhole } from './keeper.ts'

export type KeepImageNeeds = {
  /** Where stored images are kept. */
  keeper: Keeper
  /** Where the bytes wait. */
  received: Pick<Keeper, 'open'>
  imageQueue: ImageQueue
}

/** `names` are those of the received bytes, in order; `sizeBytes` was announced by the client. */
type ReceivedImage = {
  names: string[]
  sizeBytes: number
  maxBytes: number
  /** As `readExtension` gave it. */
  extension: string
}

/**
 * Checks all the bytes, then keeps the image that they hold.
 *
 * @returns what a row says about its bytes
 * @throws Refusal `storage_invalid_file_size` when there are more or fewer bytes than announced,
 *   and as `inspectUpload`, `workInTurn` and `readImage`
 */
export async function keepImage(
  { keeper, received, imageQueue }: KeepImageNeeds,
  { names, sizeBytes: announcedBytes, maxBytes, extension }: ReceivedImage,
  asker: ImageAsker,
) {
  const { finish, ...kept } = await workInTurn(imageQueue, asker, {
    kind: 'upload',
    guess: { cost: announcedBytes, isLarge: announcedBytes > IMAGE_LARGE_BYTES },
    async read() {
      const bytes = await readWhole(readReceived(received, names))
      if (bytes.length !== announcedBytes)
        throw new Refusal(
          'storage_invalid_file_size',
          'The size of the file differs from the announced one.',
        )
      return await inspectUpload(bytes, extension)
    },
    async work(uploaded, time) {
      const image = await readImage(uploaded, time)
      const { mimeType, width, height, color, pieces } = image
      const storedName = makeStoredName()
      // An image that was turned upright has been encoded again and may have grown.
      const keptMaxBytes = Math.max(maxBytes, announcedBytes) * 2
      const prepared = await keeper.prepare(storedName, pieces, keptMaxBytes)
      return { mimeType, width, height, color, storedName, ...prepared }
    },
  })
  // Only now: another server may take its time, and nobody has to wait for it.
  await finish()
  return kept
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
