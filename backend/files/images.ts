// Decides by decoding whether uploaded bytes are an image that we accept, and makes the stored form
// of it: without metadata, upright, nothing after the end. sharp decodes, off the main thread;
// containers.ts removes metadata without decoding.
import type { SharpOptions } from 'sharp'
import { Refusal } from '#contract/errors.ts'
import { IMAGE_FRAME_MAX_PIXELS, IMAGE_SIDE_MAX_PIXELS } from '#contract/limits.ts'
import {
  BrokenImage,
  type CleanContainer,
  cleanContainer,
  findImageType,
  type ImageType,
} from './containers.ts'
import { type ImageFacts, type ImagePrice, uploadPrice } from './image-price.ts'
import { decodeOrRefuse, loadSharp, startWorkTime, type WorkTime } from './image-work.ts'

const IMAGE_MAX_FRAMES = 300
/** Of all frames together. */
const IMAGE_MAX_PIXELS = 150_000_000
/** Scans of a progressive jpeg; each decodes the whole image again. */
const IMAGE_MAX_SCANS = 100

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

/** Received bytes whose header is an image's within the limits, and what checking them costs. */
export type UploadedImage = {
  bytes: Buffer
  clean: CleanContainer
  facts: ImageFacts
  orientation: number
  price: ImagePrice
}

/**
 * Looks at the header of an upload. Decodes no pixel.
 *
 * @param extension as `readExtension` gave it; must agree with the content
 * @throws Refusal `storage_file_type_unsupported` for another type or an image beyond the limits,
 *   `storage_invalid_file` for a broken one
 */
export async function inspectUpload(bytes: Buffer, extension: string): Promise<UploadedImage> {
  const type = findImageType(bytes)
  if (type === undefined || type !== (extension === 'jpg' ? 'jpeg' : extension))
    throw new Refusal('storage_file_type_unsupported')
  const clean = await tryClean(bytes, type)
  const sharp = await loadSharp()
  const time = startWorkTime()
  const header = await decodeOrRefuse(time, () =>
    sharp(wholeOf(clean), { failOn: 'warning', limitInputPixels: false }).metadata(),
  )
  const facts: ImageFacts = {
    type,
    sizeBytes: bytes.length,
    width: header.width,
    height: header.pageHeight ?? header.height,
    frames: clean.frames,
    isProgressive: header.isProgressive ?? false,
    scans: clean.scans,
  }
  refuseOversized(facts)
  // Cleaning has removed the EXIF orientation, so it is read from the original bytes.
  const orientation = type === 'gif' ? 1 : await findOrientation(bytes)
  const price = uploadPrice(facts, { isTurned: orientation > 1 })
  return { bytes, clean, facts, orientation, price }
}

/**
 * Decodes an upload whole, and makes the stored form of it.
 *
 * @throws Refusal `storage_invalid_file` for one that does not decode whole,
 *   `general_service_disabled` when decoding takes too long; the reason of the signal of `time`
 * @source api.md §10.4, threat-model.md §8 "Uploads"
 */
export async function readImage(
  { bytes, clean, facts, orientation }: UploadedImage,
  time: WorkTime,
): Promise<StoredImage> {
  const { type, width, height, frames } = facts
  const whole = wholeOf(clean)
  return await decodeOrRefuse(time, async () => {
    if (frames > 1) await decodeFrames(whole, height, time)
    // Of an animation this is the first frame only.
    const color = await dominantColor(await decodeSampled(whole, { width, height }, time))
    const mimeType = `image/${type}`
    if (orientation <= 1) return { mimeType, width, height, frames, color, pieces: clean.pieces }
    const { data, info } = await encodeUpright(bytes, type, time)
    const { pieces } = await tryClean(data, type)
    return { mimeType, width: info.width, height: info.height, frames: 1, color, pieces }
  })
}

function wholeOf({ pieces }: CleanContainer): Buffer {
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
}

/** What the header of a stored image says. @throws Error when it is none */
export async function inspectStored(bytes: Buffer) {
  const sharp = await loadSharp()
  const header = await sharp(bytes, { limitInputPixels: false }).metadata()
  const type = findImageType(bytes)
  if (!type) throw new Error('The stored bytes are no image')
  const isProgressive = header.isProgressive ?? false
  const facts: ImageFacts = {
    type,
    sizeBytes: bytes.length,
    width: header.width,
    height: header.pageHeight ?? header.height,
    frames: header.pages ?? 1,
    isProgressive,
    scans: isProgressive && type === 'jpeg' ? (await cleanContainer(bytes, type)).scans : 1,
  }
  const { delay, loop = 0 } = header
  return { bytes, facts, timing: { ...(delay ? { delay } : {}), loop } }
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

async function tryClean(bytes: Buffer, type: ImageType): Promise<CleanContainer> {
  try {
    return await cleanContainer(bytes, type)
  } catch (error) {
    if (error instanceof BrokenImage)
      throw new Refusal('storage_invalid_file', undefined, { cause: error })
    throw error
  }
}

function refuseOversized({ width, height, frames, scans }: ImageFacts): void {
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
  time: WorkTime,
): Promise<Samples> {
  const sharp = await loadSharp()
  const { data, info } = await time
    .timed(sharp(bytes, decodeOptions({ isAnimated: false })))
    .resize({ width: Math.min(SAMPLES_PER_ROW, width), height, fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}

/** Decodes every row of every frame and keeps one pixel of each, so that little memory is used. */
async function decodeFrames(bytes: Buffer, height: number, time: WorkTime): Promise<void> {
  const sharp = await loadSharp()
  await time
    .timed(sharp(bytes, decodeOptions({ isAnimated: true })))
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

async function encodeUpright(bytes: Buffer, type: ImageType, time: WorkTime) {
  const sharp = await loadSharp()
  const upright = time
    .timed(sharp(bytes, { ...decodeOptions({ isAnimated: false }), failOn: 'error' }))
    .autoOrient()
    .keepIccProfile()
  const encoded =
    type === 'png'
      ? upright.png()
      : upright.jpeg({ quality: ROTATED_JPEG_QUALITY, chromaSubsampling: '4:4:4' })
  return await encoded.toBuffer({ resolveWithObject: true })
}

/**
 * Pixels in rows: `channels` bytes each, grey or red, green, blue; the last one is alpha when there
 * are two or four.
 */
export type Samples = { data: Buffer; width: number; height: number; channels: 1 | 2 | 3 | 4 }

/** Alpha from 0 to 255; a little less than all is what rounding leaves of opaque pixels. */
const OPAQUE_MIN = 250

/**
 * The most frequent colour, as sharp counts it: in 16 steps per channel, so each is up to 8 away
 * from that of the pixels.
 *
 * @returns `#rrggbb`; empty when any pixel is see-through: a colour behind such an image would show
 */
export async function dominantColor({ data, width, height, channels }: Samples): Promise<string> {
  if (data.length === 0) return ''
  const sharp = await loadSharp()
  const stats = await sharp(data, { raw: { width, height, channels } }).stats()
  const alpha = channels === 2 || channels === 4 ? stats.channels.at(-1) : undefined
  if (alpha && alpha.min < OPAQUE_MIN) return ''
  const { r, g, b } = stats.dominant
  return `#${Buffer.from([r, g, b]).toString('hex')}`
}
