// Decides by decoding whether uploaded bytes are an image that we accept, and makes the stored form
// of it: without metadata, upright, nothing after the end. sharp decodes, off the main thread;
// containers.ts removes metadata without decoding.
import type { SharpOptions } from 'sharp'
import { Refusal } from '#contract/errors.ts'
import {
  IMAGE_FRAME_MAX_PIXELS,
  IMAGE_LARGE_PIXELS,
  IMAGE_MAX_FRAMES,
  IMAGE_MAX_PIXELS,
  IMAGE_MAX_SCANS,
  IMAGE_SIDE_MAX_PIXELS,
} from '#contract/limits.ts'
import type { RunInQueue } from '../process/bounded-queue.ts'
import {
  BrokenImage,
  type CleanContainer,
  cleanContainer,
  findImageType,
  type ImageType,
} from './containers.ts'
import { dominantColor, type Samples } from './dominant-color.ts'
import { decodeOrRefuse, loadSharp, timed } from './image-work.ts'

const ROTATED_JPEG_QUALITY = 92
/** Of every row: the whole image is decoded, but little of it is in memory at a time. */
const SAMPLES_PER_ROW = 32

/** An image as it is stored. `color` is the dominant one, `#rrggbb`, or empty when it has none. */
export type StoredImage = {
  mimeType: string
  width: number
  height: number
  frames: number
  color: string
  pieces: Buffer[]
}

/**
 * Accepts or refuses an uploaded image.
 *
 * @param extension as `readExtension` gave it; must agree with the content
 * @param runLarge  the queue for decoding that holds a whole large image in memory
 * @throws Refusal `storage_file_type_unsupported` for another type or an image beyond the limits,
 *   `storage_invalid_file` for one that does not decode whole, `general_service_disabled` when
 *   decoding takes too long
 * @source api.md §10.4, threat-model.md §8 "Uploads"
 */
export async function readImage(
  bytes: Buffer,
  extension: string,
  runLarge: RunInQueue,
): Promise<StoredImage> {
  const type = findImageType(bytes)
  if (type === undefined || type !== (extension === 'jpg' ? 'jpeg' : extension))
    throw new Refusal('storage_file_type_unsupported')
  const clean = tryClean(bytes, type)
  const whole =
    clean.pieces.length === 1 && clean.pieces[0] ? clean.pieces[0] : Buffer.concat(clean.pieces)
  const sharp = await loadSharp()
  const header = await decodeOrRefuse(() =>
    sharp(whole, { failOn: 'warning', limitInputPixels: false }).metadata(),
  )
  const height = header.pageHeight ?? header.height
  refuseOversized({ ...clean, width: header.width, height })
  const run: RunInQueue = isLarge({ ...header, height }) ? runLarge : (work) => work()
  return await run(async () => {
    if (clean.frames > 1) await decodeOrRefuse(() => decodeFrames(whole, height))
    // Of an animation this is the first frame only.
    const color = await decodeOrRefuse(async () =>
      dominantColor(await decodeSampled(whole, { width: header.width, height })),
    )
    const mimeType = `image/${type}`
    // Cleaning has removed the EXIF orientation, so it is read from the original bytes.
    const orientation = type === 'gif' ? 1 : await findOrientation(bytes)
    if (orientation <= 1)
      return {
        mimeType,
        width: header.width,
        height,
        frames: clean.frames,
        color,
        pieces: clean.pieces,
      }
    const { data, info } = await decodeOrRefuse(() => encodeUpright(bytes, type))
    return {
      mimeType,
      width: info.width,
      height: info.height,
      frames: 1,
      color,
      pieces: tryClean(data, type).pieces,
    }
  })
}

/** Interlaced and progressive images are decoded as a whole, others line by line. */
export function isLarge({
  width,
  height,
  isProgressive = false,
}: {
  width: number
  height: number
  isProgressive?: boolean | undefined
}): boolean {
  return isProgressive && width * height > IMAGE_LARGE_PIXELS
}

/** How every uploaded or stored image is decoded: strictly, and within the limits. */
export function decodeOptions({ isAnimated }: { isAnimated: boolean }): SharpOptions {
  return {
    failOn: 'warning',
    sequentialRead: true,
    limitInputPixels: isAnimated ? IMAGE_MAX_PIXELS : IMAGE_FRAME_MAX_PIXELS,
    animated: isAnimated,
  }
}

function tryClean(bytes: Buffer, type: ImageType): CleanContainer {
  try {
    return cleanContainer(bytes, type)
  } catch (error) {
    if (error instanceof BrokenImage)
      throw new Refusal('storage_invalid_file', undefined, { cause: error })
    throw error
  }
}

function refuseOversized({
  width,
  height,
  frames,
  scans,
}: {
  width: number
  height: number
  frames: number
  scans: number
}): void {
  const pixels = width * height
  const isFine =
    width <= IMAGE_SIDE_MAX_PIXELS &&
    height <= IMAGE_SIDE_MAX_PIXELS &&
    pixels <= IMAGE_FRAME_MAX_PIXELS &&
    frames <= IMAGE_MAX_FRAMES &&
    pixels * frames <= IMAGE_MAX_PIXELS &&
    scans <= IMAGE_MAX_SCANS
  if (!isFine)
    throw new Refusal('storage_file_type_unsupported', 'The image has too many pixels or frames.')
}

/**
 * Decodes every row, which proves the image whole, and keeps a few pixels of each for the dominant
 * colour.
 */
async function decodeSampled(
  bytes: Buffer,
  { width, height }: { width: number; height: number },
): Promise<Samples> {
  const sharp = await loadSharp()
  const { data, info } = await timed(sharp(bytes, decodeOptions({ isAnimated: false })))
    .resize({ width: Math.min(SAMPLES_PER_ROW, width), height, fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}

/** Decodes every row of every frame and keeps one pixel of each, so that little memory is used. */
async function decodeFrames(bytes: Buffer, height: number): Promise<void> {
  const sharp = await loadSharp()
  await timed(sharp(bytes, decodeOptions({ isAnimated: true })))
    .extract({ left: 0, top: 0, width: 1, height })
    .raw()
    .toBuffer()
}

/** The EXIF orientation; 1 is upright. Broken metadata counts as upright: the image has decoded. */
async function findOrientation(bytes: Buffer): Promise<number> {
  const sharp = await loadSharp()
  try {
    return (
      (await sharp(bytes, { failOn: 'none', limitInputPixels: IMAGE_FRAME_MAX_PIXELS }).metadata())
        .orientation ?? 1
    )
  } catch {
    return 1
  }
}

async function encodeUpright(bytes: Buffer, type: ImageType) {
  const sharp = await loadSharp()
  const upright = timed(sharp(bytes, { ...decodeOptions({ isAnimated: false }), failOn: 'error' }))
    .autoOrient()
    .keepIccProfile()
  const encoded =
    type === 'png'
      ? upright.png()
      : upright.jpeg({ quality: ROTATED_JPEG_QUALITY, chromaSubsampling: '4:4:4' })
  return await encoded.toBuffer({ resolveWithObject: true })
}
