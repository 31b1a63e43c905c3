// The `style` attribute of post bodies: allow-listed properties with values of a small grammar
// (threat-model.md §8 "Styles"). The only functions are rgb() and hsl(): url(), var(),
// calc(), escapes, at-rules, comments and negative numbers are dropped.

const SIDES = ['top', 'right', 'bottom', 'left'].map((side) => `border-${side}`)
const PROPERTIES = new Set([
  ...'color background-color text-align text-decoration vertical-align float'.split(' '),
  ...'font-weight font-style font-size font-family line-height list-style-type'.split(' '),
  ...'padding padding-left margin-left margin-right width height max-width'.split(' '),
  ...'border-radius border-spacing border-collapse'.split(' '),
  ...['border', ...SIDES].flatMap((name) => [
    name,
    `${name}-width`,
    `${name}-style`,
    `${name}-color`,
  ]),
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

/** The cleaned style, and the font size that it gives to the element. */
export type CleanStyle = { style: string; fontPx: number }

/**
 * Drops declarations that are not allowed, and declarations with a length beyond its bound.
 *
 * @param fontPx font size of the element without this style
 * @returns declarations as the editor writes them (`color: red;`), or an empty string; a second
 *   pass changes nothing
 */
export function cleanStyle(style: string, fontPx: number): CleanStyle {
  if (style.length > STYLE_MAX_CHARS) return { style: '', fontPx }
  const plain = style.split(';').slice(0, DECLARATIONS_MAX).map(readDeclaration).filter(isPlain)
  // First, because other lengths may be multiples of it; the last declaration wins, as in CSS.
  const fontSize = plain.findLast(
    ({ name, value }) => name === 'font-size' && isFontSize(value, fontPx),
  )
  const ownPx = fontSize ? readFontSize(fontSize.value, fontPx) : fontPx
  const declarations: string[] = []
  for (const declaration of plain) {
    const value = boundValue(declaration, { fontPx, ownPx })
    if (value !== undefined) declarations.push(`${declaration.name}: ${value};`)
  }
  return { style: declarations.join(' '), fontPx: ownPx }
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

/** @returns undefined when a length is beyond its bound */
function boundValue(
  { name, value }: Declaration,
  { fontPx, ownPx }: { fontPx: number; ownPx: number },
): string | undefined {
  if (name === 'font-family') return value
  if (name === 'line-height') return boundLineHeight(value, ownPx)
  const isAllowed =
    name === 'font-size' ? isFontSize(value, fontPx) : isWithinBounds(name, value, ownPx)
  return isAllowed ? value : undefined
}

// --- bounds of lengths, so that no part of a post covers the page around it. em and % are relative
// to the parent, so sizes are computed in pixels of a wide screen, from the outside in. The grammar
// has checked the values before: no minus signs, at most four digits.

/** Width and font size of the text on a wide screen (reading/prose.css). */
const TEXT_PX = 680
export const READING_FONT_PX = 20
const ROOT_FONT_PX = 16
const PX_PER_PT = 4 / 3

const FONT_MAX_PX = 96
const FONT_MAX_EM = 6
const LINE_HEIGHT_MIN = 0.8
const LINE_HEIGHT_MAX = 4
const RAISE_MAX_EM = 2
const LINE_MAX_PX = 20
const INDENT_MAX_PX = 400

/**
 * The style sheet of the post page enlarges these elements; those that it reduces count as
 * unchanged.
 */
const HEADING_PX: Readonly<Record<string, number>> = { h1: 29, h2: 29, h3: 22, h4: 22 }
const QUOTE_FACTOR = 1.14

const FONT_NAMES: Readonly<Record<string, number>> = {
  'xx-small': 9,
  'x-small': 10,
  small: 13,
  medium: 16,
  large: 18,
  'x-large': 24,
  'xx-large': 32,
  'xxx-large': 48,
  initial: 16,
}
/** Names of font sizes relative to the parent. */
const FONT_FACTORS: Readonly<Record<string, number>> = {
  larger: 1.2,
  smaller: 1 / 1.2,
  inherit: 1,
  unset: 1,
}

type Bounds = {
  maxPx: number
  /** Pixels of one percent; without it no percentage is allowed. */
  percentPx?: number
  /** The allowed names; without it all are allowed. */
  names?: RegExp
}

const nameRule = (names: string) => new RegExp(`^(?:${names}|inherit|initial|unset)$`, 'i')
const OF_TEXT = { maxPx: TEXT_PX, percentPx: TEXT_PX / 100 }
const BOUNDS: readonly [property: RegExp, bounds: Bounds][] = [
  [/^(?:width|height|max-width)$/, { ...OF_TEXT, names: nameRule('auto|min-content|fit-content') }],
  [/^(?:padding|margin)/, { ...OF_TEXT, maxPx: INDENT_MAX_PX, names: nameRule('auto') }],
  [/^border-radius$/, OF_TEXT],
  [/^border(?:-(?:top|right|bottom|left))?(?:-width)?$/, { maxPx: LINE_MAX_PX }],
  [/^(?:border-spacing|text-decoration)$/, { maxPx: LINE_MAX_PX }],
]
const RAISE_NAMES = nameRule('baseline|sub|super|top|text-top|middle|bottom|text-bottom')

type Length = { number: number; unit: string }

/** The font size of an element that has no style, from that of its parent. */
export function fontSizeIn(name: string, parentPx: number, isInQuote: boolean): number {
  if (name === 'blockquote') return isInQuote ? parentPx : parentPx * QUOTE_FACTOR
  return HEADING_PX[name] ?? parentPx
}

/** Whether a font size is allowed; nested multiples are bounded, too. */
export function isFontSize(value: string, parentPx: number): boolean {
  const length = parseLength(value)
  if (!length) return readFontSize(value, parentPx) <= FONT_MAX_EM * READING_FONT_PX
  if (length.unit === '') return length.number === 0
  const ownMax = ['em', '%'].includes(length.unit) ? FONT_MAX_EM : FONT_MAX_PX
  const isOwnAllowed = toPx(length, { emPx: 1, percentPx: 0.01 }) <= ownMax
  return isOwnAllowed && readFontSize(value, parentPx) <= FONT_MAX_EM * READING_FONT_PX
}

/** A font size in pixels; infinite for an unknown name. */
export function readFontSize(value: string, parentPx: number): number {
  const length = parseLength(value)
  if (length) return toPx(length, { emPx: parentPx, percentPx: parentPx / 100 })
  const name = value.toLowerCase()
  const factor = FONT_FACTORS[name]
  return factor === undefined ? (FONT_NAMES[name] ?? Number.POSITIVE_INFINITY) : factor * parentPx
}

/**
 * The line height as a factor: elements of any font size would inherit a length unchanged.
 *
 * @returns undefined when it is beyond its bounds
 */
export function boundLineHeight(value: string, fontPx: number): string | undefined {
  const length = parseLength(value)
  if (!length) return /^(?:normal|inherit|initial|unset)$/i.test(value) ? value : undefined
  const factor =
    length.unit === ''
      ? length.number
      : toPx(length, { emPx: fontPx, percentPx: fontPx / 100 }) / Math.max(fontPx, 1)
  if (!(factor >= LINE_HEIGHT_MIN && factor <= LINE_HEIGHT_MAX)) return undefined
  return length.unit === '' ? value : String(Math.round(factor * 100) / 100)
}

/** @param fontPx font size of the element */
export function isWithinBounds(property: string, value: string, fontPx: number): boolean {
  const bounds = boundsOf(property, fontPx)
  return value
    .replace(/\([^()]*\)/g, '')
    .split(' ')
    .every((part) => {
      const length = parseLength(part)
      if (!length) return bounds?.names?.test(part) ?? true
      if (!bounds) return length.unit === ''
      if (length.unit === '') return length.number === 0
      if (length.unit === '%' && bounds.percentPx === undefined) return false
      return toPx(length, { emPx: fontPx, percentPx: bounds.percentPx ?? 0 }) <= bounds.maxPx
    })
}

/** @returns undefined for properties that have no length */
function boundsOf(property: string, fontPx: number): Bounds | undefined {
  if (property === 'vertical-align') {
    const maxPx = RAISE_MAX_EM * fontPx
    // Percentages are relative to the line height.
    return { maxPx, percentPx: (LINE_HEIGHT_MAX * fontPx) / 100, names: RAISE_NAMES }
  }
  return BOUNDS.find(([pattern]) => pattern.test(property))?.[1]
}

function parseLength(part: string): Length | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d*)?|\.\d+)(px|em|rem|%|pt)?$/i.exec(part) ?? []
  return number === undefined ? undefined : { number: Number(number), unit: unit.toLowerCase() }
}

function toPx({ number, unit }: Length, em: { emPx: number; percentPx: number }): number {
  const pxPerUnit: Readonly<Record<string, number>> = {
    em: em.emPx,
    '%': em.percentPx,
    rem: ROOT_FONT_PX,
    pt: PX_PER_PT,
  }
  return number * (pxPerUnit[unit] ?? 1)
}
