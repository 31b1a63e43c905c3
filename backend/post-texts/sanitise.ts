// Removes from the HTML of post bodies everything that could run, load from other sites or cover
// the page around it (threat-model.md §8 "HTML"). Allow-lists only. In one piece because the lists
// and the rewriting of media are one policy. Independent of posts.
import { createRequire } from 'node:module'
import type sanitizeHtml from 'sanitize-html'
import { Refusal } from '#contract/errors.ts'
import { FOOTNOTE_KEY } from '#contract/footnotes.ts'
import { convertFormulas } from '#contract/formulas.ts'
import { truncateAtGrapheme } from '#contract/graphemes.ts'
import { imageEmoji } from '#contract/image-emoji.ts'
import { CONTENT_MAX_CHARS } from '#contract/limits.ts'
import { fixFootnotes } from './sanitise-footnotes.ts'
import { fixNestedLists } from './sanitise-lists.ts'
import { fixObjects } from './sanitise-objects.ts'
import { cleanStyle, fontSizeIn, READING_FONT_PX } from './sanitise-styles.ts'
import {
  type AddressOptions,
  toDataImageAddress,
  toForeignAddress,
  toLinkAddress,
  toOwnFileAddress,
  toPlayerAddress,
  toWebAddress,
} from './sanitise-urls.ts'

const require = createRequire(import.meta.url)

/** Bounds of a body before it is cleaned: UTF-16 code units, and `<` characters. */
export const CONTENT_SENT_MAX_CHARS = 2 * CONTENT_MAX_CHARS
export const CONTENT_TAGS_MAX = 300_000
/** How deep elements of a post body may be nested. */
const CONTENT_MAX_DEPTH = 100

/**
 * Cleans a post body; cleaning twice changes nothing.
 *
 * @throws Refusal `document_invalid_structure` when elements are nested deeper than 100, or the
 *   body is too long before or after cleaning
 */
export type Sanitise = (html: string) => string

const words = (text: string): string[] => text.split(' ')
const ELEMENTS = [
  ...words(
    'p br hr h1 h2 h3 h4 h5 h6 blockquote pre code strong b em i u s del ins sub sup small mark abbr cite q kbd samp var time span div a ruby rt rp',
  ),
  ...words(
    'ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr th td figure figcaption img audio video source track iframe details summary',
  ),
]
/** Blocks that become `div`. */
const OTHER_BLOCKS = words(
  'section article header footer main aside nav address center fieldset legend hgroup search dialog form marquee',
)
const OTHER_BLOCK_START = new RegExp(`(?<=\\S)<(?:${OTHER_BLOCKS.join('|')})(?=[\\s/>])`, 'gi')
const OTHER_BLOCK_END = new RegExp(`</(?:${OTHER_BLOCKS.join('|')})>(?=\\S)`, 'gi')
/** Dropped elements that separate two words. */
const DROPPED_OBJECT =
  /(?<=[\p{L}\p{N}])<(?:svg|object|embed|applet|canvas|button|input|select|textarea|meter|progress|output)(?=[\s/>])/giu
/** Elements that become others of the same meaning, so that no words are lost or joined. */
const RENAMED: Readonly<Record<string, string>> = {
  strike: 's',
  tt: 'code',
  acronym: 'abbr',
  dir: 'ul',
  menu: 'ul',
  rtc: 'rt',
  ...Object.fromEntries(OTHER_BLOCKS.map((name) => [name, 'div'])),
}
const VOID = words('br hr img col source track')
/** Dropped together with their content. */
const DROPPED_WITH_CONTENT = [
  ...words(
    'script style template noscript noembed noframes xmp plaintext listing textarea title svg annotation annotation-xml object embed applet meta link base param',
  ),
  ...words(
    'select option optgroup button input datalist output meter progress keygen canvas frameset frame head',
  ),
]
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  '*': words('class style dir lang title'),
  a: words('href id target'),
  img: words('src alt width height'),
  audio: words('src width height controls preload'),
  video: words('src width height controls poster preload'),
  source: ['src'],
  track: ['src'],
  iframe: words('src width height'),
  td: words('colspan rowspan'),
  th: words('colspan rowspan scope'),
  col: ['span'],
  colgroup: ['span'],
  ol: words('start reversed type'),
  ul: ['type'],
  li: words('id value type'),
  blockquote: ['cite'],
  q: ['cite'],
  del: words('cite datetime'),
  ins: words('cite datetime'),
  time: ['datetime'],
  details: ['open'],
}
const CLASS = /^(?:language|align)-[A-Za-z0-9_+#.-]{1,40}$/
/** The classes of objects in a text (api.md §10.4), by element. */
const OBJECT_CLASSES: Readonly<Record<string, readonly string[]>> = {
  sup: ['footnote'],
  a: ['footnote-back'],
  ul: ['tasks'],
  li: words('task done'),
  section: ['footnotes'],
  aside: words('callout link-card'),
  nav: ['contents'],
  figure: words('image gallery width-wide width-full'),
  p: ['embed'],
}
/** Without a class of {@link OBJECT_CLASSES} they become `div`. */
const OBJECT_BLOCKS = words('section aside nav')
const FOOTNOTE_LINK = new RegExp(`^#fn(?:ref)?-${FOOTNOTE_KEY}$`)
const FOOTNOTE_ID = {
  a: new RegExp(`^fnref-${FOOTNOTE_KEY}$`),
  li: new RegExp(`^fn-${FOOTNOTE_KEY}$`),
}
const TEXT_MAX_CHARS = 1000
const SPAN_MAX = 1000
const PASSES_MAX = 6
/**
 * Marks elements that are removed at the end of a pass; a sent attribute of this name is dropped.
 */
const MARK = 'data-m'
const MARKED =
  /<span data-m>([^<>]*)<\/span>|<(video|audio) data-m="(\d+)"([^<>]*)>|<\/(?:video|audio)>/g
const LINK_REL = 'noopener noreferrer'
const PLAYER = {
  sandbox: 'allow-scripts allow-same-origin allow-presentation allow-popups',
  loading: 'lazy',
  // The players refuse to play without knowing the site that shows them.
  referrerpolicy: 'strict-origin-when-cross-origin',
}

type Attributes = sanitizeHtml.Attributes
type Tag = sanitizeHtml.Tag

/** An element that is still open; `hasMedia`: a player that has something to play. */
type OpenElement = {
  name: string
  isLink: boolean
  hasMedia: boolean
  /** Its font size, as far as it is known (sanitise-styles.ts). */
  fontPx: number
}

/** The state of one pass over a body. */
type Pass = {
  addresses: AddressOptions
  /** The open elements, the innermost last. */
  open: OpenElement[]
  /** Every player, by the number in its mark. */
  players: OpenElement[]
  /** Length of the output so far, in code points; end tags are counted with their start tags. */
  chars: number
}

export function makeSanitise(addresses: AddressOptions): Sanitise {
  return (html) => {
    checkSize(html)
    let before = separateBlocks(convertFormulas(html))
    for (let pass = 0; pass < PASSES_MAX; pass++) {
      const after = cleanOnce(addresses, before)
      if (after === before) return after
      before = after
    }
    // No known input gets here: a body that changes in every pass becomes plain text.
    return before.replace(/<[^>]*>?/g, ' ').replace(/[<>]/g, ' ')
  }
}

/** Separates the words of adjacent blocks, also for code that reads only the text of the body. */
function separateBlocks(html: string): string {
  return html
    .replace(OTHER_BLOCK_END, '$&\n')
    .replace(OTHER_BLOCK_START, '\n$&')
    .replace(DROPPED_OBJECT, ' $&')
}

function cleanOnce(addresses: AddressOptions, html: string): string {
  const pass: Pass = { addresses, open: [], players: [], chars: 0 }
  const transform = (name: string, attributes: Attributes) => transformTag(pass, name, attributes)
  // Loaded when the first text needs it: most processes mainly answer reads.
  const sanitize: typeof sanitizeHtml = require('sanitize-html')
  const cleaned = sanitize(removeControls(html), {
    allowedTags: [...ELEMENTS, ...OBJECT_BLOCKS],
    // `transformTag` chooses the attributes: it has more rules than a list can express.
    allowedAttributes: false,
    parseStyleAttributes: false,
    nonTextTags: DROPPED_WITH_CONTENT,
    selfClosing: VOID,
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['http', 'https', 'data'] },
    transformTags: Object.fromEntries(
      [...ELEMENTS, ...Object.keys(RENAMED)].map((name) => [name, transform]),
    ),
    textFilter(text) {
      countChars(pass, text)
      return text
    },
    onOpenTag(name) {
      const fontPx = pass.open.at(-1)?.fontPx ?? READING_FONT_PX
      pass.open.push({ name, isLink: false, hasMedia: false, fontPx })
      if (pass.open.length > CONTENT_MAX_DEPTH)
        throw invalidContent(
          'format',
          `Value must not nest elements deeper than ${CONTENT_MAX_DEPTH} levels`,
        )
    },
    onCloseTag() {
      pass.open.pop()
    },
  })
  const blocks = separateBlocks(fixNestedLists(removeMarked(pass, cleaned)))
  return fixObjects(fixFootnotes(blocks))
}

function removeControls(html: string): string {
  return html
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[\p{Cc}--[\t\n]]/gv, '')
}

/** Called by sanitize-html for each start tag, after `onOpenTag`. */
function transformTag(pass: Pass, name: string, attributes: Attributes): Tag {
  const isObject = OBJECT_BLOCKS.includes(name) && isObjectBlock(pass, name, attributes)
  const tag = rewriteTag(pass, isObject ? name : (RENAMED[name] ?? name), attributes)
  if (tag.tagName === 'a' || !Object.hasOwn(tag.attribs, MARK)) {
    const endTag = VOID.includes(tag.tagName) ? '' : `</${tag.tagName}>`
    countChars(pass, `<${tag.tagName}>${endTag}`)
  }
  const self = pass.open.at(-1)
  if (self) self.isLink = tag.tagName === 'a'
  return tag
}

/** Notes are listed once, at the end of the text: their section is in no other element. */
function isObjectBlock({ open }: Pass, name: string, attributes: Attributes): boolean {
  const hasClass = cleanClass(name, attributes.class ?? '') !== undefined
  return hasClass && (name !== 'section' || open.length === 1)
}

/**
 * Refuses a body as soon as its output is too long: cleaning all of it would block other requests.
 */
function countChars(pass: Pass, text: string): void {
  pass.chars += text.length - (text.match(/[\ud800-\udbff]/g)?.length ?? 0)
  if (pass.chars > CONTENT_MAX_CHARS)
    throw invalidContent(
      'type',
      `Value must be a valid string and no longer than ${CONTENT_MAX_CHARS} chars`,
    )
}

function rewriteTag(pass: Pass, name: string, sent: Attributes): Tag {
  const attributes = cleanAttributes(pass.addresses, name, sent)
  boundStyle(pass, name, attributes)
  switch (name) {
    case 'a':
      return isInLink(pass)
        ? { tagName: 'span', attribs: {} }
        : { tagName: 'a', attribs: withRel(attributes) }
    case 'iframe':
      return attributes.src
        ? { tagName: 'iframe', attribs: { ...attributes, ...PLAYER }, text: '' }
        : toLink(pass, sent)
    case 'img':
      return rewriteImage(pass, sent, attributes)
    case 'source':
    case 'track':
      return rewriteMediaSource(pass, name, sent, attributes)
    case 'audio':
    case 'video':
      return rewritePlayer(pass, name, sent, attributes)
    default:
      return { tagName: name, attribs: attributes }
  }
}

function rewriteImage(pass: Pass, sent: Attributes, cleaned: Attributes): Tag {
  const isOwn = cleaned.src?.startsWith('/') === true
  const emoji = imageEmoji((name) => sent[name], isOwn)
  if (emoji !== undefined) return { ...dropped(), text: emoji }
  return cleaned.src ? { tagName: 'img', attribs: cleaned } : toLink(pass, sent)
}

/** Lengths in a style are bounded relative to the font size of the parent. */
function boundStyle({ open }: Pass, name: string, attributes: Attributes): void {
  const self = open.at(-1)
  if (!self) return
  const isInQuote = open.some((element) => element !== self && element.name === 'blockquote')
  self.fontPx = fontSizeIn(name, self.fontPx, isInQuote)
  if (attributes.style === undefined) return
  const { style, fontPx } = cleanStyle(attributes.style, self.fontPx)
  self.fontPx = fontPx
  if (style) attributes.style = style
  else delete attributes.style
}

function rewritePlayer(pass: Pass, name: string, sent: Attributes, cleaned: Attributes): Tag {
  const self = pass.open.at(-1)
  if (sent.src && !cleaned.src) return toLink(pass, sent)
  if (!self) return dropped()
  self.hasMedia = cleaned.src !== undefined
  return { tagName: name, attribs: { [MARK]: String(pass.players.push(self) - 1), ...cleaned } }
}

function rewriteMediaSource(pass: Pass, name: string, sent: Attributes, cleaned: Attributes): Tag {
  const player = pass.open.findLast(({ name }) => name === 'audio' || name === 'video')
  if (!player) return dropped()
  if (!cleaned.src) return name === 'source' ? toLink(pass, sent) : dropped()
  if (name === 'source') player.hasMedia = true
  return { tagName: name, attribs: cleaned }
}

/**
 * Media of another site become a plain link to it, so that nothing disappears silently.
 */
function toLink(pass: Pass, sent: Attributes): Tag {
  const href = toForeignAddress(pass.addresses, sent.src ?? '')
  if (!href) return dropped()
  const text =
    truncateAtGrapheme(
      (sent.alt || sent.title || href).replace(/\s+/g, ' ').trim(),
      TEXT_MAX_CHARS,
    ) || href
  return isInLink(pass)
    ? { tagName: 'span', attribs: {}, text }
    : { tagName: 'a', attribs: { [MARK]: '', ...withRel({ href }) }, text }
}

function isInLink({ open }: Pass): boolean {
  return open.slice(0, -1).some(({ isLink }) => isLink)
}

// The element is marked now and removed later: renaming it to a forbidden element would confuse the
// end tags of sanitize-html, whose own filter copies the whole output for each removed element.
function dropped(): Tag {
  return { tagName: 'span', attribs: { [MARK]: '' }, text: '' }
}

/** Removes marked elements, and the tags, but not the content, of players with nothing to play. */
function removeMarked({ players }: Pass, marked: string): string {
  /** Whether the open players remain, the innermost last. */
  const remains: boolean[] = []
  const unmark = (all: string, text?: string, name?: string, index?: string, attributes = '') => {
    if (text !== undefined) return text
    if (name === undefined) return remains.pop() ? all : ''
    remains.push(players[Number(index)]?.hasMedia === true)
    return remains.at(-1) ? `<${name}${attributes}>` : ''
  }
  return separateWords(marked).replace(MARKED, unmark)
}

const BEFORE_MEDIA_LINK = /(?<=[\p{L}\p{N}])(?=<a data-m )/gu
const MEDIA_LINK = /<a data-m [^<>]*>[^<>]*<\/a>(?=[\p{L}\p{N}])/gu
const REMOVED_MEDIA = /(?<=[\p{L}\p{N}])<span data-m><\/span>(?=[\p{L}\p{N}])/gu

/** Separates the words around media that were removed or became a link. */
function separateWords(marked: string): string {
  if (!marked.includes(' data-m')) return marked
  return marked
    .replace(BEFORE_MEDIA_LINK, ' ')
    .replace(MEDIA_LINK, '$& ')
    .replace(REMOVED_MEDIA, ' ')
    .replaceAll('<a data-m ', '<a ')
}

function withRel(attributes: Attributes): Attributes {
  const { id: _id, ...link } = attributes
  if (link.href === undefined) return {}
  return link.href.startsWith('#') ? attributes : { ...link, rel: LINK_REL }
}

/** The allowed attributes with valid values, in a fixed order. */
function cleanAttributes(addresses: AddressOptions, element: string, sent: Attributes): Attributes {
  const cleaned: Attributes = {}
  for (const name of [...(ATTRIBUTES[element] ?? []), ...(ATTRIBUTES['*'] ?? [])]) {
    if (!Object.hasOwn(sent, name)) continue
    const value = cleanValue(addresses, element, name, sent[name] ?? '')
    if (value !== undefined) cleaned[name] = value
  }
  return cleaned
}

function cleanValue(addresses: AddressOptions, element: string, name: string, value: string) {
  switch (name) {
    case 'class':
      return cleanClass(element, value)
    case 'id':
      return FOOTNOTE_ID[element as keyof typeof FOOTNOTE_ID].test(value) ? value : undefined
    case 'style':
      return value // cleaned by boundStyle
    case 'href':
      return FOOTNOTE_LINK.test(value) ? value : toLinkAddress(addresses, value)
    case 'src':
      if (element === 'iframe') return toPlayerAddress(addresses, value)
      return (
        toOwnFileAddress(addresses, value) ??
        (element === 'img' ? toDataImageAddress(value) : undefined)
      )
    case 'poster':
      return toOwnFileAddress(addresses, value)
    case 'cite':
      return toWebAddress(addresses, value)
    case 'alt':
    case 'title':
      return truncateAtGrapheme(value, TEXT_MAX_CHARS).toWellFormed()
    case 'controls':
    case 'reversed':
    case 'open':
      return ''
    case 'colspan':
    case 'rowspan':
    case 'span':
      return /^[1-9]\d{0,3}$/.test(value) && Number(value) <= SPAN_MAX ? value : undefined
    default:
      return GRAMMARS[name]?.test(value) ? value : undefined
  }
}

function cleanClass(element: string, value: string): string | undefined {
  const names = words(value.replace(/\s+/g, ' ').trim())
  const isAllowed = (name: string) => CLASS.test(name) || OBJECT_CLASSES[element]?.includes(name)
  return names.filter(isAllowed).join(' ') || undefined
}

/** Pixels give only the proportions of an image; the style sheet decides its size. */
const SIZE_ATTRIBUTE = /^(?:\d{1,4}|\d{1,2}%|100%)$/
const GRAMMARS: Readonly<Record<string, RegExp>> = {
  dir: /^(?:ltr|rtl|auto)$/,
  lang: /^[A-Za-z0-9-]{1,35}$/,
  target: /^_blank$/,
  width: SIZE_ATTRIBUTE,
  height: SIZE_ATTRIBUTE,
  preload: /^(?:none|metadata|auto)$/,
  scope: /^(?:row|col|rowgroup|colgroup)$/,
  start: /^-?\d{1,6}$/,
  value: /^-?\d{1,6}$/,
  type: /^(?:1|a|A|i|I|disc|circle|square)$/,
  datetime: /^[0-9A-Za-z:+. -]{1,40}$/,
}

const SENT_RULE = `Value must be a valid string and no longer than ${CONTENT_SENT_MAX_CHARS} chars as it is sent`
const OBJECT = /^<(?:img|iframe|video|audio|pre|table)\b/i
/** `<iframe` and the character after it. */
const OBJECT_CHARS = 8

/**
 * Checks a body before it is cleaned.
 *
 * @param objectsMax for sent bodies; posts that are older than the bound may have more objects
 * @throws Refusal `document_invalid_structure`
 */
export function checkSize(html: string, objectsMax = Number.POSITIVE_INFINITY): void {
  if (html.length > CONTENT_SENT_MAX_CHARS) throw invalidContent('type', SENT_RULE)
  let tags = 0
  let objects = 0
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at + 1)) {
    if (++tags > CONTENT_TAGS_MAX)
      throw invalidContent('format', `Value must hold no more than ${CONTENT_TAGS_MAX} tags`)
    if (OBJECT.test(html.slice(at, at + OBJECT_CHARS)) && ++objects > objectsMax)
      throw invalidContent(
        'format',
        `Value must hold no more than ${objectsMax} images, players, code samples and tables`,
      )
  }
}

export function invalidContent(fault: 'type' | 'format', rule: string): Refusal {
  return new Refusal(
    'document_invalid_structure',
    `Invalid document structure: Attribute "content" has invalid ${fault}. ${rule}`,
  )
}
