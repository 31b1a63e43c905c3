// Draws one preview: crop, opacity, background, border, radius, rotation, in this order (api.md
// §4.4). Runs in an image process. Effects run one after another on raw pixels, because a single
// sharp pipeline has an order of its own.
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
/** Frames x pixels; beyond it only the first frame is drawn. */
const PREVIEW_ANIMATION_MAX_PIXELS = 12_000_000
/** A larger GIF is encoded with less effort, so that it is done in time. */
const GIF_LARGE_PIXELS = 4_000_000
/** The time that is left after it is enough for the first frame alone. */
const ANIMATION_MAX_SECONDS = 6

/** The pixels of one frame, in four channels. */
type Pixels = { data: Buffer; width: number; height: number }
type Look = {
  size: { width: number; height: number }
  params: PreviewParams
  type: PreviewType
  /** How an animation plays; without it only the first frame is drawn. */
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
  const isSame = size.width === width && size.height === height && countEffects(params) === 0
  // The stored file is safe to send as it is, so that it stays animated however long it is.
  if (frames > 1 && type === 'gif' && isSame) return { bytes }
  const look = { size, params, type }
  const pixels = frames * size.width * size.height
  const mayMove = frames > 1 && (type === 'gif' || type === 'webp')
  if (mayMove && pixels <= PREVIEW_ANIMATION_MAX_PIXELS)
    try {
      const timing = { ...(delay ? { delay } : {}), loop }
      return { bytes: await draw(bytes, { ...look, timing }) }
    } catch {
      // Too much to encode within the time limit: the first frame is drawn instead.
    }
  return { bytes: await draw(bytes, look) }
}

async function draw(bytes: Buffer, look: Look): Promise<Buffer> {
  const { size, params, timing } = look
  const cut = within(look, openImage(bytes, { isAnimated: timing !== undefined })).resize({
    ...size,
    fit: params.width && params.height ? 'cover' : 'fill',
    position: GRAVITIES[params.gravity],
  })
  if (countEffects(params) === 0) return await encode(cut, look)
  return await encode(await drawEffects(cut, look), look)
}

function within({ timing }: Look, image: Sharp): Sharp {
  return timing ? image.timeout({ seconds: ANIMATION_MAX_SECONDS }) : image
}

/**
 * Applies the effects to each frame; sharp holds the frames of an animation one below the other.
 */
async function drawEffects(cut: Sharp, look: Look): Promise<Sharp> {
  const { size, params } = look
  const { data, info } = await cut
    .ensureAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const frameBytes = size.width * size.height * info.channels
  const done: Pixels[] = []
  for (let at = 0; at + frameBytes <= data.length; at += frameBytes)
    done.push(await applyEffects({ data: data.subarray(at, at + frameBytes), ...size }, params))
  const [first] = done
  if (!first) throw new Error('The image has no frame')
  const raw = {
    width: first.width,
    height: first.height * done.length,
    channels: 4 as const,
    pageHeight: first.height,
  }
  const all = done.length === 1 ? first.data : Buffer.concat(done.map((frame) => frame.data))
  return within(look, sharp(all, { raw, limitInputPixels: false }))
}

async function applyEffects(pixels: Pixels, params: PreviewParams): Promise<Pixels> {
  const { opacity, background, borderWidth: border, borderRadius, rotation } = params
  let now = pixels
  if (opacity < 1) now = await step(now, (image) => image.linear([1, 1, 1, opacity], [0, 0, 0, 0]))
  if (background) now = await step(now, (image) => image.flatten({ background }))
  if (border > 0) {
    const sides = { top: border, bottom: border, left: border, right: border }
    const color = params.borderColor ?? '#000000'
    now = await step(now, (image) => image.extend({ ...sides, background: color }))
  }
  if (borderRadius > 0) {
    const input = roundedMask(now, borderRadius)
    now = await step(now, (image) => image.composite([{ input, blend: 'dest-in' }]))
  }
  if (rotation % 360 !== 0)
    now = await step(now, (image) =>
      image.rotate(rotation, { background: background ?? TRANSPARENT }),
    )
  return now
}

async function step({ data, width, height }: Pixels, change: (image: Sharp) => Sharp) {
  const image = sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false })
  const result = await change(image).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data: result.data, width: result.info.width, height: result.info.height }
}

function roundedMask({ width, height }: Pixels, radius: number): Buffer {
  const most = Math.min(radius, width / 2, height / 2)
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="${most}"/></svg>`,
  )
}

async function encode(image: Sharp, { size, params, type, timing }: Look): Promise<Buffer> {
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
