// Text by what people see as one sign: a letter with its marks, a flag, a family.

/** Made when it is first needed. */
let segmenter: Intl.Segmenter | undefined
/** No sign that people use is longer; a row of marks without end is cut like any text. */
const GRAPHEME_MAX_CHARS = 100

export function graphemesOf(text: string): string[] {
  return Array.from(segmentsOf(text), ({ segment }) => segment)
}

function segmentsOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(text)
}

/** The beginning of a text, of at most so many units of UTF-16, that ends with a whole sign. */
export function truncateAtGrapheme(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const around = segmentsOf(text.slice(0, maxChars + GRAPHEME_MAX_CHARS))
  const start = around.containing(maxChars)?.index ?? maxChars
  const isWhole = start > maxChars - GRAPHEME_MAX_CHARS
  return text.slice(0, isWhole ? start : maxChars).replace(/[\uD800-\uDBFF]$/, '')
}
