// Finds the start and end of web addresses in running text of any script. Comments and pasted
// Markdown share these rules.

const SCHEME = /https?:\/\//iy
/** Scripts without spaces between words, their punctuation, and full-width forms. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\uff00-\uffef]/u
/**
 * Always ends an address: white space, invisible characters except joiners, quotation marks,
 * ellipses, and punctuation of scripts that put no blank after it.
 */
const END =
  /[\s<>"`\u00ab\u00ad\u00bb\u061c\u0964\u0965\u0e5a\u0e5b\u104a\u104b\u17d4-\u17d6\u200b\u200e\u200f\u201c-\u201f\u2025\u2026\u202a-\u202e\u2039-\u203c\u2047-\u2049\u2060-\u2069\u22ef\u3001-\u3003\u3008-\u3011\u3014-\u301b\u301d-\u301f\ufe10-\ufe19\ufe30-\ufe5e\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff64]/
/** Punctuation of the sentence after an address; these ASCII characters may end an address. */
const TRAILING = /[[\p{Po}\p{Pi}\p{Pf}_~\u2014\u2015\u301c\u3030]--[\/\\\&%#@]]/v
const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }
const CLOSING_QUOTE: Readonly<Record<string, string>> = { '\u2018': '\u2019', "'": "'" }
/** Letters of another script end an ASCII top-level domain. */
const HOST_BEFORE_LETTERS =
  /https?:\/\/[\p{L}\p{N}.-]*\.[a-z]{2,}(?::\d{1,5})?(?=[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}][\p{L}\p{M}\p{N}]*(?![\p{L}\p{M}\p{N}.-]))/iuy

/**
 * Whether an address starts here: not in the middle of a word, unless the script has no spaces
 * between words.
 */
export function isAddressStart(text: string, at: number): boolean {
  if (text[at] !== 'h' && text[at] !== 'H') return false
  SCHEME.lastIndex = at
  const before = text[at - 1] ?? ''
  return SCHEME.test(text) && (!/[\p{L}\p{N}]/u.test(before) || UNSPACED.test(before))
}

/** The end of the address at `start`, before the punctuation of the sentence around it. */
export function endOfAddress(text: string, start: number): number {
  HOST_BEFORE_LETTERS.lastIndex = start
  const host = HOST_BEFORE_LETTERS.exec(text)
  if (host) return start + host[0].length
  const closingQuote = CLOSING_QUOTE[text[start - 1] ?? '']
  const open: Record<string, number> = { '(': 0, '[': 0, '{': 0 }
  let end = start
  for (; end < text.length; end++) {
    const character = text[end] ?? ''
    if (END.test(character) || character === closingQuote || text.startsWith('\u2014\u2014', end))
      break
    if (character in open) open[character] = (open[character] ?? 0) + 1
    const opening = OPENING[character]
    if (!opening) continue
    // A closing bracket without an opening one in the address belongs to the sentence.
    if (open[opening] === 0) break
    open[opening] = (open[opening] ?? 0) - 1
  }
  while (end > start + 1 && TRAILING.test(text[end - 1] ?? '')) end--
  return end
}
