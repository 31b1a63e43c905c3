// Finds the font files that a post needs, by the characters of each style and weight. Runs on the
// server, without a DOM.
import type { FontFace } from '#contract/pages.ts'
import { decodeEntities } from '#contract/plain-text.ts'
import type { Direction } from '../posts/plain-text.ts'

const TOKEN = /<(\/?)([a-z][a-z0-9]*)\b([^<>]*)>|[^<]+/gi
const VOID = new Set(['area', 'br', 'col', 'hr', 'img', 'input', 'source', 'track', 'wbr'])
/** Elements that are italic in prose.css or in the browsers' style sheets. */
const ITALIC = new Set(['em', 'i', 'cite', 'var', 'dfn', 'address', 'blockquote'])
/** Those of them that are upright in right-to-left text. */
const ITALIC_IN_LATIN = new Set(['blockquote', 'cite', 'address'])
const DIRECTION = /\sdir="(ltr|rtl)"/i
const ITALIC_STYLE = /font-style:\s*(?:italic|oblique)/i
const BOLD = new Set(['b', 'strong', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dt'])
const BOLD_STYLE = /font-weight:\s*(?:bold|[5-9]00)/i
const OTHER_FONT = new Set([
  'code',
  'pre',
  'kbd',
  'samp',
  'table',
  'figcaption',
  'summary',
  'audio',
  'video',
  'iframe',
])
const REGULAR_WEIGHT = 400
const BOLD_WEIGHT = 600

/** The code points of all text in one style. */
export type StyleCharacters = { style: Style; letters: number[] }
type Style = { isItalic: boolean; weight: number; isOtherFont: boolean; direction: Direction }
const PLAIN: Style = {
  isItalic: false,
  weight: REGULAR_WEIGHT,
  isOtherFont: false,
  direction: 'ltr',
}

/**
 * @param text plain text around the body, always upright: the site's name, the title
 * @param letters the characters of the body
 * @returns addresses of font files, in the order of `faces`
 */
export function fontsFor(
  faces: FontFace[],
  { text, letters }: { text: string; letters: readonly StyleCharacters[] },
): string[] {
  const used = [{ style: PLAIN, letters: codePointsOf(text) }, ...letters]
  const needed = faces.filter((face) =>
    used.some(({ style, letters }) => isOf(face, style) && hasAny(letters, face.ranges)),
  )
  return [...new Set(needed.map(({ href }) => href))]
}

/**
 * @param html the cleaned body of a post
 * @param direction the direction of the whole body
 */
export function lettersOf(html: string, direction: Direction = 'ltr'): StyleCharacters[] {
  return groupByStyle(html, { ...PLAIN, direction }).map(({ style, text }) => ({
    style,
    letters: codePointsOf(decodeEntities(text)),
  }))
}

/** Joins all text of a style into one string: a long post changes its style thousands of times. */
function groupByStyle(html: string, plain: Style): { style: Style; text: string }[] {
  const parts = new Map<string, { style: Style; texts: string[] }>()
  const open = [plain]
  for (const [text, slash, name, attributes = ''] of html.matchAll(TOKEN)) {
    const style = open.at(-1) ?? plain
    if (name === undefined) {
      const part = parts.get(keyOf(style)) ?? { style, texts: [] }
      parts.set(keyOf(style), part)
      if (!style.isOtherFont) part.texts.push(text)
    } else if (slash) open.pop()
    else if (!VOID.has(name.toLowerCase()))
      open.push(styleInside(name.toLowerCase(), attributes, style))
  }
  return [...parts.values()].map(({ style, texts }) => ({ style, text: texts.join('') }))
}

function keyOf({ isItalic, weight }: Style): string {
  return `${isItalic}${weight}`
}

function styleInside(name: string, attributes: string, outer: Style): Style {
  const direction = (DIRECTION.exec(attributes)?.[1] as Direction | undefined) ?? outer.direction
  const isUpright = direction === 'rtl' && ITALIC_IN_LATIN.has(name)
  return {
    direction,
    isItalic: !isUpright && (outer.isItalic || ITALIC.has(name) || ITALIC_STYLE.test(attributes)),
    weight: BOLD.has(name) || BOLD_STYLE.test(attributes) ? BOLD_WEIGHT : outer.weight,
    isOtherFont: outer.isOtherFont || OTHER_FONT.has(name),
  }
}

/** The distinct code points of a text, without spaces, which need no font. */
function codePointsOf(text: string): number[] {
  const points = new Set<number>()
  // Most characters are ASCII, for which an array is faster than the set.
  const isKnownAscii: boolean[] = []
  for (let index = 0; index < text.length; index++) {
    const point = text.codePointAt(index) ?? 0
    if (point > 0xffff) index++
    if (point < 128 && isKnownAscii[point]) continue
    if (point < 128) isKnownAscii[point] = true
    points.add(point)
  }
  return [...points].filter((point) => !/\s/u.test(String.fromCodePoint(point)))
}

function isOf({ isItalic, weights: [least, most] }: FontFace, style: Style): boolean {
  return isItalic === style.isItalic && style.weight >= least && style.weight <= most
}

function hasAny(letters: number[], ranges: FontFace['ranges']): boolean {
  return ranges.some(([first, last]) => letters.some((point) => point >= first && point <= last))
}
