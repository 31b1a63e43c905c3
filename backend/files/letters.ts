// Finds the outline of a letter in the bundled fonts. Each font is split into files by ranges of
// letters; a file is read when a letter of it is first needed. Knows nothing of images.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Font } from 'fontkit'

/**
 * Ems are multiples of the font size; `topEms` and `bottomEms` are the edges to centre between,
 * upwards from the baseline.
 */
export type FoundLetter = {
  letter: string
  /** SVG path data in units of the font, y upwards. */
  path: string
  unitsPerEm: number
  widthEms: number
  topEms: number
  bottomEms: number
  /**
   * The width of the stroke that makes all fonts equally bold: variable fonts are read at their
   * default weight.
   */
  strokeEms: number
}

const LITERATA = 'literata'
const STROKE = 0.024
/** For fonts whose default is their thinnest. */
const THIN_STROKE = 0.066
/** The fonts of scripts that Literata (Latin, Greek, Cyrillic) lacks; other scripts have none. */
const FAMILIES: [script: RegExp, family: string, strokeEms?: number][] = [
  [/\p{Script=Arabic}/u, 'noto-sans-arabic'],
  [/\p{Script=Hebrew}/u, 'noto-sans-hebrew', THIN_STROKE],
  [/\p{Script=Devanagari}/u, 'noto-sans-devanagari'],
  [/\p{Script=Bengali}/u, 'noto-sans-bengali'],
  [/\p{Script=Tamil}/u, 'noto-sans-tamil'],
  [/\p{Script=Thai}/u, 'noto-sans-thai'],
  [/\p{Script=Georgian}/u, 'noto-sans-georgian'],
  [/\p{Script=Armenian}/u, 'noto-sans-armenian'],
  [/\p{Script=Hangul}/u, 'noto-sans-kr', THIN_STROKE],
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u, 'noto-sans-sc', THIN_STROKE],
]

const { resolve } = createRequire(import.meta.url)

export function isRightToLeft(letter: string): boolean {
  return /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(letter)
}

/**
 * @returns finds a letter and keeps the fonts that it has opened; undefined for a letter that no
 *   bundled font has
 */
export function makeLetters(load = loadFont): (letter: string) => Promise<FoundLetter | undefined> {
  const fonts = new Map<string, Promise<Font>>()

  /** A font that could not be read is tried again the next time. */
  async function openFont(path: string): Promise<Font> {
    const loading = fonts.get(path) ?? load(path)
    fonts.set(path, loading)
    return await loading.catch((error: unknown) => {
      if (fonts.get(path) === loading) fonts.delete(path)
      throw error
    })
  }

  async function findFont(family: string, codePoint: number): Promise<Font | undefined> {
    for (const subset of await readSubsets(family, codePoint)) {
      const path = resolve(
        `@fontsource-variable/${family}/files/${family}-${subset}-wght-normal.woff2`,
      )
      const font = await openFont(path)
      if (font.hasGlyphForCodePoint(codePoint)) return font
    }
    return undefined
  }

  return async (letter) => {
    const [, family, strokeEms = STROKE] = FAMILIES.find(([script]) => script.test(letter)) ?? [
      undefined,
      LITERATA,
    ]
    const codePoint = letter.codePointAt(0) ?? 0
    const font = await findFont(family, codePoint)
    if (!font) return undefined
    const { advanceWidth, path, bbox } = font.glyphForCodePoint(codePoint)
    const { unitsPerEm } = font
    // Capitals share their height; letters of other scripts are centred by their own.
    const [bottom, top] = family === LITERATA ? [0, font.capHeight] : [bbox.minY, bbox.maxY]
    return {
      letter,
      path: path.toSVG(),
      unitsPerEm,
      widthEms: advanceWidth / unitsPerEm,
      strokeEms,
      topEms: top / unitsPerEm,
      bottomEms: bottom / unitsPerEm,
    }
  }
}

/**
 * The parts of a font that may have the letter, by the ranges that come with it: `"latin":
 * "U+0000-00FF,U+0131"`.
 */
async function readSubsets(family: string, codePoint: number): Promise<string[]> {
  const ranges: Record<string, string> = JSON.parse(
    await readFile(resolve(`@fontsource-variable/${family}/unicode.json`), 'utf8'),
  )
  return Object.entries(ranges)
    .filter(([, text]) => text.split(',').some((range) => isWithin(range, codePoint)))
    .map(([subset]) => subset.replaceAll(/[[\]]/g, ''))
}

function isWithin(range: string, codePoint: number): boolean {
  const [first = Number.NaN, last = first] = range
    .replace(/^U\+/i, '')
    .split('-')
    .map((hex) => Number.parseInt(hex, 16))
  return codePoint >= first && codePoint <= last
}

/** @throws Error when the file cannot be read, or holds several fonts */
export async function loadFont(path: string): Promise<Font> {
  const { create } = await import('fontkit')
  const font = create(await readFile(path))
  if (!('glyphForCodePoint' in font)) throw new Error(`${path} holds more than one font`)
  return font
}
