// Opens images with the image library, limited to the decoders for uploads. Decodes an upload to
// prove that it is a whole image, turns it upright and removes everything else. Runs in an image
// process (image-child.ts).
import sharp, { type Sharp } from 'sharp'
import { IMAGE_FRAME_MAX_PIXELS, IMAGE_SIDE_MAX_PIXELS } from '#contract/limits.ts'
import { type CleanContainer, cleanContainer, findImageType, isWebp } from './containers.ts'
import { isHeavyUpload } from './preview-params.ts'

const IMAGE_MAX_FRAMES = 300
/** Pixels of all frames together. */
const IMAGE_MAX_PIXELS = 150_000_000
/** Scans of a progressive jpeg: each of them decodes the whole image again. */
const IMAGE_MAX_SCANS = 100

// The decoders of uploads are png, jpeg and gif; svg is for logos and for masks that we draw, webp
// for imported pictures. `readImage` looks at the first bytes before any decoder does.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Png', 'Jpeg', 'Nsgif', 'Svg', 'Webp'].map((name) => `VipsForeignLoad${name}Buffer`),
})
// Each image is decoded once: a cache would only cost memory.
sharp.cache(false)
sharp.concurrency(1)

export { sharp }

/** Opens an uploaded or stored image; any warning is an error, and pixels are limited. */
export function openImage(bytes: Buffer, { isAnimated = false } = {}) {
  return sharp(bytes, {
    failOn: 'warning',
    sequentialRead: true,
    limitInputPixels: isAnimated ? IMAGE_MAX_PIXELS : IMAGE_FRAME_MAX_PIXELS,
    animated: isAnimated,
  })
}

/** Optimised coding would need the memory of all pixels a second time. */
const ROTATED_JPEG = { quality: 92, optimiseCoding: false } as const
/** How many samples each row gives: few, so that the whole image is decoded in little memory. */
const SAMPLES_PER_ROW = 32

/** `color` is the dominant colour, `#rrggbb`, or empty when there is none. */
type ImageDetails = { width: number; height: number; color: string }

/** `mayBeHeavy` says whether there is memory for a heavy image. */
type UploadOptions = { extension: string; mayBeHeavy: boolean }
type RefusedImage = { refused: 'type' | 'limits' | 'heavy'; bytes: Buffer }

/**
 * Decodes a whole upload. Before that, refuses it if its type does not match its extension, it has
 * too many pixels or frames, or it is heavy and `mayBeHeavy` is false.
 *
 * @param options `extension` as `readExtension` returned it
 * @returns `bytes` without metadata, upright
 * @throws Error of the decoder or {@link cleanContainer} when it is not whole
 * @source api.md §10.4, threat-model.md §8 "Uploads"
 */
export async function readImage(
  bytes: Buffer,
  { extension, mayBeHeavy }: UploadOptions,
): Promise<(ImageDetails & { bytes: Buffer }) | RefusedImage> {
  const refuse = (refused: RefusedImage['refused']) => ({ refused, bytes: Buffer.alloc(0) })
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
  // The colour of an animation is that of its first frame.
  const color = await dominantColor(await decodeSampled(clean, { width, height }))
  // The clean bytes have no EXIF orientation: it is read from the original ones.
  if (type === 'gif' || (await findOrientation(bytes)) <= 1)
    return { color, width, height, bytes: clean }
  const { data, info } = await encodeUpright(bytes, type).toBuffer({ resolveWithObject: true })
  const upright = Buffer.concat(cleanContainer(data, type).pieces)
  return { color, width: info.width, height: info.height, bytes: upright }
}

const CONVERTED_JPEG = { quality: 90 } as const

/** Turns a webp of another site into an image that can be uploaded; `readImage` then checks it. */
export async function convertWebp(bytes: Buffer) {
  if (!isWebp(bytes)) throw new Error('This is no webp')
  const { pages = 1, hasAlpha = false } = await openImage(bytes, { isAnimated: true }).metadata()
  const isAnimated = pages > 1 && pages <= IMAGE_MAX_FRAMES
  const image = openImage(bytes, { isAnimated })
  if (isAnimated) return { extension: 'gif', bytes: await image.gif().toBuffer() }
  if (hasAlpha) return { extension: 'png', bytes: await image.png().toBuffer() }
  return { extension: 'jpg', bytes: await image.jpeg(CONVERTED_JPEG).toBuffer() }
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
 * Decodes every row, which proves that the image is whole.
 *
 * @returns a few pixels of each row, for the dominant colour
 */
async function decodeSampled(bytes: Buffer, { width, height }: { width: number; height: number }) {
  const { data, info } = await openImage(bytes)
    .resize({ width: Math.min(SAMPLES_PER_ROW, width), height, fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}

/** Decodes every row of every frame with little memory: one pixel of each is extracted. */
async function decodeFrames(bytes: Buffer, height: number): Promise<void> {
  const animation = openImage(bytes, { isAnimated: true })
  await animation.extract({ left: 0, top: 0, width: 1, height }).raw().toBuffer()
}

/** The EXIF orientation; 1 is upright, also for broken metadata of an image that was decoded. */
async function findOrientation(bytes: Buffer): Promise<number> {
  const options = { failOn: 'none', limitInputPixels: IMAGE_FRAME_MAX_PIXELS } as const
  const header = await sharp(bytes, options)
    .metadata()
    .catch(() => undefined)
  return header?.orientation ?? 1
}

/** @param bytes the original, which has the orientation; its clean bytes were decoded strictly */
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
 * The most frequent colour, as sharp counts it: in 16 steps per channel, so each channel is off by
 * up to 8.
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
