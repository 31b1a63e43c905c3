// The text of a WordPress post as the HTML of this blog: blocks of the block editor, classic text,
// whose lines break where they do, and shortcodes. Of those that are not known, the words, pictures
// and addresses stay.
import { findCodeLanguage } from '#contract/code-languages.ts'
import { codeHtml, convertHtml } from './convert-html.ts'
import { objectHtml } from './convert-pictures.ts'
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
/** The language of a sample stands in the comment before it. */
const SAMPLE_BLOCK =
  /(<!-- wp:[\w/-]{1,60} \{[^<>\n]{0,2000}"language":"([\w+#-]{1,30})"[^<>\n]{0,2000}\} -->\s*<pre)(?=[\s>])/g
/** Doubles the link before it. */
const FILE_BUTTON = /^wp-block-file__button$/

/** A tag in brackets. Its values have no brackets. */
const TAG = /\[(\[?)(\/?)([a-zA-Z][\w-]{0,60})((?:[\s/=][^[\]]{0,4000})?)\](\]?)/g
const CODE = /^(?:code|sourcecode|source|prism|syntax|pre)$/
const ENCLOSING = /^(?:caption|wp_caption|embed|audio|video)$/
const END = /\[\/([a-zA-Z][\w-]{0,60})\]/g
/** Of page builders: what is in it is a block. */
const BLOCK_TAG = /_(?:text|row|column|section|container|image\w*|blurb|code)$/
const PICTURE_IDS = /^(?:image|images|ids|image_ids|gallery_ids)$/
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
  return convertHtml(convertShortcodes(whole, media), {
    dropped: FILE_BUTTON,
    hasLines: !hasBlocks,
    hasParagraphs: true,
  })
}

function fillBlocks(content: string, footnotes: string, media: WordpressMedia): string {
  let blocks = 0
  const samples = content.replace(SAMPLE_BLOCK, '$1 data-lang="$2"')
  return samples.replace(EMPTY_BLOCK, (_all, name: string, json: string | undefined) => {
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
type Tag = { name: string; rest: string; whole: string }

/** Takes one pass. What is not closed, or nested too deeply, stays as it is. */
function convertShortcodes(text: string, media: WordpressMedia): string {
  if (!text.includes('[')) return text
  const open: Open[] = [{ name: '', values: new Map(), tag: '', parts: [] }]
  const put = (part: string) => open.at(-1)?.parts.push(part)
  const unknown = new Set<string>()
  const leaveOut: WordpressMedia['leaveOut'] = (name, reason) => {
    if (!unknown.has(name) && unknown.size < UNKNOWN_MAX) media.leaveOut(name, reason)
    unknown.add(name)
  }
  /** Names whose end was searched to the end of the text, and is not there. */
  const unended = new Set<string>()
  const ended = new Set(Array.from(text.matchAll(END), ([, name = '']) => name.toLowerCase()))
  const listing = { ...media, leaveOut }
  let end = 0
  TAG.lastIndex = 0
  for (let match = TAG.exec(text); match; match = TAG.exec(text)) {
    const [whole, isEscaped, slash, name = '', rest = '', escapeEnd] = match
    put(text.slice(end, match.index))
    end = TAG.lastIndex
    const key = name.toLowerCase()
    if (isEscaped && escapeEnd) put(whole.slice(1, -1))
    else if (slash) closeTag(open, key, whole, listing)
    else if (isSample(key, rest) && !unended.has(key)) {
      const close = text.indexOf(`[/${name}]`, end)
      if (close < 0) unended.add(key)
      put(close < 0 ? whole : sampleHtml(text.slice(end, close), key, rest))
      if (close >= 0) end = close + name.length + '[/]'.length
      TAG.lastIndex = end
    } else if (isEnclosing(key, rest, ended) && open.length <= NESTED_MAX)
      open.push({ name: key, values: readValues(rest), tag: whole, parts: [] })
    else put(writeTag({ name: key, rest, whole }, listing))
    // A bracket too many belongs to the text.
    if (!isEscaped && escapeEnd) TAG.lastIndex = end -= 1
  }
  put(text.slice(end))
  while (open.length > 1) unwind(open)
  return open[0]?.parts.join('') ?? ''
}

function isSample(name: string, rest: string): boolean {
  const { language = '', lang = language } = Object.fromEntries(readValues(rest))
  const isOfLanguage = findCodeLanguage(name) ?? (lang && findCodeLanguage(lang))
  return CODE.test(name) || (isOfLanguage !== undefined && isOfLanguage !== '')
}

function isEnclosing(name: string, rest: string, ended: ReadonlySet<string>): boolean {
  if (rest.trimEnd().endsWith('/')) return false
  if (ENCLOSING.test(name)) return !/:\/\/|\b(?:src|mp[34])=/.test(rest)
  return ended.has(name) && !/^(?:gallery|playlist)$/.test(name)
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

function writeEnclosing({ name, values }: Open, content: string, media: WordpressMedia) {
  if (name === 'embed') return embedBlock(content)
  if (name === 'audio' || name === 'video') return writePlayer(name, values, content)
  const [picture] = CAPTION_IMAGE.exec(content) ?? []
  if (picture === undefined || !ENCLOSING.test(name))
    return writeUnknown(name, values, content, media)
  const caption = values.get('caption') ?? content.slice(picture.length)
  const side = values.get('align') ?? ''
  return `<figure class="image ${escapeText(side)}">${picture}<figcaption>${caption.trim()}</figcaption></figure>`
}

/** The pictures and the address that a tag names, its title and its content. */
function writeUnknown(
  name: string,
  values: Map<string, string>,
  content: string,
  media: WordpressMedia,
): string {
  media.leaveOut(name, 'shortcode')
  const ids = [...values].find(([key, value]) => PICTURE_IDS.test(key) && /^[\d, ]+$/.test(value))
  const pictures = ids ? media.gallery(ids[1].split(/[\s,]+/).filter(Boolean)) : []
  const shown =
    pictures.length > 1
      ? galleryHtml(pictures)
      : (pictures.map(figureHtml)[0] ?? objectHtml(values))
  const isLink = shown.startsWith('<p>') && !/<(?!\/?(?:b|i|em|strong|span)\b)/.test(content)
  if (isLink && content.trim() !== '')
    return shown.replace(/(<a[^>]*>).*?(?=<\/a>)/, `$1${content}`)
  if (/^\s*https?:\/\/\S+\s*$/.test(content)) return objectHtml(new Map([['', content.trim()]]))
  const title = content === '' ? '' : escapeText(values.get('title') ?? values.get('heading') ?? '')
  const gap = BLOCK_TAG.test(name) ? '\n\n' : ''
  return `${shown}${title && `\n\n<strong>${title}</strong>\n\n`}${gap}${content}${gap}`
}

/** @returns the tag itself when it may be words in brackets */
function writeTag({ name, rest, whole }: Tag, media: WordpressMedia): string {
  const values = readValues(rest)
  if (name === 'gallery') {
    const ids = values.get('ids') ?? values.get('include')
    return galleryHtml(media.gallery(ids?.split(/[\s,]+/).filter(Boolean)))
  }
  if (name === 'audio' || name === 'video') return writePlayer(name, values, '')
  const embed = embedShortcode(name, values)
  if (embed !== undefined) return embed
  if (/_/.test(name) || /=|\/\s*$/.test(rest)) return writeUnknown(name, values, '', media)
  // Words in brackets are no shortcodes: [sic], [1]; these may be.
  if (name.includes('-')) media.leaveOut(name, 'shortcode')
  return whole
}

function galleryHtml(pictures: SourcePicture[]): string {
  const figures = pictures.map(figureHtml).join('')
  return figures && `<figure class="gallery">${figures}</figure>`
}

function writePlayer(name: string, values: Map<string, string>, content: string): string {
  const named = ['src', 'mp3', 'm4a', 'ogg', 'wav', 'mp4', 'm4v', 'webm', 'ogv', 'flv']
  const address =
    named.map((key) => values.get(key)).find(Boolean) ?? (values.get('0') || content.trim())
  if (address === '') return ''
  return `<p><${name}${attributesOf({ src: address, controls: 'controls' })}></${name}></p>`
}

function sampleHtml(text: string, name: string, rest: string): string {
  const values = readValues(rest)
  const language = values.get('language') ?? values.get('lang') ?? values.get('0')
  // The classic editor stores samples with entities, or as they were typed.
  const plain = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  return codeHtml(plain.replace(/^\s*\n/, '').trimEnd(), language ?? name)
}

function readValues(rest: string): Map<string, string> {
  const plain = rest.replace(/\/\s*$/, '')
  return readShortcode(plain.replaceAll(/[“”]|&quot;/g, '"'))
}
