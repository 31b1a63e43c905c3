// Turns received bytes into a stored image: looked at, decoded in a process that draws, kept
// without metadata. Knows no row.
import { Refusal } from '#contract/errors.ts'
import { IMAGE_FRAME_MAX_PIXELS, IMAGE_SIDE_MAX_PIXELS } from '#contract/limits.ts'
import { BrokenImage, type CleanContainer, cleanContainer, findImageType } from './containers.ts'
import { runImageJob } from './image-process.ts'
import type { ImageAsker, ImageQueue } from './image-queue.ts'
import { type Keeper, makeStoredName, readWhole } from './keeper.ts'
import { isHeavyUpload } from './preview-params.ts'

const IMAGE_MAX_FRAMES = 300
/** Of all frames together. */
const IMAGE_MAX_PIXELS = 150_000_000
/** Scans of a progressive jpeg; each decodes the whole image again. */
const IMAGE_MAX_SCANS = 100

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
 * Checks all the bytes, then keeps the image that they hold. What turns out to be heavy only when
 * it has been read takes another turn.
 *
 * @returns what a row says about its bytes
 * @throws Refusal `storage_invalid_file_size` when there are more or fewer bytes than announced,
 *   and as `inspectUpload`, the queue and `runImageJob`
 */
export async function keepImage(
  { keeper, received, imageQueue }: KeepImageNeeds,
  { names, sizeBytes, maxBytes, extension }: ReceivedImage,
  asker: ImageAsker,
) {
  const keep = (isHeavy: boolean) =>
    imageQueue(
      async () => {
        const bytes = await readWhole(readReceived(received, names))
        if (bytes.length !== sizeBytes)
          throw new Refusal(
            'storage_invalid_file_size',
            'The size of the file differs from the announced one.',
          )
        const { type, clean } = await inspectUpload(bytes, extension)
        const { width, height, frames } = clean
        if (!isHeavy && isHeavyUpload({ sizeBytes, pixels: width * height * frames }))
          return undefined
        const image = await runImageJob('upload', bytes, { type })
        const pieces = image.bytes.length > 0 ? [image.bytes] : clean.pieces
        const storedName = makeStoredName()
        // An image that was turned upright has been encoded again and may have grown.
        const keptMaxBytes = Math.max(maxBytes, sizeBytes) * 2
        const prepared = await keeper.prepare(storedName, pieces, keptMaxBytes)
        // Field by field: what the process says comes from where hostile bytes were decoded.
        const facts = { width: image.width, height: image.height, color: image.color }
        return { mimeType: `image/${type}`, ...facts, storedName, ...prepared }
      },
      asker,
      { isUpload: true, isHeavy },
    )
  const done = (await keep(false)) ?? (await keep(true))
  if (!done) throw new Error('Heavy work was not done in the place for it')
  const { finish, ...kept } = done
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

/**
 * Looks at the parts of an upload. Decodes no pixel.
 *
 * @param extension as `readExtension` gave it; must agree with the content
 * @throws Refusal `storage_file_type_unsupported` for another type or an image beyond the limits,
 *   `storage_invalid_file` for a broken one
 */
export async function inspectUpload(bytes: Buffer, extension: string) {
  const type = findImageType(bytes)
  if (type === undefined || type !== (extension === 'jpg' ? 'jpeg' : extension))
    throw new Refusal('storage_file_type_unsupported')
  const clean = await cleanContainer(bytes, type).catch((cause: unknown) => {
    throw cause instanceof BrokenImage
      ? new Refusal('storage_invalid_file', undefined, { cause })
      : cause
  })
  if (!isWithinLimits(clean))
    throw new Refusal('storage_file_type_unsupported', 'The image has too many pixels or frames.')
  return { type, clean }
}

function isWithinLimits({ width, height, frames, scans }: CleanContainer): boolean {
  const pixels = width * height
  return (
    width <= IMAGE_SIDE_MAX_PIXELS &&
    height <= IMAGE_SIDE_MAX_PIXELS &&
    pixels <= IMAGE_FRAME_MAX_PIXELS &&
    frames <= IMAGE_MAX_FRAMES &&
    pixels * frames <= IMAGE_MAX_PIXELS &&
    scans <= IMAGE_MAX_SCANS
  )
}
