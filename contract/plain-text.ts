// What the text of a post says: a body in HTML as plain text, its words, and its tags. Works on
// text, without a DOM: server and screens read the same.

import { graphemesOf, truncateAtGrapheme } from './graphemes.ts'
import { TAG_MAX_CHARS } from './limits.ts'
import { isVisible } from './visible-text.ts'

/** Words on both sides of such a tag are two words. */
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

/** @returns the entity itself where it is not known, and nothing for one of no character */
export function decodeEntity(whole: string, name: string): string {
  if (name.startsWith('#x') || name.startsWith('#X'))
    return characterOf(Number.parseInt(name.slice(2), 16))
  if (name.startsWith('#')) return characterOf(Number(name.slice(1)))
  return ENTITIES[name] ?? whole
}

export function decodeEntities(text: string): string {
  return text.replace(/&(#?\w+);/g, decodeEntity)
}

/** What is more than a blank between words. */
const WIDE_SPACE = /(?! \S)\s+/g

/**
 * The text of an HTML body, with one space between blocks. It is not escaped: never show it as
 * HTML.
 */
export function plainText(html: string): string {
  return decodeEntities(
    withReadableMarks(withoutHidden(html))
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
  [...'0123456789+-−=()ni'].map((sign, at) => [sign, [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ'][at]]),
)
const LOWERED = new Map(
  [...'0123456789+-−=()'].map((sign, at) => [sign, [...'₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎'][at]]),
)

/** Raised and lowered numbers stay so, and readings stand in brackets behind their words. */
function withReadableMarks(html: string): string {
  const text = /<su[bp]\b/i.test(html) ? html.replace(SCRIPT, readScript) : html
  return /<ruby\b/i.test(text) ? text.replace(RUBY, readRuby) : text
}

function readScript(all: string, name: string, inside: string): string {
  const isRaised = name.toLowerCase() === 'sup'
  const signs = isRaised ? RAISED : LOWERED
  const text = inside.trim()
  if (!/^[\d+−=()ni-]+$/.test(text) && !/^[\p{L}\d]*[+−=*/-][\p{L}\d+−=*/()-]*$/u.test(text))
    return all
  const written = [...text].map((sign) => signs.get(sign))
  if (written.every((sign) => sign !== undefined) && /[\dni]/.test(text)) return written.join('')
  return `${isRaised ? '^' : '_'}(${text})`
}

function readRuby(all: string, inside: string): string {
  if (/<rp\b/i.test(inside)) return all
  const words = inside.replace(READING, '')
  const reading = [...inside.matchAll(READING)].map(([, text = '']) => text).join('')
  if (reading.trim() === '') return words
  return /[\u2e80-\uffff]/.test(words) ? `${words}（${reading}）` : `${words} (${reading})`
}

/** The beginning of a body in HTML, without the tag that it would cut off: that is no text. */
export function truncateHtml(html: string, maxChars: number): string {
  return html.length > maxChars ? html.slice(0, maxChars).replace(/<[^<>]*$/, '') : html
}

/** What no shortened text ends with. */
const ENDS = ' ,;:.–—-'

/**
 * Plain text, cut at the end of a word or at least of a whole sign, with an ellipsis when something
 * was left out.
 */
export function truncateText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const head = truncateAtGrapheme(text, maxChars)
  const lastSpace = head.lastIndexOf(' ')
  return `${trimEndChars(lastSpace > maxChars / 2 ? head.slice(0, lastSpace) : head, ENDS)}…`
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
const OTHER_TAG = /<[^<>]*>/g
const ENTITY = /&(?:#x?[0-9a-f]+|[a-z][a-z0-9]*);/gi
/** Scripts without spaces between words: each sign counts. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}][\p{M}'’‑-]*)+/gu
const MAYBE_UNSPACED = /[\u0e00-\u0e7f\u2e80-\uffff]/
/** The same where no such sign is, which is soon seen. */
const SPACED_WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’‑-]*/gu

/** All words in their order, as they are written. */
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
 * No letter of any language has more marks; Unicode's own bound (UAX #15, "Stream-Safe"). Some
 * signs become marks when they are taken apart.
 */
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/**
 * The text in a normal form of Unicode. Bringing marks into order costs the square of how many
 * follow one another, so that those beyond any use are left out first.
 */
export function normaliseUnicode(text: string, form: 'NFC' | 'NFKC' | 'NFKD' = 'NFC'): string {
  return text.replace(TOO_MANY_MARKS, '$1').normalize(form)
}

/** The text without certain signs at its ends; `String.trim` takes every white space. */
export function trimChars(text: string, signs: string): string {
  return trimEndChars(text.slice(startWithout(text, signs)), signs)
}

export function trimEndChars(text: string, signs: string): string {
  let end = text.length
  while (end > 0 && signs.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

function startWithout(text: string, signs: string): number {
  let start = 0
  while (start < text.length && signs.includes(text.charAt(start))) start++
  return start
}

// --- tags: what may be one, the form it is found by, and the last line of a text that holds
// nothing but tags (api.md §15.14)

/** Length of a tag's key, in which some letters are written out. */
export const TAG_KEY_MAX_CHARS = 4 * TAG_MAX_CHARS
/** Characters of a last line that may hold tags. A longer one holds none. */
const TAG_LINE_MAX_CHARS = 1000

/** Letters, marks and numbers of any script; not a mark alone, and not only `_` and `-`. */
const TAG = /^(?!\p{M})(?=.*[\p{L}\p{N}])[\p{L}\p{M}\p{N}_-]+$/u
const SIGNS = /^[\p{L}\p{M}\p{N}_-]+$/u
const SIGN = /^[#＃]/u

/** Whether a text may be a tag: one word of at most `TAG_MAX_CHARS`, without its sign #. */
export function isTag(text: string): boolean {
  return (
    !hasMoreCharacters(text, TAG_MAX_CHARS) &&
    TAG.test(text) &&
    isVisible(text) &&
    isTagKey(tagKey(text))
  )
}

/** Whether a text may be the key of a tag. */
export function isTagKey(text: string): boolean {
  return !hasMoreCharacters(text, TAG_KEY_MAX_CHARS) && TAG.test(text) && tagKey(text) === text
}

/** Whether a tag may begin so; no other character is in any. */
export function isTagStart(text: string): boolean {
  return SIGNS.test(text)
}

/** A tag as it is typed, without its sign and the spaces around it. */
export function withoutHash(text: string): string {
  return text.trim().replace(SIGN, '')
}

/** The form in which tags are compared and addressed; of a key it is the key itself. */
export function tagKey(text: string): string {
  return normaliseUnicode(normaliseUnicode(text, 'NFKC').toLowerCase(), 'NFKC')
}

/** The path of a tag's page, percent-encoded, from the root of the site. */
export function tagPath(tag: string): string {
  return `/tag/${encodeURIComponent(tagKey(tag))}`
}

/** The tags, each once: of several spellings the first. */
export function distinctTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const tag of tags) if (!byKey.has(tagKey(tag))) byKey.set(tagKey(tag), tag)
  return [...byKey.values()]
}

/** The tags of a post; none where a program keeps something else under the name. */
export function tagsOf({ tags }: { tags?: unknown }): string[] {
  if (!Array.isArray(tags)) return []
  return tags.every((one) => typeof one === 'string' && isTag(one)) ? (tags as string[]) : []
}

/** The tags of a post that its text does not say itself: those that were sent. */
export function tagsOutsideText(post: { tags?: unknown; content: string }): string[] {
  const line = findTagLine(post.content)
  const keys = new Set(line?.words.map(tagKey))
  return tagsOf(post).filter((tag) => !keys.has(tagKey(tag)))
}

/** A last line that holds nothing but words after #. */
export type TagLine = {
  /** Without their signs, also those that are too long to be tags. */
  words: string[]
  /** The text without the line. */
  rest: string
}

/** The last line of clean HTML: a block of its own, or what follows its last line break. */
export function findTagLine(html: string): TagLine | undefined {
  if (!/[#＃]/.test(html)) return undefined
  const line = findLastLine(html)
  const words = line && readTagWords(decodeSpaces(line.text))
  return words && { words, rest: withoutLine(html, line) }
}

function readTagWords(line: string): string[] | undefined {
  const words = line.split(/[\s,،、\u200b]+/).filter((word) => word !== '')
  const tags = words.map((word) => word.replace(SIGN, ''))
  const isLine = words.every((word, at) => SIGN.test(word) && TAG.test(tags[at] ?? ''))
  return isLine && words.length > 0 ? tags : undefined
}

function decodeSpaces(text: string): string {
  return text.replace(/&(?:nbsp|#160|#xa0);/gi, ' ')
}

/** The same HTML without its last line, if the tags shown beside it say all that the line says. */
export function withoutTagLine(html: string, shown: readonly string[]): string {
  const line = shown.length > 0 ? findTagLine(html) : undefined
  const keys = new Set(shown.map(tagKey))
  return line?.words.every((word) => keys.has(tagKey(word))) ? line.rest : html
}

/** Blocks that a line of tags may stand in; in any other it is a part of that. */
const PLAIN_BLOCKS = new Set(['p', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const INLINE = new Set(
  'strong b em i u s del ins sub sup small mark abbr cite q var time span a'.split(' '),
)

type Piece = { start: number; end: number; text: string; name: string; isEndTag: boolean }
/** An element around the line, and where its end tag ends. */
type Around = { name: string; end: number }
/** `block` is the element that holds nothing but the line; else it is what is in `[from, to)`. */
type LastLine = { text: string; from: number; to: number; block: Around | undefined }

/** The tag or the text that ends here. */
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

/** Tags and texts that are gone through: no line of tags has nearly as many. */
const LINE_PIECES_MAX = 2000

/** Goes through the HTML from its end, so that the cost does not grow with what stands before. */
function findLastLine(html: string): LastLine | undefined {
  const around: Around[] = []
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
      const block = isBlock ? around.at(-1) : undefined
      const from = block || name === 'br' ? start : end
      return isPlain(around) ? { text, from, to, block } : undefined
    } else if (hasText || !isBlockName(name)) return undefined
    else if (isEndTag) around.push({ name, end })
    else around.pop()
  }
  return to >= 0 && isPlain(around) ? { text, from: 0, to, block: undefined } : undefined
}

const OBJECTS = new Set('img audio video source track iframe code kbd samp hr br'.split(' '))

function isBlockName(name: string): boolean {
  return !OBJECTS.has(name)
}

/** Where the line begins, coming from its end. */
function isBoundary(name: string, hasText: boolean): boolean {
  return hasText && (name === 'br' || name === 'hr' || isBlockName(name))
}

function isPlain(around: Around[]): boolean {
  return around.every(({ name }) => PLAIN_BLOCKS.has(name))
}

/** Tags within the line stay, so that every element keeps its end. */
function withoutLine(html: string, { from, to, block }: LastLine): string {
  if (block) return html.slice(0, from) + html.slice(block.end)
  const tags = html.slice(from, to).match(/<(?!br\b)[^<>]*>/gi) ?? []
  return html.slice(0, from) + tags.join('') + html.slice(to)
}

/** Characters of title and content are code points, in the form and on the server alike. */
export function hasMoreCharacters(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || [...text].length > max)
}

/**
 * The letters that stand for a name: the first letter or digit of its first two words, in capitals.
 *
 * @source api.md §5 "Initials"
 */
export function initialsOf(name: string): string {
  const text = normaliseUnicode(name).trim()
  const words = text.split(/\s/u.test(text) ? /\s+/u : /_+/u).filter(Boolean)
  return words
    .slice(0, 2)
    .map((word) => graphemesOf(word).find((sign) => /[\p{L}\p{N}]/u.test(sign)) ?? '')
    .map((sign) => graphemesOf(sign.toUpperCase())[0] ?? '')
    .join('')
}
