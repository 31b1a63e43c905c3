// The text of a WordPress post as the HTML of this blog: blocks of the block editor, classic text,
// whose lines break where they do, and shortcodes. Unknown shortcodes stay as text.
import { codeHtml, convertHtml } from './convert-html.ts'
import { embedHtml } from './convert-pictures.ts'
import { attributesOf, escapeText } from './html-nodes.ts'

export type WordpressMedia = {
  /** Pictures of a gallery: those with these ids, or all of the post's own. */
  gallery(ids: readonly string[] | undefined): { url: string; alt: string; caption: string }[]
  /** The text of a reusable block. */
  block(id: string): string | undefined
  /** @param name a shortcode, or a block such as `wp:latest-posts` */
  leaveOut(name: string, reason: 'shortcode' | 'unsupported'): void
}

const HAS_BLOCKS = '<!-- wp:'
/** A block without a text of its own: WordPress made its content when it was read. */
const EMPTY_BLOCK = /<!-- wp:([\w/-]{1,60})(?: (\{[^<>\n]{0,4000}\}))? \/-->/g
const SILENT_BLOCKS =
  /^(?:core\/)?(?:more|nextpage|spacer|separator|footnotes|paragraph|html|group)$/
const BLOCKS_MAX = 20

/** A tag in brackets. Its values have no brackets. */
const TAG = /\[(\[?)(\/?)([a-zA-Z][\w-]{0,60})((?:[\s/][^[\]]{0,4000})?)\](\]?)/g
const VALUE = /([\w-]{1,60})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))|"([^"]*)"|([^\s"'=]+)/g
const CODE = /^(?:code|sourcecode|source|highlight|prism|syntax|pre)$/
const ENCLOSING = /^(?:caption|wp_caption|embed|audio|video)$/
const NESTED_MAX = 20
/** More names are not listed; they are in the text. */
const UNKNOWN_MAX = 20
const CAPTION_IMAGE = /^\s*(?:<a\b[^<>]{0,4000}>\s*)?<img\b[^<>]{0,8000}>(?:\s*<\/a>)?/i

/** @throws SourceProblem when its elements are nested far too deeply */
export function convertWordpress(
  content: string,
  footnotes: string,
  media: WordpressMedia,
): string {
  const hasBlocks = content.includes(HAS_BLOCKS)
  const whole = hasBlocks ? fillBlocks(content, footnotes, media) : content
  return convertHtml(convertShortcodes(whole, media), { hasLines: !hasBlocks })
}

function fillBlocks(content: string, footnotes: string, media: WordpressMedia): string {
  let blocks = 0
  return content.replace(EMPTY_BLOCK, (_all, name: string, json: string | undefined) => {
    const reference = name === 'block' ? /"ref":(\d+)/.exec(json ?? '')?.[1] : undefined
    const reused = reference && ++blocks <= BLOCKS_MAX ? media.block(reference) : undefined
    if (reused !== undefined) return reused
    if (/^(?:core\/)?footnotes$/.test(name)) return footnotesHtml(footnotes)
    if (!SILENT_BLOCKS.test(name)) media.leaveOut(`wp:${name}`, 'unsupported')
    return ''
  })
}

/** The block editor stores the notes beside the text. */
function footnotesHtml(json: string): string {
  let notes: unknown
  try {
    notes = JSON.parse(json)
  } catch {
    return ''
  }
  const items = (Array.isArray(notes) ? notes : []).map((note: unknown) => {
    const { id = '', content = '' } = note as { id?: string; content?: string }
    return `<li${attributesOf({ id })}>${content} <a${attributesOf({ href: `#${id}-link` })}>↩</a></li>`
  })
  return `<ol class="wp-block-footnotes">${items.join('')}</ol>`
}

type Open = { name: string; values: Map<string, string>; tag: string; parts: string[] }

/** Takes one pass. What is not closed, or nested too deeply, stays as it is. */
function convertShortcodes(text: string, media: WordpressMedia): string {
  if (!text.includes('[')) return text
  const open: Open[] = [{ name: '', values: new Map(), tag: '', parts: [] }]
  const put = (part: string) => open.at(-1)?.parts.push(part)
  const unknown = new Set<string>()
  /** Names whose end was searched to the end of the text, and is not there. */
  const unended = new Set<string>()
  let end = 0
  TAG.lastIndex = 0
  for (let match = TAG.exec(text); match; match = TAG.exec(text)) {
    const [whole, isEscaped, slash, name = '', rest = '', escapeEnd] = match
    put(text.slice(end, match.index))
    end = TAG.lastIndex
    const key = name.toLowerCase()
    if (isEscaped && escapeEnd) put(whole.slice(1, -1))
    else if (slash) closeTag(open, key, whole, media)
    else if (CODE.test(key) && !unended.has(key)) {
      const close = text.indexOf(`[/${name}]`, end)
      if (close < 0) unended.add(key)
      put(close < 0 ? whole : sampleHtml(text.slice(end, close), key, rest))
      if (close >= 0) end = close + name.length + '[/]'.length
      TAG.lastIndex = end
    } else if (isEnclosing(key, rest) && open.length <= NESTED_MAX)
      open.push({ name: key, values: readValues(rest), tag: whole, parts: [] })
    else put(writeTag(key, rest, whole, media, unknown))
    // A bracket too many belongs to the text.
    if (!isEscaped && escapeEnd) TAG.lastIndex = end -= 1
  }
  put(text.slice(end))
  while (open.length > 1) unwind(open)
  return open[0]?.parts.join('') ?? ''
}

function isEnclosing(name: string, rest: string): boolean {
  return (
    ENCLOSING.test(name) && !rest.trimEnd().endsWith('/') && !/:\/\/|\b(?:src|mp[34])=/.test(rest)
  )
}

function closeTag(open: Open[], name: string, whole: string, media: WordpressMedia): void {
  const at = open.findLastIndex((tag) => tag.name === name)
  if (at < 1) {
    // The end of a tag that needs none.
    if (!ENCLOSING.test(name) && !/^(?:gallery|playlist)$/.test(name))
      open.at(-1)?.parts.push(whole)
    return
  }
  while (open.length - 1 > at) unwind(open)
  const tag = open.pop()
  if (!tag) return
  const content = tag.parts.join('')
  open.at(-1)?.parts.push(writeEnclosing(tag, content, media))
}

/** A tag without an end is text. */
function unwind(open: Open[]): void {
  const tag = open.pop()
  const parts = open.at(-1)?.parts
  if (tag && parts) parts.push(tag.tag, tag.parts.join(''))
}

function writeEnclosing({ name, values, tag }: Open, content: string, media: WordpressMedia) {
  if (name === 'embed') return `\n\n${embedHtml(content)}\n\n`
  if (name === 'audio' || name === 'video') return writePlayer(name, values, content)
  const [picture] = CAPTION_IMAGE.exec(content) ?? []
  if (picture === undefined) {
    media.leaveOut(name, 'shortcode')
    return `${tag}${content}[/${name}]`
  }
  const caption = values.get('caption') ?? content.slice(picture.length)
  const side = values.get('align') ?? ''
  return `<figure class="image ${escapeText(side)}">${picture}<figcaption>${caption.trim()}</figcaption></figure>`
}

/** @returns the tag itself, with a line in the report, when it is not known */
function writeTag(
  name: string,
  rest: string,
  whole: string,
  media: WordpressMedia,
  unknown: Set<string>,
): string {
  const values = readValues(rest)
  switch (name) {
    case 'gallery': {
      const ids = values.get('ids') ?? values.get('include')
      const pictures = media.gallery(ids?.split(/[\s,]+/).filter(Boolean))
      return pictures.length === 0 ? '' : galleryHtml(pictures)
    }
    case 'audio':
    case 'video':
      return writePlayer(name, values, '')
    case 'embed':
    case 'youtube':
    case 'vimeo':
      return `\n\n${embedHtml(addressIn(name, values))}\n\n`
  }
  // Words in brackets are no shortcodes: [sic], [1].
  const isShortcode = /[_-]/.test(name) || /=|\/\s*$/.test(rest)
  if (isShortcode && !unknown.has(name) && unknown.size < UNKNOWN_MAX) {
    unknown.add(name)
    media.leaveOut(name, 'shortcode')
  }
  return whole
}

function addressIn(name: string, values: Map<string, string>): string {
  const value = values.get('src') ?? values.get('id') ?? values.get('') ?? ''
  if (/^(?:https?:)?\/\//.test(value)) return value
  if (name === 'youtube') return `https://www.youtube.com/watch?v=${encodeURIComponent(value)}`
  return name === 'vimeo' ? `https://vimeo.com/${encodeURIComponent(value)}` : value
}

export function galleryHtml(pictures: { url: string; alt: string; caption: string }[]): string {
  const figures = pictures.map(({ url, alt, caption }) => {
    const words = caption && `<figcaption>${escapeText(caption)}</figcaption>`
    return `<figure class="image"><img${attributesOf({ src: url, alt })} />${words}</figure>`
  })
  return `<figure class="gallery">${figures.join('')}</figure>`
}

function writePlayer(name: string, values: Map<string, string>, content: string): string {
  const named = ['src', 'mp3', 'm4a', 'ogg', 'wav', 'mp4', 'm4v', 'webm', 'ogv', 'flv']
  const address =
    named.map((key) => values.get(key)).find(Boolean) ?? (values.get('') || content.trim())
  if (address === '') return ''
  return `<p><${name}${attributesOf({ src: address, controls: 'controls' })}></${name}></p>`
}

function sampleHtml(text: string, name: string, rest: string): string {
  const values = readValues(rest)
  const language = values.get('language') ?? values.get('lang') ?? values.get('') ?? ''
  // The classic editor stores samples with entities, or as they were typed.
  const plain = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  return codeHtml(
    plain.replace(/^\s*\n/, '').trimEnd(),
    name === 'code' && !language ? '' : language,
  )
}

/** The value without a name has the name ''. */
function readValues(rest: string): Map<string, string> {
  const values = new Map<string, string>()
  const plain = rest.replaceAll('”', '"').replaceAll('“', '"').replaceAll('&quot;', '"')
  for (const [, name, quoted, single, bare, alone, word] of plain.matchAll(VALUE)) {
    const value = quoted ?? single ?? bare ?? alone ?? word ?? ''
    const key = name?.toLowerCase() ?? ''
    if (!values.has(key) && value !== '/') values.set(key, value)
  }
  return values
}
