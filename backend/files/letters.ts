// Finds the outline of a letter in the bundled fonts. Knows nothing of images.
import { familyOf, LITERATA, loadFont, makeFontFiles } from './fonts.ts'

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
