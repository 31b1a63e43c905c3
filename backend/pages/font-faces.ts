// Reads the font files out of a built style sheet, so that what a page is told to fetch early is
// what its style would fetch anyway.
import type { FontFace } from '#contract/pages.ts'

const RULE = /@font-face\s*\{([^{}]*)\}/g
const ADDRESS = /url\(["']?(\/[^"'()]+)["']?\)/
const RANGES = /unicode-range:\s*([^;}]+)/i
const WEIGHTS = /font-weight:\s*(\d+)(?:\s+(\d+))?/i
const LAST_CODE_POINT = 0x10ffff

/** The faces that are files; those of the reader's own machine need no fetching. */
export function parseFaces(css: string): FontFace[] {
  return [...css.matchAll(RULE)].flatMap(([, rule = '']) => {
    const href = ADDRESS.exec(rule)?.[1]
    if (!href) return []
    const ranges = RANGES.exec(rule)?.[1]?.split(',').map(parseRange) ?? [
      [0, LAST_CODE_POINT] as [number, number],
    ]
    const [, least = '400', most = least] = WEIGHTS.exec(rule) ?? []
    return [
      {
        href,
        weights: [Number(least), Number(most)],
        isItalic: /font-style:\s*italic/i.test(rule),
        ranges,
      },
    ]
  })
}

/**
 * @source CSS Fonts 4, "urange": one code point, two with a dash, or question marks for any digit
 */
function parseRange(text: string): [number, number] {
  const [first = '', last = first] = text.trim().replace(/^u\+/i, '').split('-')
  return [
    Number.parseInt(first.replaceAll('?', '0'), 16),
    Number.parseInt(last.replaceAll('?', 'f'), 16),
  ]
}
