// Opens images with the image library, limited to the decoders that uploaded bytes may reach.
// Proves by decoding that an upload is a whole image, makes it upright and strips everything else.
// Runs in an image process (image-child.ts).
import sharp, { type Sharp } from 'sharp'
import { IMAGE_FRAME_MAX_PIXELS, IMAGE_SIDE_MAX_PIXELS } from '#contract/limits.ts'
import { type CleanContainer, cleanContainer, findImageType } from './containers.ts'
import { isHeavyUpload } from './preview-params.ts'

const IMAGE_MAX_FRAMES = 300
/** Pixels of all frames together. */
const IMAGE_MAX_PIXELS = 150_000_000
/** Scans of a progressive jpeg: each of them decodes the whole image again. */
const IMAGE_MAX_SCANS = 100

// Uploaded bytes reach png, jpeg and gif only; svg is for masks and drawings of our own.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Png', 'Jpeg', 'Nsgif', 'Svg'].map((name) => `VipsForeignLoad${name}Buffer`),
})
// Each image is decoded once, so that a cache would only cost memory.
sharp.cache(false)
sharp.concurrency(1)

export { sharp }

/** Opens an uploaded or stored image, strictly and within the limits. */
export function openImage(bytes: Buffer, { isAnimated = false } = {}) {
  return sharp(bytes, {
    failOn: 'warning',
    sequentialRead: true,
    limitInputPixels: isAnimated ? IMAGE_MAX_PIXELS : IMAGE_FRAME_MAX_PIXELS,
    animated: isAnimated,
  })
}

/** Optimised coding would hold all pixels in memory a second time. */
const ROTATED_JPEG = { quality: 92, optimiseCoding: false } as const
/** Every row is sampled: the whole image is decoded, with little of it in memory at a time. */
const SAMPLES_PER_ROW = 32

/** `color` is the dominant one, `#rrggbb`, or empty when it has none. */
type ImageFacts = { width: number; height: number; color: string }

/** `mayBeHeavy` says whether there is memory for a heavy image. */
type UploadOrder = { extension: string; mayBeHeavy: boolean }
type NoImage = { refused: 'type' | 'limits' | 'heavy'; bytes: Buffer }

/**
 * Decodes an upload whole, unless it is refused before: for another type than its extension says,
 * too many pixels or frames, or because it is heavy and must not be.
 *
 * @param order `extension` as `readExtension` gave it
 * @returns `bytes` without metadata, upright
 * @throws Error of the decoder or {@link cleanContainer} when it is not whole
 * @source api.md §10.4, threat-model.md §8 "Uploads"
 */
export async function readImage(
  bytes: Buffer,
  { extension, mayBeHeavy }: UploadOrder,
): Promise<(ImageFacts & { bytes: Buffer }) | NoImage> {
  const refuse = (refused: NoImage['refused']) => ({ refused, bytes: Buffer.alloc(0) })
  const type = findImageType(bytes)
  if (type === undefined || type !== (extension === 'jpg' ? 'jpeg' : extension))
    return refuse('type')
  const container = cleanContainer(bytes, type)
  if (!isWithinLimits(container)) return refuse('limits')
  const { pieces, frames, width, height } = container
  const pixels = width * height * frames
  if (!mayBeHeavy && isHeavyUpload({ sizeBytes: bytes.length, pixels })) return refuse('heavy')
  const clean = Buffer.concat(pieces)
  if (frames > 1) await decodeFrames(clean, height)
  // Only the first frame of an animation counts.
  const color = await dominantColor(await decodeSampled(clean, { width, height }))
  // Cleaning has removed the EXIF orientation, so it is read from the original bytes.
  if (type === 'gif' || (await findOrientation(bytes)) <= 1)
    return { color, width, height, bytes: clean }
  const { data, info } = await encodeUpright(bytes, type).toBuffer({ resolveWithObject: true })
  const upright = Buffer.concat(cleanContainer(data, type).pieces)
  return { color, width: info.width, height: info.height, bytes: upright }
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

/**
 * Decodes every row, which proves the image whole, and keeps a few pixels of each for the dominant
 * colour.
 */
async function decodeSampled(bytes: Buffer, { width, height }: { width: number; height: number }) {
  const { data, info } = await openImage(bytes)
    .resize({ width: Math.min(SAMPLES_PER_ROW, width), height, fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}

/** Decodes every row of every frame, keeping one pixel of each, so that little memory is used. */
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

/** Of the original bytes, which name the orientation; the clean ones have been decoded strictly. */
function encodeUpright(bytes: Buffer, type: 'png' | 'jpeg'): Sharp {
  const upright = sharp(bytes, {
    failOn: 'none',
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

/** Alpha from 0 to 255. Rounding leaves opaque pixels a little below 255. */
const OPAQUE_MIN = 250

/**
 * The most frequent colour, as sharp counts it: in 16 steps per channel, so each is up to 8 away
 * from that of the pixels.
 *
 * @returns `#rrggbb`; empty for an image with transparent pixels, which would show the colour
 */
export async function dominantColor({ data, width, height, channels }: Samples): Promise<string> {
  if (data.length === 0) return ''
  const stats = await sharp(data, { raw: { width, height, channels } }).stats()
  const alpha = channels === 2 || channels === 4 ? stats.channels.at(-1) : undefined
  if (alpha && alpha.min < OPAQUE_MIN) return ''
  const { r, g, b } = stats.dominant
  return `#${Buffer.from([r, g, b]).toString('hex')}`
}
