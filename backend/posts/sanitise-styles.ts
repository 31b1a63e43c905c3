// The `style` attribute of post bodies: allow-listed properties with values of a small grammar
// (threat-model.md §8 "Styles"). Of all functions only rgb() and hsl() pass; url(), var(), escapes,
// at-rules and comments do not.

const BOX = ['top', 'right', 'bottom', 'left']
const PROPERTIES = new Set([
  'color',
  'background-color',
  'text-align',
  'text-decoration',
  'font-weight',
  'font-style',
  'font-size',
  'font-family',
  'line-height',
  'padding',
  'padding-left',
  'margin-left',
  'margin-right',
  'width',
  'height',
  'max-width',
  'vertical-align',
  'float',
  'list-style-type',
  'border',
  'border-width',
  'border-style',
  'border-color',
  'border-radius',
  'border-spacing',
  'border-collapse',
  ...BOX.flatMap((side) => [
    `border-${side}`,
    `border-${side}-width`,
    `border-${side}-style`,
    `border-${side}-color`,
  ]),
])
/** Large values of these could move text over something else. */
const INDENTS = ['padding', 'padding-left', 'margin-left', 'margin-right']
const INDENT_MAX_PX = 400
const PX_PER_UNIT: Record<string, number> = { px: 1, em: 16, rem: 16, pt: 4 / 3, '%': 4 }
const DECLARATIONS_MAX = 40
const STYLE_MAX_CHARS = 4000

const NAME = '[a-z][a-z-]{0,40}'
const LENGTH = String.raw`\d{0,4}(?:\.\d{1,4})?(?:px|em|rem|%|pt)?`
const COLOR = String.raw`#[0-9a-f]{3,8}|(?:rgb|hsl)a?\([\d.,%\s/]{1,60}\)`
const PART = `(?:${COLOR}|${NAME}|(?=[.\\d])${LENGTH})`
const VALUE = new RegExp(`^${PART}(?: ${PART}){0,4}$`, 'i')
const FONT = `(?:'[a-z0-9 -]{1,60}'|-?[a-z][a-z0-9-]{0,60}(?: [a-z0-9-]{1,60}){0,4})`
const FONTS = new RegExp(`^${FONT}(?:, ?${FONT}){0,12}$`, 'i')

/**
 * Keeps what is allowed of a style.
 *
 * @returns declarations as the editor writes them (`color: red;`), or the empty text; a second pass
 *   changes nothing
 */
export function cleanStyle(style: string): string {
  if (style.length > STYLE_MAX_CHARS) return ''
  const kept: string[] = []
  for (const declaration of style.split(';').slice(0, DECLARATIONS_MAX)) {
    const colon = declaration.indexOf(':')
    const name = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    const value = declaration
      .slice(colon + 1)
      .trim()
      .replace(/\s+/g, ' ')
      .replaceAll('"', "'")
    if (PROPERTIES.has(name) && isPlain(name, value)) kept.push(`${name}: ${value};`)
  }
  return kept.join(' ')
}

function isPlain(name: string, value: string): boolean {
  if (name === 'font-family') return FONTS.test(value)
  if (!VALUE.test(value)) return false
  return !INDENTS.includes(name) || isSmallIndent(value)
}

function isSmallIndent(value: string): boolean {
  if (['auto', 'inherit', 'initial', 'unset'].includes(value.toLowerCase())) return true
  const [, number, unit = ''] = /^([\d.]+)(px|em|rem|%|pt)?$/i.exec(value) ?? []
  return (
    number !== undefined && Number(number) * (PX_PER_UNIT[unit.toLowerCase()] ?? 1) <= INDENT_MAX_PX
  )
}
