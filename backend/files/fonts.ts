// The bundled fonts, so that no font has to be installed. Each is split into files by ranges of
// letters; a file is read when a letter of it is first needed. Knows nothing of images.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Font } from 'fontkit'
import { LRUCache } from 'lru-cache'

export type FontFamily = {
  family: string
  /**
   * The width of the stroke, in ems, that makes all fonts equally bold: variable fonts are read at
   * their default weight.
   */
  strokeEms: number
}
export type FontFiles = {
  /** The font of this family that has all of these letters. */
  find(family: string, codePoints: readonly number[]): Promise<Font | undefined>
}

const STROKE = 0.024
/** For fonts whose default is their thinnest. */
const THIN_STROKE = 0.066
/** Latin, Greek, Cyrillic. */
export const LITERATA: FontFamily = { family: 'literata', strokeEms: STROKE }
/** The fonts of scripts that Literata lacks; other scripts have none. */
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
/** A file with its tables takes about a megabyte. */
const OPEN_FILES = 60

const { resolve } = createRequire(import.meta.url)

/** The family for the script of a letter; undefined where Literata is the one to ask. */
export function familyOf(letter: string): FontFamily | undefined {
  const [, family, strokeEms = STROKE] = FAMILIES.find(([script]) => script.test(letter)) ?? []
  return family === undefined ? undefined : { family, strokeEms }
}

export function makeFontFiles(load = loadFont): FontFiles {
  const fonts = new LRUCache<string, Promise<Font>>({ max: OPEN_FILES })
  const ranges = new Map<string, Promise<Subset[]>>()

  /** A font that could not be read is tried again the next time. */
  async function openFont(path: string): Promise<Font> {
    const loading = fonts.get(path) ?? load(path)
    fonts.set(path, loading)
    return await loading.catch((error: unknown) => {
      if (fonts.get(path) === loading) fonts.delete(path)
      throw error
    })
  }

  async function readRanges(family: string): Promise<Subset[]> {
    const reading = ranges.get(family) ?? readSubsets(family)
    ranges.set(family, reading)
    return await reading.catch((error: unknown) => {
      ranges.delete(family)
      throw error
    })
  }

  return {
    async find(family, codePoints) {
      for (const { name, ranges: within } of await readRanges(family)) {
        const mayHave = codePoints.every((one) =>
          within.some(([first, last]) => one >= first && one <= last),
        )
        if (!mayHave) continue
        const font = await openFont(
          resolve(`@fontsource-variable/${family}/files/${family}-${name}-wght-normal.woff2`),
        )
        if (codePoints.every((one) => font.hasGlyphForCodePoint(one))) return font
      }
      return undefined
    },
  }
}

type Subset = { name: string; ranges: [first: number, last: number][] }

/** The parts of a font, by the ranges that come with it: `"latin": "U+0000-00FF,U+0131"`. */
async function readSubsets(family: string): Promise<Subset[]> {
  const found: Record<string, string> = JSON.parse(
    await readFile(resolve(`@fontsource-variable/${family}/unicode.json`), 'utf8'),
  )
  return Object.entries(found).map(([subset, text]) => ({
    name: subset.replaceAll(/[[\]]/g, ''),
    ranges: text.split(',').map(readRange),
  }))
}

function readRange(range: string): [first: number, last: number] {
  const [first = Number.NaN, last = first] = range
    .replace(/^U\+/i, '')
    .split('-')
    .map((hex) => Number.parseInt(hex, 16))
  return [first, last]
}

/** @throws Error when the file cannot be read, or holds several fonts */
export async function loadFont(path: string): Promise<Font> {
  const { create } = await import('fontkit')
  const font = create(await readFile(path))
  if (!('glyphForCodePoint' in font)) throw new Error(`${path} holds more than one font`)
  return font
}
