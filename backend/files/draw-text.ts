// Draws text with fonts from npm packages, not with those of the host. The image library shapes
// letters, orders bidirectional text and breaks lines.

import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { OverlayOptions } from 'sharp'
import { graphemesOf, truncateAtGrapheme } from '#contract/graphemes.ts'
import { normaliseUnicode } from '#contract/plain-text.ts'
import { sharp } from './images.ts'

/** Lengths are pixels, `color` is `#rrggbb`. */
export type TextStyle = {
  font: keyof typeof FONTS
  size: number
  lineHeight: number
  spacing?: number
  color: string
}
/** Cropped to the ink; `baseline` is the distance of the last baseline from the top. */
export type TextImage = { overlay: OverlayOptions; width: number; baseline: number; lines: number }

const FILES = [
  'literata/600SemiBold/Literata_600SemiBold.ttf',
  'inter/500Medium/Inter_500Medium.ttf',
  'noto-sans-arabic/600SemiBold/NotoSansArabic_600SemiBold.ttf',
  'noto-sans-hebrew/600SemiBold/NotoSansHebrew_600SemiBold.ttf',
]
/** The later families are fallbacks for characters that the first one lacks. */
const FONTS = {
  serif: 'Literata,Inter,Noto Sans Arabic,Noto Sans Hebrew SemiBold',
  sans: 'Inter,Literata,Noto Sans Arabic,Noto Sans Hebrew Medium',
} as const
/** The characters that these fonts can write. */
const WRITABLE = [
  /* Latin */ ' -~\\u00a1-\\u0254\\u02b0-\\u02ff\\u1e00-\\u1e9b\\u1e9d-\\u1eff',
  /* marks */ '\\u0300-\\u0304\\u0306-\\u030c\\u0323\\u0324\\u0326-\\u0328',
  /* Greek */ '\\u0384-\\u03d7\\u1f00-\\u1fff',
  /* Cyrillic */ '\\u0400-\\u0479\\u0480-\\u049d\\u04a0-\\u04ff',
  /* Hebrew, Arabic */ '\\u0591-\\u05f4\\u0600-\\u06ff\\u0750-\\u077f\\u200c',
  /* other */ '\\u2010-\\u2027\\u2030-\\u2055\\u2070-\\u208e\\u20a0-\\u20af\\u20b1-\\u20b5\\u20b8-\\u20ba',
  '\\u20bc\\u20bd\\u2116\\u2122\\u2126\\u2150-\\u217f\\u2190-\\u2199\\u2212\\u221e\\u2248\\u2260',
  '\\u2264\\u2265\\u2605\\u2713\\u2764',
]
const UNWRITABLE = new RegExp(`[^${WRITABLE.join('')}]`, 'gu')
const TEXT_MAX_CHARS = 300
type Lines = { width: number; wrap: 'word' | 'word-char' }
type Ink = Pick<TextStyle, 'font' | 'size' | 'color'>
/** The share of a text that remains after each attempt to fit it. */
const REMAINING_SHARE = 0.9
const WIDTH_SHARES = [0.6, 0.7, 0.8, 0.9]
const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const { resolve } = createRequire(import.meta.url)

let loading: Promise<void> | undefined

/** Reads each font once; the library caches it. */
async function loadFonts(): Promise<void> {
  // Otherwise the library searches the fonts of the host, and fails on a host without fonts.
  process.env.FONTCONFIG_FILE ??= fileURLToPath(new URL('./fonts.conf', import.meta.url))
  for (const file of FILES) {
    const fontfile = resolve(`@expo-google-fonts/${file}`)
    await sharp({ text: { text: '.', fontfile } })
      .raw()
      .toBuffer()
  }
}

/**
 * The text in one line, without symbols that our fonts lack, such as emoji.
 *
 * @returns undefined when our fonts lack one of its letters, or when no text is left
 */
export function toWritable(text: string): string | undefined {
  const clean = normaliseUnicode(truncateAtGrapheme(text.toWellFormed(), TEXT_MAX_CHARS))
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    // More marks on one letter would exceed the image.
    .replaceAll(/(\p{M}{3})\p{M}+|[\u00ad\p{Cn}]/gu, '$1')
    .replaceAll(UNWRITABLE, (character) => (/[\p{L}\p{N}]/u.test(character) ? '\ufffd' : ''))
    .replaceAll(/ {2,}/g, ' ')
    .trim()
  return clean.includes('\ufffd') || !/[\p{L}\p{N}\p{P}\p{S}]/u.test(clean) ? undefined : clean
}

/** Whether a text is read from right to left: its first letter decides. */
export function isRightToLeft(text: string): boolean {
  return /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text)
}

/**
 * A text in one line, cropped to its ink.
 *
 * @param text as {@link toWritable} returned it
 */
export function drawInk(text: string, ink: Ink) {
  return drawMarkup(escapeMarkup(text), ink)
}

async function drawMarkup(markup: string, { font, size, color, ...lines }: Ink & Partial<Lines>) {
  loading ??= loadFonts().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  await loading
  const text = `<span foreground="${color}">${markup}</span>`
  const image = sharp({
    text: { text, font: `${FONTS[font]} ${size}`, rgba: true, dpi: 72, ...lines },
  })
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  return { input: data, raw: info }
}

function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => ESCAPED[character] ?? '')
}

/** @param text as {@link toWritable} returned it */
async function drawLines(text: string, style: TextStyle, lines: Lines): Promise<TextImage> {
  const { font, size, lineHeight, spacing = 0, color } = style
  // An invisible full stop on an extra line: the image is cropped at its baseline.
  const end = `\n${isRightToLeft(text) ? '\u200f' : ''}<span alpha="1">.</span>`
  const attributes = `line_height="${lineHeight * 1024}" letter_spacing="${Math.round(spacing * 1024)}"`
  const markup = `<span ${attributes}>${escapeMarkup(text)}${end}</span>`
  const image = await drawMarkup(markup, { font, size, color, ...lines })
  const { width, height } = image.raw
  return {
    overlay: image,
    width,
    baseline: height - lineHeight,
    lines: Math.floor(height / lineHeight),
  }
}

/**
 * The text in lines of about equal width; a text that does not fit is cut, and ends in "…".
 *
 * @param text as {@link toWritable} returned it
 */
export async function fitText(
  text: string,
  style: TextStyle,
  room: { width: number; lines: number },
): Promise<TextImage & { isCut: boolean }> {
  let shown = text
  let graphemes = graphemesOf(text)
  const fullWidth = { width: room.width, wrap: 'word-char' } as const
  let best = await drawLines(shown, style, fullWidth)
  while (best.lines > room.lines) {
    graphemes = graphemes.slice(0, Math.floor(graphemes.length * REMAINING_SHARE))
    shown = `${graphemes.join('').trimEnd()}…`
    best = await drawLines(shown, style, fullWidth)
  }
  const isCut = shown !== text
  for (const share of best.lines > 1 ? WIDTH_SHARES : []) {
    const width = Math.round(room.width * share)
    const narrow = await drawLines(shown, style, { width, wrap: 'word' })
    if (narrow.lines === best.lines && narrow.width <= width) return { ...narrow, isCut }
  }
  return { ...best, isCut }
}
