// Decides by decoding whether bytes are a picture we take, and makes of them what is stored: clean,
// upright, nothing after the end. Decoding is sharp's, off the main thread, a few at a time and
// never for long; containers.ts cuts without decoding.
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
import type { BoundedQueue } from '../process/bounded-queue.ts'
import {
  BrokenImage,
  type CleanContainer,
  cleanContainer,
  findImageType,
  type ImageType,
} from './containers.ts'
import { dominantColor, type Samples } from './dominant-color.ts'
import { decoding, loadSharp, timed } from './image-work.ts'

const ROTATED_JPEG_QUALITY = 92
/** Of every row, so that a whole decode holds only a sliver of memory. */
const SAMPLES_PER_ROW = 32

/** A picture as it is stored. `color` is the dominant one, `#rrggbb`, or empty when it has none. */
export type StoredImage = {
  mimeType: string
  width: number
  height: number
  frames: number
  color: string
  pieces: Buffer[]
}

/**
 * Takes or refuses an uploaded picture.
 *
 * @param extension as `readExtension` gave it; must agree with the content
 * @param runLarge  where a decode waits that holds a whole large picture in memory
 * @throws Refusal `storage_file_type_unsupported` for another type or a picture beyond the limits,
 *   `storage_invalid_file` for one that does not decode whole, `general_service_disabled` when
 *   decoding takes too long
 * @source api.md §10.4, threat-model.md §8 "Uploads"
 */
export async function readImage(
  bytes: Buffer,
  extension: string,
  runLarge: BoundedQueue,
): Promise<StoredImage> {
  const type = findImageType(bytes)
  if (type === undefined || type !== (extension === 'jpg' ? 'jpeg' : extension))
    throw new Refusal('storage_file_type_unsupported')
  const clean = tryClean(bytes, type)
  const whole =
    clean.pieces.length === 1 && clean.pieces[0] ? clean.pieces[0] : Buffer.concat(clean.pieces)
  const sharp = await loadSharp()
  const header = await decoding(() =>
    sharp(whole, { failOn: 'warning', limitInputPixels: false }).metadata(),
  )
  const height = header.pageHeight ?? header.height
  refuseBeyondLimits({ ...clean, width: header.width, height })
  const run: BoundedQueue = isLarge({ ...header, height }) ? runLarge : (work) => work()
  return await run(async () => {
    if (clean.frames > 1) await decoding(() => decodeFrames(whole, height))
    // Of a moving picture this is the first frame alone.
    const color = await decoding(async () =>
      dominantColor(await decodeSampled(whole, { width: header.width, height })),
    )
    const mimeType = `image/${type}`
    // Cleaning has dropped the note that says which way is up, so it is read from the original.
    const orientation = type === 'gif' ? 1 : await readOrientation(bytes)
    if (orientation <= 1)
      return {
        mimeType,
        width: header.width,
        height,
        frames: clean.frames,
        color,
        pieces: clean.pieces,
      }
    const { data, info } = await decoding(() => bakeOrientation(bytes, type))
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

/** Interlaced and progressive pictures are decoded as a whole, the others line by line. */
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

/** How every stored or uploaded picture is opened: strictly, and within the limits. */
export function readOptions({ isMoving }: { isMoving: boolean }): SharpOptions {
  return {
    failOn: 'warning',
    sequentialRead: true,
    limitInputPixels: isMoving ? IMAGE_MAX_PIXELS : IMAGE_FRAME_MAX_PIXELS,
    animated: isMoving,
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

function refuseBeyondLimits({
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
 * Every row, shrunk in width only: each line is decoded, and what the picture looks like comes of
 * the same work.
 */
async function decodeSampled(
  bytes: Buffer,
  { width, height }: { width: number; height: number },
): Promise<Samples> {
  const sharp = await loadSharp()
  const { data, info } = await timed(sharp(bytes, readOptions({ isMoving: false })))
    .resize({ width: Math.min(SAMPLES_PER_ROW, width), height, fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}

/**
 * One column of every row: each line of each frame is decoded, but only a sliver of memory is held.
 */
async function decodeFrames(bytes: Buffer, height: number): Promise<void> {
  const sharp = await loadSharp()
  await timed(sharp(bytes, readOptions({ isMoving: true })))
    .extract({ left: 0, top: 0, width: 1, height })
    .raw()
    .toBuffer()
}

/** 1 is upright. Broken metadata is none: the picture itself has decoded by now. */
async function readOrientation(bytes: Buffer): Promise<number> {
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

async function bakeOrientation(bytes: Buffer, type: ImageType) {
  const sharp = await loadSharp()
  const upright = timed(sharp(bytes, { ...readOptions({ isMoving: false }), failOn: 'error' }))
    .autoOrient()
    .keepIccProfile()
  const encoded =
    type === 'png'
      ? upright.png()
      : upright.jpeg({ quality: ROTATED_JPEG_QUALITY, chromaSubsampling: '4:4:4' })
  return await encoded.toBuffer({ resolveWithObject: true })
}
