// Draws the initials of a name as an image. The letters are outlines from the bundled fonts, so no
// font has to be installed.
import { familyOf, LITERATA, loadFont, makeFontFiles } from './fonts.ts'
import { initialsPrice } from './image-price.ts'
import type { ImageAsker } from './image-queue.ts'
import { backgroundOf, INK, initialsOf, PAPER, PERSON } from './initials-look.ts'
import { type DrawingNeeds, drawOnce, drawSvg } from './previews.ts'

const INITIALS_SIDE_DEFAULT_PIXELS = 500

/** Sides are pixels, 0 means the default; `background` is `#rrggbb`. */
export type InitialsLook = {
  name: string
  width: number
  height: number
  background: string | undefined
}

const CONTRAST_MIN = 4.5
const TEXT_WIDTH_MAX = 0.8

/** A font is loaded when a letter first needs it. */
export function makeInitials(needs: DrawingNeeds) {
  const findLetter = makeLetters()
  return (look: InitialsLook, asker: ImageAsker): Promise<Buffer> => {
    const size = {
      width: look.width || INITIALS_SIDE_DEFAULT_PIXELS,
      height: look.height || INITIALS_SIDE_DEFAULT_PIXELS,
    }
    const initials = initialsOf(look.name)
    const color = look.background ?? backgroundOf(initials)
    return drawOnce(needs, ['initials', initials, size, color], asker, async () => ({
      price: initialsPrice(size),
      work: async (time) => {
        const letters = await Promise.all([...initials].map(findLetter))
        return await drawSvg(initialsSvg(letters, size, color), time)
      },
    }))
  }
}

/** A person stands for them all when one of them is a letter that no font of ours has. */
function initialsSvg(letters: (FoundLetter | undefined)[], size: Size, color: string): string {
  const found = letters.filter((one) => one !== undefined)
  const isWhole = found.length > 0 && found.length === letters.length
  const shape = isWhole ? lettersSvg(found, size) : personSvg(size)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}"><rect width="100%" height="100%" fill="${color}"/><g fill="${inkOn(color)}" stroke="${inkOn(color)}" stroke-width="0">${shape}</g></svg>`
}

type Size = { width: number; height: number }

/**
 * The font size is half the shorter side, less when two wide letters would not fit. The letters are
 * centred.
 */
function lettersSvg(found: FoundLetter[], { width, height }: Size): string {
  const inOrder = isRightToLeft(found[0]?.letter ?? '') ? found.toReversed() : found
  const textEms = inOrder.reduce((total, { widthEms }) => total + widthEms, 0)
  const size = Math.min(Math.min(width, height) / 2, (width * TEXT_WIDTH_MAX) / textEms)
  const [top, bottom] = [
    Math.max(...found.map(({ topEms }) => topEms)),
    Math.min(...found.map(({ bottomEms }) => bottomEms)),
  ]
  const baseline = height / 2 + ((top + bottom) / 2) * size
  let x = (width - textEms * size) / 2
  return inOrder
    .map(({ path, unitsPerEm, widthEms, strokeEms }) => {
      const scale = size / unitsPerEm
      const svg = `<path stroke-width="${strokeEms * unitsPerEm}" transform="translate(${x} ${baseline}) scale(${scale} ${-scale})" d="${path}"/>`
      x += widthEms * size
      return svg
    })
    .join('')
}

function personSvg({ width, height }: Size): string {
  const side = Math.min(width, height)
  return `<g transform="translate(${(width - side) / 2} ${(height - side) / 2}) scale(${side / 100})">${PERSON}</g>`
}

/**
 * The colour of letters on a background: our light or dark one, whichever has more contrast; pure
 * white or black when neither reaches 4.5:1 (WCAG 2, AA).
 */
export function inkOn(background: string): string {
  const [ours = INK, pure = '#000000'] = [
    [PAPER, INK],
    ['#ffffff', '#000000'],
  ].map((inks) => inks.toSorted((a, b) => contrastOf(b, background) - contrastOf(a, background))[0])
  return contrastOf(ours, background) >= CONTRAST_MIN ? ours : pure
}

/** The contrast ratio of two colours `#rrggbb`, 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/**
 * Ems are multiples of the font size; `topEms` and `bottomEms` are the edges to centre between,
 * upwards from the baseline.
 */
type FoundLetter = {
  letter: string
  /** SVG path data in units of the font, y upwards. */
  path: string
  unitsPerEm: number
  widthEms: number
  topEms: number
  bottomEms: number
  strokeEms: number
}

export function isRightToLeft(letter: string): boolean {
  return /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(letter)
}

/**
 * @returns finds a letter and keeps the fonts that it has opened; undefined for a letter that no
 *   bundled font has
 */
export function makeLetters(load = loadFont): (letter: string) => Promise<FoundLetter | undefined> {
  const fonts = makeFontFiles(load)

  return async (letter) => {
    const { family, strokeEms } = familyOf(letter) ?? LITERATA
    const codePoint = letter.codePointAt(0) ?? 0
    const font = await fonts.find(family, [codePoint])
    if (!font) return undefined
    const { advanceWidth, path, bbox } = font.glyphForCodePoint(codePoint)
    const { unitsPerEm } = font
    // Capitals share their height; letters of other scripts are centred by their own.
    const [bottom, top] = family === LITERATA.family ? [0, font.capHeight] : [bbox.minY, bbox.maxY]
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
