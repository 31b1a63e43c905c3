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
export type FontFiles = ReturnType<typeof makeFontFiles>

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

/** What could not be read is tried again the next time. */
export function makeFontFiles(load = loadFont) {
  const fonts = new LRUCache<string, Promise<Font>>({ max: OPEN_FILES })
  const ranges = new Map<string, Promise<Subset[]>>()

  function once<Read>(kept: Kept<Read>, key: string, read: (key: string) => Promise<Read>) {
    const reading = kept.get(key) ?? read(key)
    kept.set(key, reading)
    return reading.catch((error: unknown) => {
      if (kept.get(key) === reading) kept.delete(key)
      throw error
    })
  }

  return {
    /** The font of this family that has all of these letters. */
    async find(family: string, codePoints: readonly number[]): Promise<Font | undefined> {
      for (const { name, ranges: within } of await once(ranges, family, readSubsets)) {
        const mayHave = codePoints.every((one) =>
          within.some(([first, last]) => one >= first && one <= last),
        )
        if (!mayHave) continue
        const file = `${family}/files/${family}-${name}-wght-normal.woff2`
        const font = await once(fonts, resolve(`@fontsource-variable/${file}`), load)
        if (codePoints.every((one) => font.hasGlyphForCodePoint(one))) return font
      }
      return undefined
    },
  }
}

type Kept<Read> = Pick<Map<string, Promise<Read>>, 'get' | 'delete'> & {
  set(key: string, reading: Promise<Read>): unknown
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
