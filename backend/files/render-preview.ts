// Draws one preview: crop, opacity, background, border, radius, rotation, in this order (api.md
// §4.4). Runs in an image process. Applies effects one after another to raw pixels, because a
// single sharp pipeline would apply them in its own order.
import type { Sharp } from 'sharp'
import { openImage, sharp } from './images.ts'
import {
  countEffects,
  GRAVITIES,
  type PreviewParams,
  type PreviewType,
  previewSize,
} from './preview-params.ts'

const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 }
const GIF_EFFORT = 4
/** Limit of frames x pixels; above it only the first frame is drawn. */
const PREVIEW_ANIMATION_MAX_PIXELS = 12_000_000
/** A larger gif is encoded with less effort, to stay within the time limit. */
const GIF_LARGE_PIXELS = 4_000_000
/** Leaves enough of the time limit to draw the first frame if the animation takes too long. */
const ANIMATION_MAX_SECONDS = 6

/** The pixels of one frame, in four channels. */
type Pixels = { data: Buffer; width: number; height: number }
type Rendering = {
  size: { width: number; height: number }
  params: PreviewParams
  type: PreviewType
  /** The timing of an animation; without it only the first frame is drawn. */
  timing?: { delay?: number[]; loop: number }
}

/** @throws Error of the decoder */
export async function renderPreview(
  bytes: Buffer,
  { params, type }: { params: PreviewParams; type: PreviewType },
): Promise<{ bytes: Buffer }> {
  const header = await openImage(bytes).metadata()
  const { width, pageHeight, pages: frames = 1, delay, loop = 0 } = header
  const height = pageHeight ?? header.height
  const size = previewSize(params, { width, height })
  const isUnchanged = size.width === width && size.height === height && countEffects(params) === 0
  // The stored file is safe to send, and stays animated whatever its length.
  if (frames > 1 && type === 'gif' && isUnchanged) return { bytes }
  const rendering = { size, params, type }
  const pixels = frames * size.width * size.height
  const mayBeAnimated = frames > 1 && (type === 'gif' || type === 'webp')
  if (mayBeAnimated && pixels <= PREVIEW_ANIMATION_MAX_PIXELS)
    try {
      const timing = { ...(delay ? { delay } : {}), loop }
      return { bytes: await draw(bytes, { ...rendering, timing }) }
    } catch {
      // Too much to encode within the time limit: the first frame is drawn instead.
    }
  return { bytes: await draw(bytes, rendering) }
}

async function draw(bytes: Buffer, rendering: Rendering): Promise<Buffer> {
  const { size, params, timing } = rendering
  const cropped = withTimeLimit(
    rendering,
    openImage(bytes, { isAnimated: timing !== undefined }),
  ).resize({
    ...size,
    fit: params.width && params.height ? 'cover' : 'fill',
    position: GRAVITIES[params.gravity],
  })
  if (countEffects(params) === 0) return await encode(cropped, rendering)
  return await encode(await drawEffects(cropped, rendering), rendering)
}

function withTimeLimit({ timing }: Rendering, image: Sharp): Sharp {
  return timing ? image.timeout({ seconds: ANIMATION_MAX_SECONDS }) : image
}

/**
 * Applies the effects to each frame. Sharp stacks the frames of an animation vertically.
 */
async function drawEffects(cropped: Sharp, rendering: Rendering): Promise<Sharp> {
  const { size, params } = rendering
  const { data, info } = await cropped
    .ensureAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const frameBytes = size.width * size.height * info.channels
  const frames: Pixels[] = []
  for (let at = 0; at + frameBytes <= data.length; at += frameBytes)
    frames.push(await applyEffects({ data: data.subarray(at, at + frameBytes), ...size }, params))
  const [first] = frames
  if (!first) throw new Error('The image has no frame')
  const raw = {
    width: first.width,
    height: first.height * frames.length,
    channels: 4 as const,
    pageHeight: first.height,
  }
  const stacked =
    frames.length === 1 ? first.data : Buffer.concat(frames.map((frame) => frame.data))
  return withTimeLimit(rendering, sharp(stacked, { raw, limitInputPixels: false }))
}

async function applyEffects(pixels: Pixels, params: PreviewParams): Promise<Pixels> {
  const { opacity, background, borderWidth: border, borderRadius, rotation } = params
  let current = pixels
  if (opacity < 1)
    current = await applyStep(current, (image) => image.linear([1, 1, 1, opacity], [0, 0, 0, 0]))
  if (background) current = await applyStep(current, (image) => image.flatten({ background }))
  if (border > 0) {
    const sides = { top: border, bottom: border, left: border, right: border }
    const color = params.borderColor ?? '#000000'
    current = await applyStep(current, (image) => image.extend({ ...sides, background: color }))
  }
  if (borderRadius > 0) {
    const input = roundedMask(current, borderRadius)
    current = await applyStep(current, (image) => image.composite([{ input, blend: 'dest-in' }]))
  }
  if (rotation % 360 !== 0)
    current = await applyStep(current, (image) =>
      image.rotate(rotation, { background: background ?? TRANSPARENT }),
    )
  return current
}

async function applyStep({ data, width, height }: Pixels, change: (image: Sharp) => Sharp) {
  const image = sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false })
  const result = await change(image).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data: result.data, width: result.info.width, height: result.info.height }
}

function roundedMask({ width, height }: Pixels, radius: number): Buffer {
  const maxRadius = Math.min(radius, width / 2, height / 2)
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="${maxRadius}"/></svg>`,
  )
}

async function encode(image: Sharp, { size, params, type, timing }: Rendering): Promise<Buffer> {
  const quality = Math.max(1, params.quality)
  if (type === 'jpeg')
    image.flatten({ background: params.background ?? '#ffffff' }).jpeg({ quality })
  else if (type === 'webp') image.webp({ quality, effort: 3, ...timing })
  else if (type === 'gif')
    image.gif({
      effort: size.width * size.height > GIF_LARGE_PIXELS ? 1 : GIF_EFFORT,
      ...timing,
    })
  else image.png()
  return await image.toBuffer()
}
