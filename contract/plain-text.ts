// Plain text, words and tags of a post's HTML body. Works on text, without a DOM, so that server
// and screens get the same result.

import { graphemesOf, truncateAtGrapheme } from './graphemes.ts'
import { TAG_MAX_CHARS } from './limits.ts'
import { isVisible } from './visible-text.ts'

/** HTML tags that separate words. */
const PARTING_TAG =
  /<\/?(?:p|br|hr|h[1-6]|hgroup|li|ul|ol|menu|dir|dl|dt|dd|div|blockquote|pre|t[dhr]|table|caption|figure|figcaption|details|summary|section|article|header|footer|main|aside|nav|address|center|fieldset|legend|form|dialog|search|img|iframe|video|audio|object|embed)\b[^<>]*>/gi

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

/** @returns the entity itself if it is unknown, and an empty text for an invalid code point */
export function decodeEntity(whole: string, name: string): string {
  if (name.startsWith('#x') || name.startsWith('#X'))
    return characterOf(Number.parseInt(name.slice(2), 16))
  if (name.startsWith('#')) return characterOf(Number(name.slice(1)))
  return ENTITIES[name] ?? whole
}

export function decodeEntities(text: string): string {
  return text.replace(/&(#?\w+);/g, decodeEntity)
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text as HTML, also within a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}

/** White space other than a single blank between words. */
const WIDE_SPACE = /(?! \S)\s+/g

/** Embeds without words of their own, and link cards, whose words are those of another post. */
const OTHERS_WORDS =
  /<p class="embed"><a [^<>]*>https?:[^<>]*<\/a><\/p>|<aside class="link-card">(?:(?!<\/?aside\b)[\s\S])*<\/aside>/g

/**
 * The text of an HTML body, with one space between blocks. It is not escaped: never show it as
 * HTML.
 */
export function plainText(html: string): string {
  return decodeEntities(
    withReadableMarks(withoutHidden(html))
      .replace(OTHERS_WORDS, ' ')
      .replace(PARTING_TAG, ' ')
      .replace(/<[^<>]*>/g, ''),
  )
    .replace(WIDE_SPACE, ' ')
    .trim()
}

const SCRIPT = /<(su[bp])\b[^<>]*>([^<>]{1,20})<\/su[bp]>/gi
const RUBY = /<ruby\b[^<>]*>((?:(?!<\/?ruby\b)[\s\S])*)<\/ruby>/gi
const READING = /<rt\b[^<>]*>((?:(?!<\/?rt\b)[\s\S])*)<\/rt>/gi
const RAISED = new Map(
  [...'0123456789+-−=()ni'].map((character, at) => [character, [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ'][at]]),
)
const LOWERED = new Map(
  [...'0123456789+-−=()'].map((character, at) => [character, [...'₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎'][at]]),
)

/** Numbers of footnotes, and their links back to the text. */
const FOOTNOTE_LINK =
  /<sup class="footnote"><a [^<>]*>[^<>]*<\/a><\/sup>|<a href="[^"<>]*" class="footnote-back">[^<>]*<\/a>/g

/**
 * Keeps superscripts and subscripts readable, puts ruby readings in brackets, and drops the numbers
 * of footnotes, which would join the words before them.
 */
function withReadableMarks(body: string): string {
  const html = body.includes('"footnote') ? body.replace(FOOTNOTE_LINK, '') : body
  const text = /<su[bp]\b/i.test(html) ? html.replace(SCRIPT, readScript) : html
  return /<ruby\b/i.test(text) ? text.replace(RUBY, readRuby) : text
}

function readScript(match: string, name: string, inside: string): string {
  const isRaised = name.toLowerCase() === 'sup'
  const replacements = isRaised ? RAISED : LOWERED
  const text = inside.trim()
  if (!/^[\d+−=()ni-]+$/.test(text) && !/^[\p{L}\d]*[+−=*/-][\p{L}\d+−=*/()-]*$/u.test(text))
    return match
  const converted = [...text].map((character) => replacements.get(character))
  if (converted.every((character) => character !== undefined) && /[\dni]/.test(text))
    return converted.join('')
  return `${isRaised ? '^' : '_'}(${text})`
}

function readRuby(match: string, inside: string): string {
  if (/<rp\b/i.test(inside)) return match
  const words = inside.replace(READING, '')
  const reading = [...inside.matchAll(READING)].map(([, text = '']) => text).join('')
  if (reading.trim() === '') return words
  return /[\u2e80-\uffff]/.test(words) ? `${words}（${reading}）` : `${words} (${reading})`
}

/** Cuts HTML to at most `maxChars`, without a half tag at the end. */
export function truncateHtml(html: string, maxChars: number): string {
  return html.length > maxChars ? html.slice(0, maxChars).replace(/<[^<>]*$/, '') : html
}

/** Characters that no truncated text ends with. */
const ENDS = ' ,;:.–—-'

/**
 * Truncates plain text at the end of a word, or at least of a grapheme, and adds an ellipsis.
 */
export function truncateText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const head = truncateAtGrapheme(text, maxChars)
  const lastSpace = head.lastIndexOf(' ')
  return `${trimEndChars(lastSpace > maxChars / 2 ? head.slice(0, lastSpace) : head, ENDS)}…`
}

const HIDDEN = /<(?:(script|style)\b|\/(script|style)>)/gi

/** Drops scripts and style sheets, which sanitised bodies do not have. */
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
const OTHER_TAG = /<[^<>]*>/g
const ENTITY = /&(?:#x?[0-9a-f]+|[a-z][a-z0-9]*);/gi
/** In scripts without spaces between words each character is a word. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}][\p{M}'’‑-]*)+/gu
const MAYBE_UNSPACED = /[\u0e00-\u0e7f\u2e80-\uffff]/
/** The same for texts without such scripts; this expression is faster. */
const SPACED_WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’‑-]*/gu

/** All words, in order. */
export function readWords(html: string): string[] {
  const text = withReadableMarks(html)
    .replace(PARTING_TAG, ' ')
    .replace(OTHER_TAG, '')
    .replace(ENTITY_SPACE, ' ')
    .replace(ENTITY, '-')
  return text.match(MAYBE_UNSPACED.test(text) ? WORD : SPACED_WORD) ?? []
}

export function countWords(html: string): number {
  return readWords(html).length
}

/**
 * No letter of any language has more marks: Unicode's own bound (UAX #15, "Stream-Safe"). U+FF9E
 * and U+FF9F decompose into marks.
 */
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/**
 * Normalises Unicode. Ordering marks takes time quadratic in their number, so excessive marks are
 * dropped first.
 */
export function normaliseUnicode(
  text: string,
  form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD' = 'NFC',
): string {
  return text.replace(TOO_MANY_MARKS, '$1').normalize(form)
}

/** Trims only these characters; `String.trim` removes all white space. */
export function trimChars(text: string, chars: string): string {
  return trimEndChars(text.slice(firstIndexOutside(text, chars)), chars)
}

export function trimEndChars(text: string, chars: string): string {
  let end = text.length
  while (end > 0 && chars.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

function firstIndexOutside(text: string, chars: string): number {
  let start = 0
  while (start < text.length && chars.includes(text.charAt(start))) start++
  return start
}

// --- tags: validity, the key by which they are compared, and the last line of a text when it has
// only tags (api.md §15.14)

/** Length of a tag's key: normalising expands some letters. */
export const TAG_KEY_MAX_CHARS = 4 * TAG_MAX_CHARS
/** A longer last line is no tag line. */
const TAG_LINE_MAX_CHARS = 1000

/** Letters, marks and numbers of any script; not a mark alone, and not only `_` and `-`. */
const TAG = /^(?!\p{M})(?=.*[\p{L}\p{N}])[\p{L}\p{M}\p{N}_-]+$/u
const TAG_CHARACTERS = /^[\p{L}\p{M}\p{N}_-]+$/u
const HASH = /^[#＃]/u

/** Whether a text is a valid tag: one word of at most `TAG_MAX_CHARS`, without the #. */
export function isTag(text: string): boolean {
  return (
    !hasMoreCharacters(text, TAG_MAX_CHARS) &&
    TAG.test(text) &&
    isVisible(text) &&
    isTagKey(tagKey(text))
  )
}

/** Whether a text is a valid key of a tag. */
export function isTagKey(text: string): boolean {
  return !hasMoreCharacters(text, TAG_KEY_MAX_CHARS) && TAG.test(text) && tagKey(text) === text
}

/** Whether a text has only characters that tags may have. */
export function isTagStart(text: string): boolean {
  return TAG_CHARACTERS.test(text)
}

/** A typed tag without its # and the spaces around it. */
export function withoutHash(text: string): string {
  return text.trim().replace(HASH, '')
}

/** The key by which tags are compared, also in URLs. The key of a key is the key itself. */
export function tagKey(text: string): string {
  return normaliseUnicode(normaliseUnicode(text, 'NFKC').toLowerCase(), 'NFKC')
}

/** The path of a tag's page, percent-encoded, from the root of the site. */
export function tagPath(tag: string): string {
  return `/tag/${encodeURIComponent(tagKey(tag))}`
}

/** Removes duplicates by key: the first spelling stays. */
export function distinctTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const tag of tags) if (!byKey.has(tagKey(tag))) byKey.set(tagKey(tag), tag)
  return [...byKey.values()]
}

/** The tags of a post; none where a program has stored other values under this name. */
export function tagsOf({ tags }: { tags?: unknown }): string[] {
  if (!Array.isArray(tags)) return []
  return tags.every((tag) => typeof tag === 'string' && isTag(tag)) ? (tags as string[]) : []
}

/** Tags that were sent with the post, without those in the last line of its text. */
export function tagsOutsideText(post: { tags?: unknown; content: string }): string[] {
  const line = findTagLine(post.content)
  const keys = new Set(line?.words.map(tagKey))
  return tagsOf(post).filter((tag) => !keys.has(tagKey(tag)))
}

/** A last line that has only words with #. */
export type TagLine = {
  /** Without their #, also those that are too long to be tags. */
  words: string[]
  /** The text without the line. */
  rest: string
}

/** Finds the tag line of sanitised HTML: its last block, or the text after its last line break. */
export function findTagLine(whole: string): TagLine | undefined {
  if (!/[#＃]/.test(whole)) return undefined
  const notesAt = whole.lastIndexOf(NOTES)
  const html = notesAt < 0 ? whole : whole.slice(0, notesAt)
  const line = findLastLine(html)
  const words = line && readTagWords(decodeSpaces(line.text))
  return words && { words, rest: withoutLine(html, line) + whole.slice(html.length) }
}

/** The list of footnotes, which is last in a text. */
const NOTES = '<section class="footnotes">'

function readTagWords(line: string): string[] | undefined {
  const words = line.split(/[\s,،、\u200b]+/).filter((word) => word !== '')
  const tags = words.map((word) => word.replace(HASH, ''))
  const isLine = words.every((word, at) => HASH.test(word) && TAG.test(tags[at] ?? ''))
  return isLine && words.length > 0 ? tags : undefined
}

function decodeSpaces(text: string): string {
  return text.replace(/&(?:nbsp|#160|#xa0);/gi, ' ')
}

/** Removes the tag line if all its tags are among those `shown` next to the text. */
export function withoutTagLine(html: string, shown: readonly string[]): string {
  const line = shown.length > 0 ? findTagLine(html) : undefined
  const keys = new Set(shown.map(tagKey))
  return line?.words.every((word) => keys.has(tagKey(word))) ? line.rest : html
}

/** A tag line may be in these blocks only. */
const PLAIN_BLOCKS = new Set(['p', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const INLINE = new Set(
  'strong b em i u s del ins sub sup small mark abbr cite q var time span a'.split(' '),
)

type Piece = { start: number; end: number; text: string; name: string; isEndTag: boolean }
/** An element around the line; `end` is the end of its end tag. */
type EnclosingElement = { name: string; end: number }
/** `block` is an element that has only the line; without it the line is `[from, to)`. */
type LastLine = { text: string; from: number; to: number; block: EnclosingElement | undefined }

/** The HTML tag or the text that ends at `end`. */
function pieceBefore(html: string, end: number): Piece {
  const isTag = html[end - 1] === '>'
  const start = isTag ? html.lastIndexOf('<', end - 1) : html.lastIndexOf('>', end - 1) + 1
  const piece = html.slice(Math.max(start, 0), end)
  const [, slash, name = ''] = (isTag && /^<(\/?)([a-z][a-z0-9]*)/i.exec(piece)) || []
  return {
    start: Math.max(start, 0),
    end,
    text: isTag ? '' : piece,
    name: name.toLowerCase(),
    isEndTag: slash === '/',
  }
}

/** The search for a tag line looks at no more tags and texts. */
const LINE_PIECES_MAX = 2000

/** Reads the HTML backwards, so that the cost does not grow with its length. */
function findLastLine(html: string): LastLine | undefined {
  const enclosing: EnclosingElement[] = []
  let text = ''
  let to = -1
  let pieces = 0
  for (let at = html.length; at > 0; ) {
    if (++pieces > LINE_PIECES_MAX) return undefined
    const { start, end, name, isEndTag, ...piece } = pieceBefore(html, at)
    at = start
    const hasText = to >= 0
    if (name === '') {
      if (!hasText && decodeSpaces(piece.text).trim() === '') continue
      if (!hasText) to = end
      text = piece.text + text
      if (text.length > TAG_LINE_MAX_CHARS) return undefined
    } else if (INLINE.has(name) || (name === 'br' && !hasText)) continue
    else if (isBoundary(name, hasText)) {
      const isBlock = !isEndTag && name !== 'br' && name !== 'hr'
      const block = isBlock ? enclosing.at(-1) : undefined
      const from = block || name === 'br' ? start : end
      return isPlain(enclosing) ? { text, from, to, block } : undefined
    } else if (hasText || !isBlockName(name)) return undefined
    else if (isEndTag) enclosing.push({ name, end })
    else enclosing.pop()
  }
  return to >= 0 && isPlain(enclosing) ? { text, from: 0, to, block: undefined } : undefined
}

const OBJECTS = new Set('img audio video source track iframe code kbd samp hr br'.split(' '))

function isBlockName(name: string): boolean {
  return !OBJECTS.has(name)
}

/** Whether the line begins at this HTML tag. */
function isBoundary(name: string, hasText: boolean): boolean {
  return hasText && (name === 'br' || name === 'hr' || isBlockName(name))
}

function isPlain(enclosing: EnclosingElement[]): boolean {
  return enclosing.every(({ name }) => PLAIN_BLOCKS.has(name))
}

/** HTML tags within the line stay, so that every element keeps its end tag. */
function withoutLine(html: string, { from, to, block }: LastLine): string {
  if (block) return html.slice(0, from) + html.slice(block.end)
  const tags = html.slice(from, to).match(/<(?!br\b)[^<>]*>/gi) ?? []
  return html.slice(0, from) + tags.join('') + html.slice(to)
}

/** Counts code points, as the form and the server both do for title and content. */
export function hasMoreCharacters(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || [...text].length > max)
}

/**
 * The initials of a name: the first letter or digit of its first two words, in capitals.
 *
 * @source api.md §5 "Initials"
 */
export function initialsOf(name: string): string {
  const text = normaliseUnicode(name).trim()
  const words = text.split(/\s/u.test(text) ? /\s+/u : /_+/u).filter(Boolean)
  return words
    .slice(0, 2)
    .map((word) => graphemesOf(word).find((grapheme) => /[\p{L}\p{N}]/u.test(grapheme)) ?? '')
    .map((letter) => graphemesOf(letter.toUpperCase())[0] ?? '')
    .join('')
}
