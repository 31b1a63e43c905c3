// Draws one preview: crop, opacity, background, border, radius, rotation, in this order (api.md
// §4.4). Knows no file and no cache. Effects run one after another on raw pixels, because a single
// sharp pipeline has an order of its own.
import type { Sharp } from 'sharp'
import { IMAGE_LARGE_PIXELS, PREVIEW_ANIMATION_MAX_PIXELS } from '#contract/limits.ts'
import type { RunInQueue } from '../process/bounded-queue.ts'
import { isTimeout, loadSharp, timed } from './image-work.ts'
import { decodeOptions, isLarge } from './images.ts'
import {
  type Gravity,
  type PreviewParams,
  type PreviewType,
  previewSize,
} from './preview-params.ts'

const POSITION: Record<Gravity, string> = {
  center: 'centre',
  'top-left': 'left top',
  top: 'top',
  'top-right': 'right top',
  left: 'left',
  right: 'right',
  'bottom-left': 'left bottom',
  bottom: 'bottom',
  'bottom-right': 'right bottom',
}
const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 }
const GIF_EFFORT = 4

/** Pixels of one frame, four channels. */
type Pixels = { data: Buffer; width: number; height: number }

/**
 * @param bytes     a stored image
 * @param runLarge  the queue for drawing that holds a whole large image in memory
 * @throws Error of the decoder, or its timeout after 10 s
 */
export async function drawPreview(
  bytes: Buffer,
  params: PreviewParams,
  type: PreviewType,
  runLarge: RunInQueue,
): Promise<Buffer> {
  const sharp = await loadSharp()
  const header = await sharp(bytes, { limitInputPixels: false }).metadata()
  const original = { width: header.width, height: header.pageHeight ?? header.height }
  const size = previewSize(params, original)
  const frames = header.pages ?? 1
  const isSame =
    size.width === original.width && size.height === original.height && !hasEffects(params)
  // The stored file is safe to send as it is, so that it stays animated however long it is.
  if (frames > 1 && type === 'gif' && isSame) return bytes
  const isAnimated =
    frames > 1 &&
    (type === 'gif' || type === 'webp') &&
    frames * size.width * size.height <= PREVIEW_ANIMATION_MAX_PIXELS
  const isWhole =
    isLarge({ ...original, isProgressive: header.isProgressive }) ||
    (hasEffects(params) && size.width * size.height > IMAGE_LARGE_PIXELS)
  const run: RunInQueue = isWhole ? runLarge : (work) => work()
  const timing = { ...(header.delay ? { delay: header.delay } : {}), loop: header.loop ?? 0 }
  return await run(async () => {
    if (!isAnimated) return await draw(bytes, size, params, type)
    try {
      return await draw(bytes, size, params, type, timing)
    } catch (error) {
      // Too much to encode within the time limit: the first frame is drawn instead.
      if (isTimeout(error)) return await draw(bytes, size, params, type)
      throw error
    }
  })
}

type Size = { width: number; height: number }
type Timing = { delay?: number[]; loop: number }

/** @param timing of an animation; without it only the first frame is drawn */
async function draw(
  bytes: Buffer,
  size: Size,
  params: PreviewParams,
  type: PreviewType,
  timing?: Timing,
): Promise<Buffer> {
  const sharp = await loadSharp()
  const cut = timed(sharp(bytes, decodeOptions({ isAnimated: timing !== undefined }))).resize({
    ...size,
    fit: params.width && params.height ? 'cover' : 'fill',
    position: POSITION[params.gravity],
  })
  if (!hasEffects(params)) return await encode(cut, type, params)
  return await encode(await drawEffects(cut, size, params), type, params, timing)
}

/**
 * Applies the effects to each frame; sharp holds the frames of an animation one below the other.
 */
async function drawEffects(cut: Sharp, size: Size, params: PreviewParams): Promise<Sharp> {
  const sharp = await loadSharp()
  const { data, info } = await cut
    .ensureAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const frameBytes = size.width * size.height * info.channels
  const done: Pixels[] = []
  for (let at = 0; at + frameBytes <= data.length; at += frameBytes) {
    done.push(await applyEffects({ data: data.subarray(at, at + frameBytes), ...size }, params))
  }
  const [first] = done
  if (!first) throw new Error('The image has no frame')
  const raw = {
    width: first.width,
    height: first.height * done.length,
    channels: 4 as const,
    pageHeight: first.height,
  }
  return timed(
    sharp(done.length === 1 ? first.data : Buffer.concat(done.map((frame) => frame.data)), {
      raw,
      limitInputPixels: false,
    }),
  )
}

function hasEffects({
  opacity,
  background,
  borderWidth,
  borderRadius,
  rotation,
}: PreviewParams): boolean {
  return (
    opacity < 1 ||
    background !== undefined ||
    borderWidth > 0 ||
    borderRadius > 0 ||
    rotation % 360 !== 0
  )
}

async function applyEffects(pixels: Pixels, params: PreviewParams): Promise<Pixels> {
  const { opacity, background, borderWidth, borderRadius, rotation } = params
  let now = pixels
  if (opacity < 1) now = await step(now, (image) => image.linear([1, 1, 1, opacity], [0, 0, 0, 0]))
  if (background) now = await step(now, (image) => image.flatten({ background }))
  if (borderWidth > 0) {
    const border = {
      top: borderWidth,
      bottom: borderWidth,
      left: borderWidth,
      right: borderWidth,
      background: params.borderColor ?? '#000000',
    }
    now = await step(now, (image) => image.extend(border))
  }
  if (borderRadius > 0)
    now = await step(now, (image) =>
      image.composite([{ input: roundedMask(now, borderRadius), blend: 'dest-in' }]),
    )
  if (rotation % 360 !== 0)
    now = await step(now, (image) =>
      image.rotate(rotation, { background: background ?? TRANSPARENT }),
    )
  return now
}

async function step(
  { data, width, height }: Pixels,
  change: (image: Sharp) => Sharp,
): Promise<Pixels> {
  const sharp = await loadSharp()
  const image = timed(sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false }))
  const result = await change(image).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data: result.data, width: result.info.width, height: result.info.height }
}

function roundedMask({ width, height }: Pixels, radius: number): Buffer {
  const most = Math.min(radius, width / 2, height / 2)
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="${most}"/></svg>`,
  )
}

async function encode(
  image: Sharp,
  type: PreviewType,
  { quality, background }: PreviewParams,
  timing?: Timing,
): Promise<Buffer> {
  const atLeastOne = Math.max(1, quality)
  if (type === 'jpeg') {
    return await image
      .flatten({ background: background ?? '#ffffff' })
      .jpeg({ quality: atLeastOne })
      .toBuffer()
  }
  if (type === 'webp')
    return await image.webp({ quality: atLeastOne, effort: 3, ...timing }).toBuffer()
  if (type === 'gif') return await image.gif({ effort: GIF_EFFORT, ...timing }).toBuffer()
  return await image.png().toBuffer()
}
