// The `style` attribute of post bodies: allow-listed properties with values of a small grammar
// (threat-model.md §8 "Styles"). Of all functions only rgb() and hsl() pass; url(), var(), calc(),
// escapes, at-rules and comments do not, nor do negative numbers. How long a length may be is in
// style-lengths.ts.
import { boundLineHeight, isFontSize, isWithinBounds, readFontSize } from './style-lengths.ts'

const SIDES = ['top', 'right', 'bottom', 'left'].map((side) => `border-${side}`)
const PROPERTIES = new Set([
  ...'color background-color text-align text-decoration vertical-align float'.split(' '),
  ...'font-weight font-style font-size font-family line-height list-style-type'.split(' '),
  ...'padding padding-left margin-left margin-right width height max-width'.split(' '),
  ...'border-radius border-spacing border-collapse'.split(' '),
  ...['border', ...SIDES].flatMap((one) => [one, `${one}-width`, `${one}-style`, `${one}-color`]),
])
const DECLARATIONS_MAX = 40
const STYLE_MAX_CHARS = 4000

const NAME = '[a-z][a-z-]{0,40}'
const LENGTH = String.raw`\d{0,4}(?:\.\d{1,4})?(?:px|em|rem|%|pt)?`
const COLOR = String.raw`#[0-9a-f]{3,8}|(?:rgb|hsl)a?\([\d.,%\s/]{1,60}\)`
const PART = `(?:${COLOR}|${NAME}|(?=[.\\d])${LENGTH})`
const VALUE = new RegExp(`^${PART}(?: ${PART}){0,4}$`, 'i')
const FONT = `(?:'[a-z0-9 -]{1,60}'|-?[a-z][a-z0-9-]{0,60}(?: [a-z0-9-]{1,60}){0,4})`
const FONTS = new RegExp(`^${FONT}(?:, ?${FONT}){0,12}$`, 'i')

/** What is left of a style, and how large the letters inside the element are with it. */
export type CleanStyle = { style: string; fontPx: number }

/**
 * Keeps what is allowed of a style. A declaration with a length beyond its bound is dropped.
 *
 * @param fontPx size of the letters that the element has without this style
 * @returns declarations as the editor writes them (`color: red;`), or the empty text; a second pass
 *   changes nothing
 */
export function cleanStyle(style: string, fontPx: number): CleanStyle {
  if (style.length > STYLE_MAX_CHARS) return { style: '', fontPx }
  const plain = style.split(';').slice(0, DECLARATIONS_MAX).map(readDeclaration).filter(isPlain)
  // First of all, because the other lengths may be multiples of it; the last one wins, as in CSS.
  const own = plain.findLast(({ name, value }) => name === 'font-size' && isFontSize(value, fontPx))
  const ownPx = own ? readFontSize(own.value, fontPx) : fontPx
  const kept: string[] = []
  for (const declaration of plain) {
    const value = boundValue(declaration, { fontPx, ownPx })
    if (value !== undefined) kept.push(`${declaration.name}: ${value};`)
  }
  return { style: kept.join(' '), fontPx: ownPx }
}

type Declaration = { name: string; value: string }

function readDeclaration(text: string): Declaration {
  const colon = text.indexOf(':')
  const name = text.slice(0, Math.max(colon, 0)).trim().toLowerCase()
  const value = text
    .slice(colon + 1)
    .trim()
    .replace(/\s+/g, ' ')
    .replaceAll('"', "'")
  return { name, value }
}

function isPlain({ name, value }: Declaration): boolean {
  return PROPERTIES.has(name) && (name === 'font-family' ? FONTS : VALUE).test(value)
}

/** @returns undefined when a length of it is beyond its bound */
function boundValue(
  { name, value }: Declaration,
  { fontPx, ownPx }: { fontPx: number; ownPx: number },
): string | undefined {
  if (name === 'font-family') return value
  if (name === 'line-height') return boundLineHeight(value, ownPx)
  const isFine =
    name === 'font-size' ? isFontSize(value, fontPx) : isWithinBounds(name, value, ownPx)
  return isFine ? value : undefined
}
