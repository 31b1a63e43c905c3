// A body in HTML as plain text. Works on text, without a DOM, so that the server can use it too.

const BLOCK_TAGS =
  /<\/?(?:p|div|h[1-6]|li|ul|ol|tr|td|th|table|br|hr|blockquote|pre|figure|figcaption|section|article)\b[^<>]*>/gi

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  mdash: '—',
  ndash: '–',
}

function characterOf(code: number): string {
  return Number.isInteger(code) && code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

/** @returns the entity itself where it is not known, and nothing for one of no character */
export function decodeEntity(whole: string, name: string): string {
  if (name.startsWith('#x') || name.startsWith('#X'))
    return characterOf(Number.parseInt(name.slice(2), 16))
  if (name.startsWith('#')) return characterOf(Number(name.slice(1)))
  return ENTITIES[name] ?? whole
}

/**
 * The text of an HTML body, with one space between blocks. It is not escaped: never show it as
 * HTML.
 */
export function plainText(html: string): string {
  return withoutHidden(html)
    .replace(BLOCK_TAGS, ' ')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(#?\w+);/g, decodeEntity)
    .replace(/\s{2,}|[^\S ]/g, ' ')
    .trim()
}

/** In the place of a title that nobody has written, under a text without words. */
const UNTITLED = 'Untitled'
const FIRST_WORDS_MAX_CHARS = 80
const BEGINNING_MAX_CHARS = 20_000

/** What is shown as the title of a post that has none: the first words of its body. */
export function firstWords(body: string, { isText }: { isText: boolean }): string {
  const text = isText
    ? body.slice(0, BEGINNING_MAX_CHARS)
    : plainText(beginningOf(body, BEGINNING_MAX_CHARS))
  const words = text.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  return cutText(words, FIRST_WORDS_MAX_CHARS).toWellFormed() || UNTITLED
}

/** The beginning of a body in HTML, without the tag that it would cut off: that is no text. */
export function beginningOf(html: string, maxChars: number): string {
  return html.length > maxChars ? html.slice(0, maxChars).replace(/<[^<>]*$/, '') : html
}

/** What no shortened text ends with. */
const ENDS = ' ,;:.–—-'

/** Plain text, cut at a word end, with an ellipsis when something was left out. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  // Never half of a surrogate pair.
  const head = text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '')
  const lastSpace = head.lastIndexOf(' ')
  return `${trimmedEnd(lastSpace > maxChars / 2 ? head.slice(0, lastSpace) : head, ENDS)}…`
}

const HIDDEN = /<(?:(script|style)\b|\/(script|style)>)/gi

/** Scripts and style sheets are no text; cleaned bodies have none. */
function withoutHidden(html: string): string {
  let text = ''
  let at = 0
  let open: { name: string; start: number } | undefined
  for (const { 0: tag, 1: start, 2: end, index } of html.matchAll(HIDDEN)) {
    if (!open && start) open = { name: start.toLowerCase(), start: index }
    if (!open || end?.toLowerCase() !== open.name) continue
    text += `${html.slice(at, open.start)} `
    at = index + tag.length
    open = undefined
  }
  return text + html.slice(at)
}

const ENTITY_SPACE = /&(?:nbsp|#160|#xa0);/gi
/** Ends a word that letters of the next element would otherwise go on with. */
const BREAKING_TAG =
  /<\/?(?:p|br|hr|h[1-6]|li|ul|ol|dl|dt|dd|div|blockquote|pre|t[dhr]|table|caption|figure|figcaption|details|summary|img|iframe|video|audio)\b[^<>]*>/gi
const OTHER_TAG = /<[^<>]*>/g
const ENTITY = /&(?:#x?[0-9a-f]+|[a-z][a-z0-9]*);/gi
/** Scripts without spaces between words: each sign counts. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}][\p{M}'’‑-]*)+/gu
const MAYBE_UNSPACED = /[\u0e00-\u0e7f\u2e80-\uffff]/
/** The same where no such sign is, which is soon seen. */
const SPACED_WORD = /(?:[\p{L}\p{N}][\p{M}'’‑-]*)+/gu

/** All words in their order, as they are written. */
export function readWords(html: string): string[] {
  const text = html
    .replace(BREAKING_TAG, ' ')
    .replace(OTHER_TAG, '')
    .replace(ENTITY_SPACE, ' ')
    .replace(ENTITY, '-')
  return text.match(MAYBE_UNSPACED.test(text) ? WORD : SPACED_WORD) ?? []
}

export function countWords(html: string): number {
  return readWords(html).length
}

/**
 * No letter of any language has more marks; Unicode's own bound (UAX #15, "Stream-Safe"). Some
 * signs become marks when they are taken apart.
 */
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/**
 * The text in a normal form of Unicode. Bringing marks into order costs the square of how many
 * follow one another, so that those beyond any use are left out first.
 */
export function normalised(text: string, form: 'NFC' | 'NFKC' | 'NFKD' = 'NFC'): string {
  return text.replace(TOO_MANY_MARKS, '$1').normalize(form)
}

/** The text without certain signs at its ends; `String.trim` takes every white space. */
export function trimmed(text: string, signs: string): string {
  return trimmedEnd(text.slice(startWithout(text, signs)), signs)
}

export function trimmedEnd(text: string, signs: string): string {
  let end = text.length
  while (end > 0 && signs.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

function startWithout(text: string, signs: string): number {
  let start = 0
  while (start < text.length && signs.includes(text.charAt(start))) start++
  return start
}
