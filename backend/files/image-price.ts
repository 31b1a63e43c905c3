// What work on an image costs, known from its header before any pixel is decoded. Pure. The unit is
// the work of decoding one pixel of a plain jpeg, about 5 ns on one core.
import {
  countEffects,
  type PreviewParams,
  type PreviewType,
  previewSize,
} from './preview-params.ts'

/** A larger image that has to be in memory as a whole, or a larger preview, is worked on alone. */
const IMAGE_LARGE_PIXELS = 13_000_000
/** So is one in a larger file, since a few files are in memory at a time. */
export const IMAGE_LARGE_BYTES = 12 * 1024 * 1024
/** And one that costs more. The unit is the work of decoding one pixel of a plain jpeg. */
const IMAGE_LARGE_COST = 100_000_000
/** Frames x pixels of an animated preview; beyond it only the first frame is drawn. */
const PREVIEW_ANIMATION_MAX_PIXELS = 12_000_000

/** What a header tells; `scans` of a jpeg. */
export type ImageFacts = {
  type: 'png' | 'jpeg' | 'gif'
  sizeBytes: number
  width: number
  height: number
  frames: number
  /** Progressive or interlaced: in memory as a whole while it is decoded. */
  isProgressive: boolean
  scans: number
}

/** Large work is done one at a time, and never in the place of ordinary work. */
export type ImagePrice = { cost: number; isLarge: boolean }

const DECODE = { jpeg: 1, png: 2, gif: 5 } as const
const INTERLACED_PNG = 5
const PROGRESSIVE_JPEG = 1
/** Of each scan of a progressive jpeg. */
const SCAN = 0.15
const RESIZE = 3
const EFFECT = 10
const ENCODE = { jpeg: 2, png: 6, webp: 25, gif: 90 } as const
/** An SVG drawn, and encoded with a palette. */
const INITIALS = 16
/** Working a code out and reading its thousands of squares, or a flag's many lines: 20 ms. */
const ICON = 4_000_000
/** Setting the letters of a card, in a thread of its own: 50 ms. */
const CARD_LETTERS = 10_000_000

/** Of one preview, however it is answered from the store. */
export function previewPrice(
  facts: ImageFacts,
  params: PreviewParams,
  type: PreviewType,
): ImagePrice {
  const size = previewSize(params, facts)
  const pixels = size.width * size.height
  const frames = movesAs(facts.frames, pixels, type) ? facts.frames : 1
  const effects = countEffects(params)
  // One more for the way from the decoder to raw pixels.
  const each = RESIZE + ENCODE[type] + (effects > 0 ? EFFECT * (effects + 1) : 0)
  const cost = decodeCost(facts) * frames + pixels * frames * each
  return { cost, isLarge: isLarge(facts, cost) || pixels > IMAGE_LARGE_PIXELS }
}

/** Whether a preview shows all frames. */
export function movesAs(frames: number, pixels: number, type: PreviewType): boolean {
  return (
    frames > 1 &&
    (type === 'gif' || type === 'webp') &&
    frames * pixels <= PREVIEW_ANIMATION_MAX_PIXELS
  )
}

/** Of checking an upload. @param isTurned it is decoded and encoded again to be upright */
export function uploadPrice(facts: ImageFacts, { isTurned }: { isTurned: boolean }): ImagePrice {
  const pixels = facts.width * facts.height
  const decodings = 1 + (facts.frames > 1 ? facts.frames : 0) + (isTurned ? 1 : 0)
  const encoding = isTurned ? pixels * (RESIZE + ENCODE[facts.type]) : 0
  const cost = decodeCost(facts) * decodings + encoding
  return { cost, isLarge: isLarge(facts, cost) }
}

export function initialsPrice({ width, height }: { width: number; height: number }): ImagePrice {
  const cost = width * height * INITIALS
  return { cost, isLarge: cost > IMAGE_LARGE_COST }
}

/** Of a QR code or a flag: however small, much of the work is reading what is drawn. */
export function iconPrice(size: { width: number; height: number }): ImagePrice {
  const cost = ICON + initialsPrice(size).cost
  return { cost, isLarge: cost > IMAGE_LARGE_COST }
}

/** Of the card of a post, without the face on it. */
export function cardPrice(size: { width: number; height: number }): ImagePrice {
  return { cost: CARD_LETTERS + initialsPrice(size).cost, isLarge: false }
}

/** Of one frame. */
function decodeCost({ type, width, height, isProgressive, scans }: ImageFacts): number {
  const pixels = width * height
  if (!isProgressive) return pixels * DECODE[type]
  return pixels * (type === 'png' ? INTERLACED_PNG : PROGRESSIVE_JPEG + SCAN * scans)
}

function isLarge({ isProgressive, width, height, sizeBytes }: ImageFacts, cost: number): boolean {
  return (
    cost > IMAGE_LARGE_COST ||
    sizeBytes > IMAGE_LARGE_BYTES ||
    (isProgressive && width * height > IMAGE_LARGE_PIXELS)
  )
}
