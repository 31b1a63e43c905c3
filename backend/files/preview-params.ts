// Reads the parameters of a preview (api.md §4.4). Pure functions.
import Type from 'typebox'
import { invalidParam } from '#contract/errors.ts'

/** Limits of the parameters (api.md §4.4). */
const PREVIEW_SIDE_MAX_PIXELS = 4000
const PREVIEW_MAX_PIXELS = 16_000_000
const PREVIEW_BORDER_MAX_PIXELS = 100
/** Percent (api.md §4.4). Our own pages always request less. */
const PREVIEW_QUALITY_DEFAULT = 100

/** The values of `gravity` with the names that the image library has for them. */
export const GRAVITIES = {
  center: 'centre',
  'top-left': 'left top',
  top: 'top',
  'top-right': 'right top',
  left: 'left',
  right: 'right',
  'bottom-left': 'left bottom',
  bottom: 'bottom',
  'bottom-right': 'right bottom',
} as const
const OUTPUTS = ['jpg', 'jpeg', 'png', 'gif', 'webp'] as const

const side = Type.Optional(Type.Integer({ minimum: 0, maximum: PREVIEW_SIDE_MAX_PIXELS }))
const text = Type.Optional(Type.String())

/** For the description of the API only; `readPreviewParams` validates. */
export const PreviewQuery = Type.Object({
  width: side,
  height: side,
  borderWidth: Type.Optional(Type.Integer({ minimum: 0, maximum: PREVIEW_BORDER_MAX_PIXELS })),
  borderColor: text,
  borderRadius: side,
  background: text,
  gravity: Type.Optional(Type.Enum(Object.keys(GRAVITIES))),
  quality: Type.Optional(Type.Integer({ minimum: -1, maximum: 100 })),
  opacity: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  rotation: Type.Optional(Type.Integer({ minimum: -360, maximum: 360 })),
  output: Type.Optional(Type.Enum([...OUTPUTS])),
})

type Gravity = keyof typeof GRAVITIES
export type PreviewType = 'jpeg' | 'png' | 'gif' | 'webp'

/**
 * Sizes are pixels, 0 if not requested; colours are `#rrggbb`; `type` is undefined for the type of
 * the file.
 */
export type PreviewParams = {
  width: number
  height: number
  gravity: Gravity
  quality: number
  borderWidth: number
  borderColor: string | undefined
  borderRadius: number
  opacity: number
  rotation: number
  background: string | undefined
  type: PreviewType | undefined
  /** The type depends on the request's `Accept`. */
  isNegotiated: boolean
}

/**
 * @param accept the request's `Accept`: if it lacks image/webp, a webp becomes a jpeg
 * @throws Refusal `general_argument_invalid`, in the declared order
 */
export function readPreviewParams(from: Record<string, unknown>, accept?: string): PreviewParams {
  return {
    width: parseNumber(from, 'width', { min: 0, max: PREVIEW_SIDE_MAX_PIXELS }) ?? 0,
    height: parseNumber(from, 'height', { min: 0, max: PREVIEW_SIDE_MAX_PIXELS }) ?? 0,
    gravity: parseOneOf(from, 'gravity', Object.keys(GRAVITIES) as Gravity[]) ?? 'center',
    quality: parseQuality(from),
    borderWidth: parseNumber(from, 'borderWidth', { min: 0, max: PREVIEW_BORDER_MAX_PIXELS }) ?? 0,
    borderColor: parseColor(from, 'borderColor'),
    borderRadius: parseNumber(from, 'borderRadius', { min: 0, max: PREVIEW_SIDE_MAX_PIXELS }) ?? 0,
    opacity:
      parseNumber(from, 'opacity', { min: 0, max: 1 }, /^(?:\d+(?:\.\d{0,9})?|\.\d{1,9})$/) ?? 1,
    rotation: parseNumber(from, 'rotation', { min: -360, max: 360 }) ?? 0,
    background: parseColor(from, 'background'),
    ...parseOutput(from, accept),
  }
}

/**
 * The size of the image before border and rotation.
 *
 * @throws Refusal `general_argument_invalid` when a single requested side results in more than 16
 *   megapixels
 */
export function previewSize(
  requested: { width: number; height: number },
  original: { width: number; height: number },
): { width: number; height: number } {
  const ratio = original.width / original.height
  const side = (pixels: number) => Math.max(1, Math.floor(pixels))
  if (requested.width && requested.height)
    return { width: requested.width, height: requested.height }
  if (!requested.width && !requested.height) {
    const shrink = Math.min(1, Math.sqrt(PREVIEW_MAX_PIXELS / (original.width * original.height)))
    return { width: side(original.width * shrink), height: side(original.height * shrink) }
  }
  const size = requested.width
    ? { width: requested.width, height: side(requested.width / ratio) }
    : { width: side(requested.height * ratio), height: requested.height }
  if (size.width * size.height > PREVIEW_MAX_PIXELS) {
    throw invalidParam(
      requested.width ? 'width' : 'height',
      'The preview would have more than 16 megapixels',
    )
  }
  return size
}

/** The number of effects that change more than the size of the image. */
export function countEffects({ opacity, background, ...params }: PreviewParams): number {
  const { borderWidth, borderRadius, rotation } = params
  const isFramed = [background !== undefined, borderWidth > 0, borderRadius > 0]
  return [opacity < 1, ...isFramed, rotation % 360 !== 0].filter(Boolean).length
}

/** The type of the response: the requested one, else the file's own. */
export function previewType(
  { mimeType }: { mimeType: string },
  { type }: PreviewParams,
): PreviewType {
  return type ?? (mimeType.slice('image/'.length) as 'png' | 'jpeg' | 'gif')
}

/** Images with more pixels or bytes are heavy to decode. A jpeg needs less memory than others. */
const LIGHT_MAX_PIXELS = 13_000_000
const LIGHT_JPEG_MAX_PIXELS = 25_000_000
const LIGHT_MAX_BYTES = 12 * 2 ** 20
/** Previews with more pixels are heavy; each effect counts all pixels again. Our pages use none. */
const LIGHT_DRAWN_MAX_PIXELS = 4_000_000

/** Whether the job of an upload is heavy: only one such job runs at a time (decision 0068). */
export function isHeavyUpload({ sizeBytes, pixels }: { sizeBytes: number; pixels: number }) {
  return sizeBytes > LIGHT_MAX_BYTES || pixels > LIGHT_MAX_PIXELS
}

/**
 * As {@link isHeavyUpload} for a preview. A gif counts as heavy, because its number of frames is
 * unknown before it is read.
 *
 * @throws as {@link previewSize}
 */
export function isHeavyPreview(
  original: { mimeType: string; sizeBytes: number; width: number; height: number },
  params: PreviewParams,
): boolean {
  const { mimeType, sizeBytes } = original
  const { width, height } = previewSize(params, original)
  const maxPixels = mimeType === 'image/jpeg' ? LIGHT_JPEG_MAX_PIXELS : LIGHT_MAX_PIXELS
  return (
    (mimeType === 'image/gif' && ['gif', 'webp'].includes(previewType(original, params))) ||
    width * height * (1 + countEffects(params)) > LIGHT_DRAWN_MAX_PIXELS ||
    original.width * original.height > maxPixels ||
    sizeBytes > LIGHT_MAX_BYTES
  )
}

/**
 * @param rule the message when the value breaks it
 * @param read returns undefined for a value that breaks the rule
 * @returns undefined when absent or empty
 * @throws Refusal `general_argument_invalid` with the rule
 */
function parse<Value>(
  from: Record<string, unknown>,
  name: string,
  rule: string,
  read: (text: string) => Value | undefined,
): Value | undefined {
  const text = Object.hasOwn(from, name) ? from[name] : undefined
  if (text === undefined || text === '') return undefined
  const value = typeof text === 'string' ? read(text) : undefined
  if (value === undefined) throw invalidParam(name, rule)
  return value
}

/** @param range both ends inclusive. @returns, @throws as {@link parse} */
export function parseNumber(
  from: Record<string, unknown>,
  name: string,
  { min, max }: { min: number; max: number },
  pattern = /^-?\d{1,9}$/,
): number | undefined {
  const [first, last] = [min, max].map((bound) => String(bound).replace(/\d(?=\d{3}$)/, '$&,'))
  return parse(from, name, `Value must be a valid range between ${first} and ${last}`, (text) => {
    const value = pattern.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  })
}

/** A text of at most `maxChars` characters. @returns, @throws as {@link parse} */
export function parseText(
  from: Record<string, unknown>,
  name: string,
  { maxChars, rule }: { maxChars: number; rule: string },
): string | undefined {
  return parse(from, name, rule, (text) => (text.length <= maxChars ? text : undefined))
}

/** Newer clients send -1 for the default. */
function parseQuality(from: Record<string, unknown>): number {
  const quality =
    from.quality === '-1' ? -1 : (parseNumber(from, 'quality', { min: 0, max: 100 }) ?? -1)
  return quality === -1 ? PREVIEW_QUALITY_DEFAULT : quality
}

function parseOneOf<Value extends string>(
  from: Record<string, unknown>,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const rule = `Value must be one of (${values.join(', ')})`
  return parse(from, name, rule, (text) => values.find((value) => value === text))
}

/** @returns `#rrggbb`. @throws Refusal `general_argument_invalid` */
export function parseColor(from: Record<string, unknown>, name: string): string | undefined {
  const rule = 'Value must be a valid Hex code without the # symbol'
  return parse(from, name, rule, (text) => {
    if (!/^(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text)) return undefined
    return `#${(text.length === 3 ? text.replace(/./g, '$&$&') : text).toLowerCase()}`
  })
}

function parseOutput(
  from: Record<string, unknown>,
  accept: string | undefined,
): { type: PreviewType | undefined; isNegotiated: boolean } {
  const output = parseOneOf(from, 'output', OUTPUTS)
  if (output === 'webp')
    return { type: accept?.includes('image/webp') ? 'webp' : 'jpeg', isNegotiated: true }
  return { type: output === 'jpg' ? 'jpeg' : output, isNegotiated: false }
}
