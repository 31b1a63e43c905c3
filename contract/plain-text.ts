// A body in HTML as plain text. Works on text, without a DOM, so that the server can use it too.
import { trimmedEnd } from './bounded-text.ts'

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

function decodeEntity(whole: string, name: string): string {
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
