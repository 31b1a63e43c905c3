// HTML of post bodies -> the same without anything that could run, load from elsewhere or leave its
// place (threat-model.md §8 "HTML"). Allow-lists only. In one piece because the lists and the few
// rewritings of media are one policy. Knows nothing of posts.
import sanitizeHtml from 'sanitize-html'
import { Refusal } from '#contract/errors.ts'
import { CONTENT_MAX_CHARS, CONTENT_MAX_DEPTH } from '#contract/limits.ts'
import { type Addresses, type AddressNeeds, makeAddresses } from './sanitise-addresses.ts'
import { mendLists } from './sanitise-lists.ts'
import { cleanStyle } from './sanitise-styles.ts'

/**
 * Cleans a post body; cleaning twice changes nothing.
 *
 * @throws Refusal `document_invalid_structure` when elements are nested deeper than 100, or the
 *   text is longer than a post may be
 */
export type Sanitise = (html: string) => string

const WORDS = (text: string): string[] => text.split(' ')
const ELEMENTS = [
  ...WORDS(
    'p br hr h1 h2 h3 h4 h5 h6 blockquote pre code strong b em i u s del ins sub sup small mark abbr cite q kbd samp var time span div a',
  ),
  ...WORDS(
    'ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr th td figure figcaption img audio video source track iframe details summary',
  ),
]
const VOID = WORDS('br hr img col source track')
/** Dropped together with what is inside. */
const WITH_CONTENT = [
  ...WORDS(
    'script style template noscript noembed noframes xmp plaintext listing textarea title svg math object embed applet meta link base param',
  ),
  ...WORDS(
    'select option optgroup button input datalist output meter progress keygen canvas frameset frame head',
  ),
]
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  '*': WORDS('class style dir lang title'),
  a: ['href', 'target'],
  img: WORDS('src alt width height'),
  audio: WORDS('src width height controls preload'),
  video: WORDS('src width height controls poster preload'),
  source: ['src'],
  track: ['src'],
  iframe: WORDS('src width height'),
  td: WORDS('colspan rowspan'),
  th: WORDS('colspan rowspan scope'),
  col: ['span'],
  colgroup: ['span'],
  ol: WORDS('start reversed type'),
  ul: ['type'],
  li: WORDS('value type'),
  blockquote: ['cite'],
  q: ['cite'],
  del: WORDS('cite datetime'),
  ins: WORDS('cite datetime'),
  time: ['datetime'],
  details: ['open'],
}
const CLASS = /^(?:language|align)-[A-Za-z0-9_+#.-]{1,40}$/
const TEXT_MAX_CHARS = 1000
const SPAN_MAX = 1000
const PASSES_MAX = 6
/**
 * Set on what is taken out again at the end of a pass; an attribute of this name is never let
 * through.
 */
const MARK = 'data-m'
const MARKED = /<span data-m><\/span>|<(video|audio) data-m="(\d+)"([^>]*)>|<\/(?:video|audio)>/g
const LINK_REL = 'noopener noreferrer nofollow ugc'
const PLAYER = {
  sandbox: 'allow-scripts allow-same-origin allow-presentation allow-popups',
  loading: 'lazy',
  // The players refuse to play without knowing the site that shows them.
  referrerpolicy: 'strict-origin-when-cross-origin',
}

type Attributes = sanitizeHtml.Attributes
type Tag = sanitizeHtml.Tag

/** Elements open at a moment of a pass; media note whether they have anything to play. */
type Open = { name: string; isLink: boolean; hasMedia: boolean }

export function makeSanitise(needs: AddressNeeds): Sanitise {
  const addresses = makeAddresses(needs)
  return (html) => {
    let before = html
    for (let pass = 0; pass < PASSES_MAX; pass++) {
      const after = cleanOnce(before, addresses)
      if (after === before) return after
      before = after
    }
    // Never seen: something that changes at every pass is kept as text.
    return before.replace(/<[^>]*>?/g, ' ').replace(/[<>]/g, ' ')
  }
}

function cleanOnce(html: string, addresses: Addresses): string {
  const open: Open[] = []
  const media: Open[] = []
  let chars = 0
  const inLink = (): boolean => open.slice(0, -1).some(({ isLink }) => isLink)

  /** The transformer of sanitize-html sees each opening tag after `onOpenTag` has pushed it. */
  function transform(name: string, attributes: Attributes): Tag {
    const tag = rewrite(name, attributes)
    if (!Object.hasOwn(tag.attribs, MARK))
      count(`<${tag.tagName}>${VOID.includes(tag.tagName) ? '' : `</${tag.tagName}>`}`)
    const self = open.at(-1)
    if (self) self.isLink = tag.tagName === 'a'
    return tag
  }

  /**
   * Refuses at once what will be too long in the end: cleaning it all would hold up everybody else.
   */
  function count(text: string): void {
    chars += text.length - (text.match(/[\ud800-\udbff]/g)?.length ?? 0)
    if (chars > CONTENT_MAX_CHARS)
      refuse('type', `Value must be a valid string and no longer than ${CONTENT_MAX_CHARS} chars`)
  }

  function rewrite(name: string, sent: Attributes): Tag {
    const attributes = cleanAttributes(name, sent, addresses)
    if (name === 'a')
      return inLink()
        ? { tagName: 'span', attribs: {} }
        : { tagName: 'a', attribs: withRel(attributes) }
    if (name === 'iframe')
      return attributes.src
        ? { tagName: 'iframe', attribs: { ...attributes, ...PLAYER }, text: '' }
        : asLink(sent)
    if (name === 'img')
      return attributes.src ? { tagName: 'img', attribs: attributes } : asLink(sent)
    if (name === 'source' || name === 'track') return asMediaSource(name, attributes, sent)
    if (name === 'audio' || name === 'video') {
      const self = open.at(-1)
      if (sent.src && !attributes.src) return asLink(sent)
      if (!self) return drop()
      self.hasMedia = attributes.src !== undefined
      return { tagName: name, attribs: { [MARK]: String(media.push(self) - 1), ...attributes } }
    }
    return { tagName: name, attribs: attributes }
  }

  function asMediaSource(name: string, attributes: Attributes, sent: Attributes): Tag {
    const player = open.findLast((one) => one.name === 'audio' || one.name === 'video')
    if (!player) return drop()
    if (!attributes.src) return name === 'source' ? asLink(sent) : drop()
    if (name === 'source') player.hasMedia = true
    return { tagName: name, attribs: attributes }
  }

  /**
   * What would load from elsewhere becomes a plain link to it, so that nothing vanishes silently.
   */
  function asLink(sent: Attributes): Tag {
    const href = addresses.toForeign(sent.src ?? '')
    if (!href) return drop()
    const text =
      (sent.alt || sent.title || href).replace(/\s+/g, ' ').trim().slice(0, TEXT_MAX_CHARS) || href
    return inLink()
      ? { tagName: 'span', attribs: {}, text }
      : { tagName: 'a', attribs: withRel({ href }), text }
  }

  // Renaming to a forbidden element would confuse the end tags of sanitize-html, and its own filter
  // copies all at each removal.
  function drop(): Tag {
    return { tagName: 'span', attribs: { [MARK]: '' }, text: '' }
  }

  /** Takes out what was dropped, and players with nothing to play; what is inside those stays. */
  function withoutMarked(marked: string): string {
    const isKept: boolean[] = []
    return marked.replace(MARKED, (all: string, name?: string, index?: string, attributes = '') => {
      if (name === undefined) return all.startsWith('</') && isKept.pop() ? all : ''
      isKept.push(media[Number(index)]?.hasMedia === true)
      return isKept.at(-1) ? `<${name}${attributes}>` : ''
    })
  }

  const tidy = html
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, '')
  const cleaned = sanitizeHtml(tidy, {
    allowedTags: ELEMENTS,
    // Attributes are chosen by `transform`, which knows more than a list can say.
    allowedAttributes: false,
    parseStyleAttributes: false,
    nonTextTags: WITH_CONTENT,
    selfClosing: VOID,
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['http', 'https', 'data'] },
    transformTags: Object.fromEntries(ELEMENTS.map((name) => [name, transform])),
    textFilter(text) {
      count(text)
      return text
    },
    onOpenTag(name) {
      open.push({ name, isLink: false, hasMedia: false })
      if (open.length > CONTENT_MAX_DEPTH)
        refuse('format', `Value must not nest elements deeper than ${CONTENT_MAX_DEPTH} levels`)
    },
    onCloseTag() {
      open.pop()
    },
  })
  return mendLists(withoutMarked(cleaned))
}

function refuse(what: 'type' | 'format', rule: string): never {
  throw new Refusal(
    'document_invalid_structure',
    `Invalid document structure: Attribute "content" has invalid ${what}. ${rule}`,
  )
}

function withRel(attributes: Attributes): Attributes {
  return attributes.href === undefined ? {} : { ...attributes, rel: LINK_REL }
}

/** The allowed attributes with good values, in a fixed order. */
function cleanAttributes(element: string, sent: Attributes, addresses: Addresses): Attributes {
  const kept: Attributes = {}
  for (const name of [...(ATTRIBUTES[element] ?? []), ...(ATTRIBUTES['*'] ?? [])]) {
    if (!Object.hasOwn(sent, name)) continue
    const value = cleanValue(element, name, sent[name] ?? '', addresses)
    if (value !== undefined) kept[name] = value
  }
  return kept
}

function cleanValue(
  element: string,
  name: string,
  value: string,
  addresses: Addresses,
): string | undefined {
  switch (name) {
    case 'class':
      return (
        WORDS(value.replace(/\s+/g, ' ').trim())
          .filter((one) => CLASS.test(one))
          .join(' ') || undefined
      )
    case 'style':
      return cleanStyle(value) || undefined
    case 'href':
      return addresses.toLink(value)
    case 'src':
      if (element === 'iframe') return addresses.toPlayer(value)
      return (
        addresses.toOwnFile(value) ?? (element === 'img' ? addresses.toDataImage(value) : undefined)
      )
    case 'poster':
      return addresses.toOwnFile(value)
    case 'cite':
      return addresses.toWeb(value)
    case 'alt':
    case 'title':
      return value.slice(0, TEXT_MAX_CHARS).toWellFormed()
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

const GRAMMARS: Readonly<Record<string, RegExp>> = {
  dir: /^(?:ltr|rtl|auto)$/,
  lang: /^[A-Za-z0-9-]{1,35}$/,
  target: /^_blank$/,
  width: /^\d{1,4}%?$/,
  height: /^\d{1,4}%?$/,
  preload: /^(?:none|metadata|auto)$/,
  scope: /^(?:row|col|rowgroup|colgroup)$/,
  start: /^-?\d{1,6}$/,
  value: /^-?\d{1,6}$/,
  type: /^(?:1|a|A|i|I|disc|circle|square)$/,
  datetime: /^[0-9A-Za-z:+. -]{1,40}$/,
}
