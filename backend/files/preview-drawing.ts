// Draws one preview: crop, opacity, background, border, radius, rotation, in this order (api.md
// §4.4). Knows no file and no cache. Effects run one after another on raw pixels, because a single
// sharp pipeline has an order of its own.
import type { Sharp } from 'sharp'
import { type ImageFacts, movesAs } from './image-price.ts'
import { loadSharp, type WorkTime } from './image-work.ts'
import { decodeOptions } from './images.ts'
import {
  countEffects,
  GRAVITIES,
  type PreviewParams,
  type PreviewType,
  previewSize,
} from './preview-params.ts'

const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 }
const GIF_EFFORT = 4
/** Of a large one the colours are chosen with less care, else it takes longer than it may. */
const GIF_LARGE_PIXELS = 4_000_000
/** Of the time for a preview: what is left is enough for the first frame alone. */
const ANIMATION_TIME = 0.6

/** Pixels of one frame, four channels. */
type Pixels = { data: Buffer; width: number; height: number }

/** A stored image, with what its header says. */
export type StoredBytes = { bytes: Buffer; facts: ImageFacts; timing: Timing }

/** @throws Error of the decoder, or of the library when the time is over */
export async function drawPreview(
  { bytes, facts, timing }: StoredBytes,
  params: PreviewParams,
  type: PreviewType,
  time: WorkTime,
): Promise<Buffer> {
  const size = previewSize(params, facts)
  const { frames } = facts
  const isSame =
    size.width === facts.width && size.height === facts.height && countEffects(params) === 0
  // The stored file is safe to send as it is, so that it stays animated however long it is.
  if (frames > 1 && type === 'gif' && isSame) return bytes
  const look = { size, params, type }
  if (!movesAs(frames, size.width * size.height, type)) return await draw(bytes, look, time)
  const animationTime = time.part(ANIMATION_TIME)
  try {
    return await draw(bytes, look, animationTime, timing)
  } catch (error) {
    // Too much to encode within the time limit: the first frame is drawn instead.
    if (animationTime.isOver()) return await draw(bytes, look, time)
    throw error
  }
}

type Size = { width: number; height: number }
type Timing = { delay?: number[]; loop: number }
type Look = { size: Size; params: PreviewParams; type: PreviewType }

/** @param timing of an animation; without it only the first frame is drawn */
async function draw(bytes: Buffer, look: Look, time: WorkTime, timing?: Timing): Promise<Buffer> {
  const { size, params } = look
  const sharp = await loadSharp()
  const options = decodeOptions({ isAnimated: timing !== undefined })
  const cut = time.timed(sharp(bytes, options)).resize({
    ...size,
    fit: params.width && params.height ? 'cover' : 'fill',
    position: GRAVITIES[params.gravity],
  })
  if (countEffects(params) === 0) return await encode(cut, look)
  return await encode(await drawEffects(cut, size, params, time), look, timing)
}

/**
 * Applies the effects to each frame; sharp holds the frames of an animation one below the other.
 */
async function drawEffects(
  cut: Sharp,
  size: Size,
  params: PreviewParams,
  time: WorkTime,
): Promise<Sharp> {
  const sharp = await loadSharp()
  const { data, info } = await cut
    .ensureAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const frameBytes = size.width * size.height * info.channels
  const done: Pixels[] = []
  for (let at = 0; at + frameBytes <= data.length; at += frameBytes) {
    const frame = { data: data.subarray(at, at + frameBytes), ...size }
    done.push(await applyEffects(frame, params, time))
  }
  const [first] = done
  if (!first) throw new Error('The image has no frame')
  const raw = {
    width: first.width,
    height: first.height * done.length,
    channels: 4 as const,
    pageHeight: first.height,
  }
  return time.timed(
    sharp(done.length === 1 ? first.data : Buffer.concat(done.map((frame) => frame.data)), {
      raw,
      limitInputPixels: false,
    }),
  )
}

async function applyEffects(
  pixels: Pixels,
  params: PreviewParams,
  time: WorkTime,
): Promise<Pixels> {
  const { opacity, background, borderWidth, borderRadius, rotation } = params
  let now = pixels
  if (opacity < 1)
    now = await step(now, time, (image) => image.linear([1, 1, 1, opacity], [0, 0, 0, 0]))
  if (background) now = await step(now, time, (image) => image.flatten({ background }))
  if (borderWidth > 0) {
    const sides = { top: borderWidth, bottom: borderWidth, left: borderWidth, right: borderWidth }
    const border = params.borderColor ?? '#000000'
    now = await step(now, time, (image) => image.extend({ ...sides, background: border }))
  }
  if (borderRadius > 0)
    now = await step(now, time, (image) =>
      image.composite([{ input: roundedMask(now, borderRadius), blend: 'dest-in' }]),
    )
  if (rotation % 360 !== 0)
    now = await step(now, time, (image) =>
      image.rotate(rotation, { background: background ?? TRANSPARENT }),
    )
  return now
}

async function step(
  { data, width, height }: Pixels,
  time: WorkTime,
  change: (image: Sharp) => Sharp,
): Promise<Pixels> {
  const sharp = await loadSharp()
  const image = time.timed(
    sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false }),
  )
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
  { size, params: { quality, background }, type }: Look,
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
  if (type === 'gif') {
    const effort = size.width * size.height > GIF_LARGE_PIXELS ? 1 : GIF_EFFORT
    return await image.gif({ effort, ...timing }).toBuffer()
  }
  return await image.png().toBuffer()
}
