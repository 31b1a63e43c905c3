// Draws the initials of a name as a picture. The letters are outlines from the bundled Literata, so no font of the machine is needed.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Font, Glyph } from 'fontkit'
import { INITIALS_SIDE_DEFAULT_PIXELS } from '#contract/limits.ts'
import { type ImageQueue, loadSharp, timed } from './image-work.ts'

/** Pixels, 0 means the default; `background` is `#rrggbb`. */
export type InitialsLook = { name: string; width: number; height: number; background: string | undefined }
export type Initials = { bytes: Buffer; etag: string }
export type DrawInitials = (look: InitialsLook) => Promise<Initials>

/** Each at least 5:1 against the paper colour of the letters (WCAG AA); petrol first. */
const BACKGROUNDS = ['#1d5866', '#8a3b2a', '#5b4a8c', '#2f6140', '#7a4a12'] as const
const PAPER = '#fffaf0'
const INK = '#17262b'
const SUBSETS = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese', 'cyrillic-ext', 'greek-ext']
/** Head and shoulders on a field of 100 x 100, for names without a letter of these fonts. */
const PERSON = '<circle cx="50" cy="36" r="17"/><path d="M14 100c0-28 16-42 36-42s36 14 36 42z"/>'
const KEPT_PICTURES = 200
/** The variable fonts are cut from at their default weight; a stroke makes the letters bolder. Font units. */
const STROKE_UNITS = 24
const TEXT_WIDTH_MAX = 0.8

/**
 * The letters that stand for a name: the first letter or digit of its first two words, in capitals.
 *
 * @source contract §5 "Initials"
 */
export function initialsOf(name: string): string {
  const text = name.normalize('NFC').trim()
  const words = text.split(/\s/u.test(text) ? /\s+/u : /_+/u).filter(Boolean)
  return words
    .slice(0, 2)
    .map((word) => [...(/[\p{L}\p{N}]/u.exec(word)?.[0].toUpperCase() ?? '')][0] ?? '')
    .join('')
}

/** The colour behind a pair of letters; the same letters always get the same one. */
export function backgroundOf(initials: string): string {
  const sum = [...initials].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  return BACKGROUNDS[(sum % 10) % BACKGROUNDS.length] ?? BACKGROUNDS[0]
}

/** Makes the drawer; it keeps the last pictures and loads a font when a letter first needs it. */
export function makeInitials(imageQueue: ImageQueue): DrawInitials {
  const fonts = new Map<string, Promise<Font>>()
  const kept = new Map<string, Initials>()

  async function findGlyph(letter: string): Promise<{ glyph: Glyph; font: Font } | undefined> {
    const codePoint = letter.codePointAt(0) ?? 0
    for (const subset of SUBSETS) {
      const loading = fonts.get(subset) ?? loadFont(subset)
      fonts.set(subset, loading)
      const font = await loading
      if (font.hasGlyphForCodePoint(codePoint)) return { glyph: font.glyphForCodePoint(codePoint), font }
    }
    return undefined
  }

  return async ({ name, width, height, background }) => {
    const size = { width: width || INITIALS_SIDE_DEFAULT_PIXELS, height: height || INITIALS_SIDE_DEFAULT_PIXELS }
    const initials = initialsOf(name)
    const colour = background ?? backgroundOf(initials)
    const key = JSON.stringify([initials, size, colour])
    const known = kept.get(key)
    if (known) return known
    const bytes = await imageQueue.run(async () => {
      const sharp = await loadSharp()
      const glyphs = await Promise.all([...initials].map(findGlyph))
      const found = glyphs.filter((one) => one !== undefined)
      const shape = found.length > 0 && found.length === glyphs.length ? letters(found, size) : person(size)
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}"><rect width="100%" height="100%" fill="${colour}"/><g fill="${inkOn(colour)}" stroke="${inkOn(colour)}" stroke-width="0">${shape}</g></svg>`
      return await timed(sharp(Buffer.from(svg)))
        .png({ palette: true })
        .toBuffer()
    })
    const made = { bytes, etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"` }
    kept.set(key, made)
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT_PICTURES) break
      kept.delete(oldest)
    }
    return made
  }
}

async function loadFont(subset: string): Promise<Font> {
  const path = createRequire(import.meta.url).resolve(`@fontsource-variable/literata/files/literata-${subset}-wght-normal.woff2`)
  const { create } = await import('fontkit')
  const font = create(await readFile(path))
  if (!('glyphForCodePoint' in font)) throw new Error(`${path} holds more than one font`)
  return font
}

type Size = { width: number; height: number }

/** Half the shorter side high, smaller where two wide letters would not fit; the middle of the capitals is the middle of the picture. */
function letters(found: { glyph: Glyph; font: Font }[], { width, height }: Size): string {
  const units = found[0]?.font.unitsPerEm ?? 1000
  const capitals = found[0]?.font.capHeight ?? 700
  const textUnits = found.reduce((total, { glyph }) => total + glyph.advanceWidth, 0)
  const scale = Math.min(Math.min(width, height) / 2 / units, (width * TEXT_WIDTH_MAX) / textUnits)
  let x = (width - textUnits * scale) / 2
  const baseline = (height + capitals * scale) / 2
  return found
    .map(({ glyph }) => {
      const path = `<path stroke-width="${STROKE_UNITS}" transform="translate(${x} ${baseline}) scale(${scale} ${-scale})" d="${glyph.path.toSVG()}"/>`
      x += glyph.advanceWidth * scale
      return path
    })
    .join('')
}

function person({ width, height }: Size): string {
  const side = Math.min(width, height)
  return `<g transform="translate(${(width - side) / 2} ${(height - side) / 2}) scale(${side / 100})">${PERSON}</g>`
}

/** Light letters on dark colours and the other way round (relative luminance of WCAG 2). */
function inkOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.2 ? INK : PAPER
}
