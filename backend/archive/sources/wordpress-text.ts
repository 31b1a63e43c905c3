// The text of a WordPress post as the HTML of this blog: blocks of the block editor, classic text,
// whose lines break where they do, and shortcodes. Unknown shortcodes stay as text.
import { codeHtml, convertHtml } from './convert-html.ts'
import { attributesOf, escapeText } from './html-nodes.ts'
import { embedBlock, embedShortcode, figureHtml, readShortcode } from './shortcodes.ts'
import type { SourcePicture } from './source.ts'
import { listOf, parseJson, textOf, valuesOf } from './source-values.ts'

export type WordpressMedia = {
  /** Pictures of a gallery: those with these ids, or all of the post's own. */
  gallery(ids: readonly string[] | undefined): SourcePicture[]
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
  const items = listOf(parseJson(json)).map((note) => {
    const { id, content } = valuesOf(note)
    const back = `<a${attributesOf({ href: `#${textOf(id)}-link` })}>↩</a>`
    return `<li${attributesOf({ id: textOf(id) })}>${textOf(content)} ${back}</li>`
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
      put(close < 0 ? whole : sampleHtml(text.slice(end, close), rest))
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
  if (name === 'embed') return embedBlock(content)
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
  if (name === 'gallery') {
    const ids = values.get('ids') ?? values.get('include')
    const pictures = media.gallery(ids?.split(/[\s,]+/).filter(Boolean))
    const figures = pictures.map(figureHtml).join('')
    return figures && `<figure class="gallery">${figures}</figure>`
  }
  if (name === 'audio' || name === 'video') return writePlayer(name, values, '')
  const embed = embedShortcode(name, values)
  if (embed !== undefined) return embed
  // Words in brackets are no shortcodes: [sic], [1].
  const isShortcode = /[_-]/.test(name) || /=|\/\s*$/.test(rest)
  if (isShortcode && !unknown.has(name) && unknown.size < UNKNOWN_MAX) {
    unknown.add(name)
    media.leaveOut(name, 'shortcode')
  }
  return whole
}

function writePlayer(name: string, values: Map<string, string>, content: string): string {
  const named = ['src', 'mp3', 'm4a', 'ogg', 'wav', 'mp4', 'm4v', 'webm', 'ogv', 'flv']
  const address =
    named.map((key) => values.get(key)).find(Boolean) ?? (values.get('0') || content.trim())
  if (address === '') return ''
  return `<p><${name}${attributesOf({ src: address, controls: 'controls' })}></${name}></p>`
}

function sampleHtml(text: string, rest: string): string {
  const values = readValues(rest)
  const language = values.get('language') ?? values.get('lang') ?? values.get('0')
  // The classic editor stores samples with entities, or as they were typed.
  const plain = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  return codeHtml(plain.replace(/^\s*\n/, '').trimEnd(), language)
}

function readValues(rest: string): Map<string, string> {
  const plain = rest.replace(/\/\s*$/, '')
  return readShortcode(plain.replaceAll(/[“”]|&quot;/g, '"'))
}
