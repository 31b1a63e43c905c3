// Graphemes: what people see as one character, such as a letter with its marks, or a flag.

/** Created on first use. */
let segmenter: Intl.Segmenter | undefined
/** No real grapheme is longer; an endless row of marks is cut anywhere. */
const GRAPHEME_MAX_CHARS = 100

export function graphemesOf(text: string): string[] {
  return Array.from(segmentsOf(text), ({ segment }) => segment)
}

function segmentsOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(text)
}

/** Cuts a text to at most `maxChars` UTF-16 units, at the end of a grapheme. */
export function truncateAtGrapheme(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const around = segmentsOf(text.slice(0, maxChars + GRAPHEME_MAX_CHARS))
  const start = around.containing(maxChars)?.index ?? maxChars
  const isWhole = start > maxChars - GRAPHEME_MAX_CHARS
  return text.slice(0, isWhole ? start : maxChars).replace(/[\uD800-\uDBFF]$/, '')
}
