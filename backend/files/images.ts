// Proves by decoding that uploaded bytes are a whole image, and makes it upright. Runs in a process
// that draws (image-child.ts). containers.ts removes metadata without decoding.
import type { Sharp } from 'sharp'
import { IMAGE_FRAME_MAX_PIXELS } from '#contract/limits.ts'
import { cleanContainer, type ImageType } from './containers.ts'
import { openImage, sharp } from './image-library.ts'

/** Choosing codes for the pixels would hold all of them in memory once more. */
const ROTATED_JPEG = { quality: 92, optimiseCoding: false } as const
/** Of every row: the whole image is decoded, but little of it is in memory at a time. */
const SAMPLES_PER_ROW = 32

/** `color` is the dominant one, `#rrggbb`, or empty when it has none. */
export type ImageFacts = { width: number; height: number; color: string }

/**
 * Decodes an upload whole.
 *
 * @returns `bytes` when it had to be turned upright, else none: it is stored as it is, cleaned
 * @throws Error of the decoder when it is not whole
 * @source api.md §10.4, threat-model.md §8 "Uploads"
 */
export async function readImage(
  bytes: Buffer,
  { type }: { type: ImageType },
): Promise<ImageFacts & { bytes: Buffer }> {
  const { pieces, frames, width, height } = await cleanContainer(bytes, type)
  const clean = Buffer.concat(pieces)
  if (frames > 1) await decodeFrames(clean, height)
  // Of an animation this is the first frame only.
  const color = await dominantColor(await decodeSampled(clean, { width, height }))
  // Cleaning has removed the EXIF orientation, so it is read from the original bytes.
  if (type === 'gif' || (await findOrientation(bytes)) <= 1)
    return { width, height, color, bytes: Buffer.alloc(0) }
  const { data, info } = await encodeUpright(bytes, type).toBuffer({ resolveWithObject: true })
  const upright = await cleanContainer(data, type)
  return { width: info.width, height: info.height, color, bytes: Buffer.concat(upright.pieces) }
}

/**
 * Decodes every row, which proves the image whole, and keeps a few pixels of each for the dominant
 * colour.
 */
async function decodeSampled(
  bytes: Buffer,
  { width, height }: { width: number; height: number },
): Promise<Samples> {
  const { data, info } = await openImage(bytes)
    .resize({ width: Math.min(SAMPLES_PER_ROW, width), height, fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}

/** Decodes every row of every frame and keeps one pixel of each, so that little memory is used. */
async function decodeFrames(bytes: Buffer, height: number): Promise<void> {
  const animation = openImage(bytes, { isAnimated: true })
  await animation.extract({ left: 0, top: 0, width: 1, height }).raw().toBuffer()
}

/** The EXIF orientation; 1 is upright. Broken metadata counts as upright: the image has decoded. */
async function findOrientation(bytes: Buffer): Promise<number> {
  const options = { failOn: 'none', limitInputPixels: IMAGE_FRAME_MAX_PIXELS } as const
  const header = await sharp(bytes, options)
    .metadata()
    .catch(() => undefined)
  return header?.orientation ?? 1
}

function encodeUpright(bytes: Buffer, type: 'png' | 'jpeg'): Sharp {
  const upright = sharp(bytes, {
    failOn: 'error',
    sequentialRead: true,
    limitInputPixels: IMAGE_FRAME_MAX_PIXELS,
  })
    .autoOrient()
    .keepIccProfile()
  return type === 'png'
    ? upright.png()
    : upright.jpeg({ ...ROTATED_JPEG, chromaSubsampling: '4:4:4' })
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
  const stats = await sharp(data, { raw: { width, height, channels } }).stats()
  const alpha = channels === 2 || channels === 4 ? stats.channels.at(-1) : undefined
  if (alpha && alpha.min < OPAQUE_MIN) return ''
  const { r, g, b } = stats.dominant
  return `#${Buffer.from([r, g, b]).toString('hex')}`
}
