// HTML of post bodies -> the same without anything that could run, load from elsewhere or leave its place (threat-model §8 "HTML").
// Allow-lists only. In one piece because the lists and the few rewritings of media are one policy. Knows nothing of posts.
import sanitizeHtml from 'sanitize-html'
import { Refusal } from '#contract/errors.ts'
import { CONTENT_MAX_DEPTH } from '#contract/limits.ts'
import { type Addresses, type AddressNeeds, makeAddresses } from './sanitise-addresses.ts'
import { cleanStyle } from './sanitise-styles.ts'

/**
 * Cleans a post body; cleaning twice changes nothing.
 *
 * @throws Refusal `document_invalid_structure` when elements are nested deeper than 100
 */
export type Sanitise = (html: string) => string

const WORDS = (text: string): string[] => text.split(' ')
const ELEMENTS = [
  ...WORDS('p br hr h1 h2 h3 h4 h5 h6 blockquote pre code strong b em i u s del ins sub sup small mark abbr cite q kbd samp var time span div a'),
  ...WORDS(
    'ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr th td figure figcaption img audio video source track iframe details summary',
  ),
]
const VOID = WORDS('br hr img col source track')
/** Dropped together with what is inside. */
const WITH_CONTENT = [
  ...WORDS('script style template noscript noembed noframes xmp plaintext listing textarea title svg math object embed applet meta link base param'),
  ...WORDS('select option optgroup button input datalist output meter progress keygen canvas frameset frame head'),
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
  let closed: Open | undefined
  const dropped = new WeakSet<object>()
  const inLink = (): boolean => open.slice(0, -1).some(({ isLink }) => isLink)

  /** The transformer of sanitize-html sees each opening tag after `onOpenTag` has pushed it. */
  function transform(name: string, attributes: Attributes): Tag {
    const tag = rewrite(name, attributes)
    const self = open.at(-1)
    if (self) self.isLink = tag.tagName === 'a'
    return tag
  }

  function rewrite(name: string, sent: Attributes): Tag {
    const attributes = cleanAttributes(name, sent, addresses)
    if (name === 'a') return inLink() ? { tagName: 'span', attribs: {} } : { tagName: 'a', attribs: withRel(attributes) }
    if (name === 'iframe') return attributes.src ? { tagName: 'iframe', attribs: { ...attributes, ...PLAYER }, text: '' } : asLink(sent)
    if (name === 'img') return attributes.src ? { tagName: 'img', attribs: attributes } : asLink(sent)
    if (name === 'source' || name === 'track') return asMediaSource(name, attributes, sent)
    if (name === 'audio' || name === 'video') {
      const self = open.at(-1)
      // A link in its place must stay, too.
      if (self && sent.src) self.hasMedia = true
      if (sent.src && !attributes.src) return asLink(sent)
    }
    return { tagName: name, attribs: attributes }
  }

  function asMediaSource(name: string, attributes: Attributes, sent: Attributes): Tag {
    const media = open.findLast((one) => one.name === 'audio' || one.name === 'video')
    if (!media) return drop()
    if (!attributes.src) return name === 'source' ? asLink(sent) : drop()
    if (name === 'source') media.hasMedia = true
    return { tagName: name, attribs: attributes }
  }

  /** What would load from elsewhere becomes a plain link to it, so that nothing vanishes silently. */
  function asLink(sent: Attributes): Tag {
    const href = addresses.toForeign(sent.src ?? '')
    if (!href) return drop()
    const text = (sent.alt || sent.title || href).replace(/\s+/g, ' ').trim().slice(0, TEXT_MAX_CHARS) || href
    return inLink() ? { tagName: 'span', attribs: {}, text } : { tagName: 'a', attribs: withRel({ href }), text }
  }

  // Renaming to a forbidden element would confuse the end tags of sanitize-html, so it goes at its end.
  function drop(): Tag {
    const attribs = {}
    dropped.add(attribs)
    return { tagName: 'span', attribs, text: '' }
  }

  function exclude(frame: sanitizeHtml.IFrame): boolean | 'excludeTag' {
    if (dropped.has(frame.attribs)) return true
    const isMedia = frame.tag === 'audio' || frame.tag === 'video'
    return isMedia && !closed?.hasMedia ? 'excludeTag' : false
  }

  const tidy = html
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, '')
  return sanitizeHtml(tidy, {
    allowedTags: ELEMENTS,
    // Attributes are chosen by `transform`, which knows more than a list can say.
    allowedAttributes: false,
    parseStyleAttributes: false,
    nonTextTags: WITH_CONTENT,
    selfClosing: VOID,
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['http', 'https', 'data'] },
    transformTags: Object.fromEntries(ELEMENTS.map((name) => [name, transform])),
    exclusiveFilter: exclude,
    onOpenTag(name) {
      open.push({ name, isLink: false, hasMedia: false })
      if (open.length > CONTENT_MAX_DEPTH) {
        const rule = `Value must not nest elements deeper than ${CONTENT_MAX_DEPTH} levels`
        throw new Refusal('document_invalid_structure', `Invalid document structure: Attribute "content" has invalid format. ${rule}`)
      }
    },
    onCloseTag() {
      closed = open.pop()
    },
  })
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

function cleanValue(element: string, name: string, value: string, addresses: Addresses): string | undefined {
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
      return addresses.toOwnFile(value) ?? (element === 'img' ? addresses.toDataImage(value) : undefined)
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
