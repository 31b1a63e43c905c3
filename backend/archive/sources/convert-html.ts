// Rewrites the HTML of other programs into that of this blog's editor (api.md §10.4): blocks
// without the boxes around them, figures, galleries, code samples, embeds, callouts, task lists,
// footnotes. Knows the classes of WordPress, Ghost, Medium, Substack and of Markdown converters. In
// one piece because the rules call each other. The text is cleaned later, as typed texts are.
import { findCodeLanguage, PLAIN_CODE } from '#contract/code-languages.ts'
import { plainText } from '#contract/plain-text.ts'
import { type Footnotes, findFootnotes } from './convert-footnotes.ts'
import {
  embedHtml,
  imagesIn,
  isEmbeddable,
  isGallery,
  writeFigure,
  writeGallery,
  writeImage,
  writeLinkedImage,
} from './convert-pictures.ts'
import {
  attributesOf,
  type ChildNode,
  Element,
  elementHtml,
  elementsIn,
  escapeText,
  findByClass,
  findByName,
  findFirst,
  hasClass,
  isContent,
  isTag,
  isText,
  type ParentNode,
  parseHtml,
  Text,
  textIn,
} from './html-nodes.ts'
import { type ImportSink, type SourcePost, SourceProblem } from './source.ts'
import { LINE_MAX_CHARS, lineOf } from './source-values.ts'

export type ConvertOptions = {
  /** Elements with such a class are left out, such as forms to subscribe. */
  dropped?: RegExp | undefined
  /** Lines break where the text does, and an empty line begins a paragraph. */
  hasLines?: boolean
  /** An empty line begins a paragraph, also where lines do not break. */
  hasParagraphs?: boolean
  /** What an address in the text becomes. */
  resolve?: (address: string, isPicture: boolean) => string
}
type Writing = ConvertOptions & { footnotes: Footnotes }

const words = (text: string) => new Set(text.split(' '))
const BLOCKS = words(
  'p h1 h2 h3 h4 h5 h6 ul ol dl blockquote pre table figure hr details summary aside div section article main header footer center form fieldset nav address hgroup body html head',
)
const BOXES = words(
  'div section article main header footer center form fieldset nav address hgroup body html aside',
)
const DROPPED = words(
  'script style noscript template svg input button select textarea title meta link canvas head source',
)
/** Classes of elements that are another element here. */
const RENAMED: readonly [className: RegExp, name: string][] = [
  [/^kg-toggle-card$/, 'details'],
  [/^kg-toggle-heading-text$/, 'summary'],
  [/^pullquote$/, 'blockquote'],
]
const VOID = words('br hr img col wbr')
const ATTRIBUTES = [
  ...words('href title target cite datetime dir lang style open src poster controls preload'),
  ...words('colspan rowspan scope span start reversed type value width height'),
]
const OUR_CLASS =
  /^(?:footnote|callout|contents|tasks|task|done|embed|language-[\w+#.-]+|align-\w+)$/
const CALLOUT = /^(?:callout|kg-callout-card|admonition|notice|callout-block)$/
const LANGUAGE =
  /^(?:language-|lang-|lang:|brush:|highlight-source-|sourceCode-?|prettyprint-?)?([\w+#-]+)$/i
const EMPTY_LINE = /\n[ \t\r]*\n/
const LONE_ADDRESS = /^https?:\/\/[^\s<>"]+$/i

/** @throws SourceProblem when elements are nested far too deeply */
export function convertHtml(html: string, options: ConvertOptions = {}): string {
  return convertDocument(parseHtml(html), options)
}

/** Titles and the like, written in HTML, as plain text; far too long ones are cut. */
export function lineOfHtml(html: string): string {
  try {
    return lineOf(plainText(convertHtml(html.slice(0, LINE_MAX_CHARS))))
  } catch (error) {
    if (!(error instanceof SourceProblem)) throw error
    return ''
  }
}

/** @returns false for a post that is left out, because its text cannot be converted */
export function writeText(
  sink: ImportSink,
  post: SourcePost,
  name: string,
  write: () => string,
): boolean {
  try {
    post.html = write()
    return true
  } catch (error) {
    if (!(error instanceof SourceProblem || error instanceof RangeError)) throw error
    const detail = error instanceof SourceProblem ? error.message : ''
    sink.leaveOut({ what: post.kind, name, reason: 'unreadable', detail })
    return false
  }
}

export function convertDocument(document: ParentNode, options: ConvertOptions = {}): string {
  for (const element of elementsIn(document)) {
    const [, name] = RENAMED.find(([pattern]) => hasClass(element, pattern)) ?? []
    element.name = name ?? element.name
    const { attribs } = element
    if (options.resolve && attribs.src !== undefined)
      attribs.src = options.resolve(attribs.src, element.name === 'img')
    if (options.resolve && attribs.href !== undefined)
      attribs.href = options.resolve(attribs.href, false)
  }
  const writing: Writing = { ...options, footnotes: findFootnotes(document) }
  const body = writeBlocks(writing, document.children)
  const notes = writing.footnotes.notes.map(({ key, element }) => {
    const children = element.name === 'p' ? [element] : element.children
    return `<li id="fn-${key}">${writeBlocks(writing, children, element)}</li>`
  })
  return notes.length === 0
    ? body
    : `${body}<section class="footnotes"><ol>${notes.join('')}</ol></section>`
}

/** Blocks one after the other; text that stands between them becomes paragraphs. */
function writeBlocks(writing: Writing, nodes: readonly ChildNode[], note?: Element): string {
  const blocks: string[] = []
  let run: ChildNode[] = []
  const endRun = () => {
    if (run.some(isContent)) blocks.push(writeLine(writing, 'p', run))
    run = []
  }
  for (const node of nodes) {
    if (isText(node) && (writing.hasLines || writing.hasParagraphs)) {
      const [first = '', ...others] = node.data.split(EMPTY_LINE)
      run.push(new Text(first))
      for (const paragraph of others) {
        endRun()
        run.push(new Text(paragraph))
      }
      continue
    }
    if (!isBlock(node)) {
      if (isTag(node) || isText(node)) run.push(node)
      continue
    }
    endRun()
    const isOwn = node === note
    blocks.push(isOwn ? writeLine(writing, 'p', node.children) : writeBlock(writing, node))
  }
  endRun()
  return blocks.join('')
}

function isBlock(node: ChildNode): node is Element {
  if (!isTag(node)) return false
  // A link or another inline element around blocks.
  return BLOCKS.has(node.name) || (INLINE.has(node.name) && holdsBlock(node))
}
const INLINE = words('a span b i em strong font u small big ins del mark')

function holdsBlock(element: Element): boolean {
  return findFirst(element, ({ name }) => BLOCKS.has(name)) !== undefined
}

function writeBlock(writing: Writing, element: Element): string {
  if (isDropped(writing, element)) return ''
  const special = writeSpecial(writing, element)
  if (special !== undefined) return special
  const { name, children } = element
  if (name === 'p' || name === 'address') return writeLine(writing, 'p', children, element)
  if (name === 'a' && element.attribs.href) linkBlocks(element)
  if (BOXES.has(name) || INLINE.has(name)) return writeBlocks(writing, children)
  return writeNode(writing, element)
}

/** A link around blocks becomes a link in each of them. */
function linkBlocks(link: Element): void {
  for (const inside of elementsIn(link))
    if (LINKED.has(inside.name) && !holdsBlock(inside))
      inside.children = [new Element('a', { ...link.attribs }, inside.children)]
}
const LINKED = words('p h1 h2 h3 h4 h5 h6 li div figure section article header footer')

/** A paragraph, or what its only content is: an embed, or an address on a line of its own. */
function writeLine(
  writing: Writing,
  name: string,
  nodes: readonly ChildNode[],
  paragraph?: Element,
): string {
  const only = nodes.filter(isContent)
  const embedded = only.length === 1 && only[0] ? writeLoneObject(only[0]) : undefined
  if (embedded !== undefined) return embedded
  const inside = writeNodes(writing, nodes).trim()
  const html = withoutLastBreaks(writing.hasLines ? breakLines(inside) : inside)
  const isEmpty = html.replace(/<br \/>|&nbsp;|\s/g, '') === ''
  return isEmpty ? '' : `<${name}${paragraph ? writeAttributes(paragraph) : ''}>${html}</${name}>`
}

function withoutLastBreaks(html: string): string {
  let end = html.length
  while (html.endsWith('<br />', end)) end = html.slice(0, end - '<br />'.length).trimEnd().length
  return html.slice(0, end)
}

function breakLines(html: string): string {
  const lines = html.split('\n').map((line) => line.trim())
  return lines
    .map((line, at) =>
      at === lines.length - 1 || line.endsWith('<br />') ? line : `${line}<br />`,
    )
    .join('')
}

function writeLoneObject(node: ChildNode): string | undefined {
  if (isText(node)) {
    const address = node.data.trim()
    return LONE_ADDRESS.test(address) ? embedHtml(address) : undefined
  }
  if (!isTag(node)) return undefined
  const { href = '', src = '' } = node.attribs
  if (node.name === 'iframe') return src === '' ? '' : embedHtml(src, node.attribs.title)
  if (node.name === 'script') return isEmbeddable(src) ? embedHtml(src) : undefined
  if (node.name !== 'a') return undefined
  const text = textIn(node).trim()
  // What a script of the other site would fill.
  const isUnfilled = text === '' && LONE_ADDRESS.test(href) && imagesIn(node).length === 0
  return isUnfilled || (LONE_ADDRESS.test(text) && isEmbeddable(href)) ? embedHtml(href) : undefined
}

function isDropped({ footnotes, dropped }: Writing, element: Element): boolean {
  if (footnotes.moved.has(element)) return true
  return dropped !== undefined && hasClass(element, dropped)
}

/** Blocks that are more than their element. */
function writeSpecial(writing: Writing, element: Element): string | undefined {
  const { name } = element
  const inside = (child: Element) => writeNodes(writing, child.children)
  if (isGallery(element) && imagesIn(element).length > 0) return writeGallery(element, inside)
  if (hasClass(element, /^tr-caption-container$/)) return writeCaptioned(writing, element)
  if (hasClass(element, /^kg-bookmark-card$/)) return writeBookmark(writing, element)
  if (hasClass(element, CALLOUT) || isNotionCallout(element)) return writeCallout(writing, element)
  if (hasClass(element, /^wp-block-verse$/))
    return `<p>${inside(element).replace(/\n/g, '<br />')}</p>`
  if (name === 'nav' && hasClass(element, /^contents$/)) return '<nav class="contents"></nav>'
  switch (name) {
    case 'figure':
      return writeAnyFigure(writing, element)
    case 'pre':
      return writeCode(element)
    case 'blockquote':
      return writeQuote(writing, element)
    case 'details':
      return writeDetails(writing, element)
    case 'summary':
      return ''
    case 'ul':
    case 'ol':
      return writeList(writing, element)
    default:
      return undefined
  }
}

/** Blogger puts a picture and its caption into a table. */
function writeCaptioned(writing: Writing, table: Element): string | undefined {
  const [image] = imagesIn(table)
  const caption = findFirst(table, (element) => hasClass(element, /^tr-caption$/))
  if (!image || !caption) return undefined
  caption.name = 'figcaption'
  return writeFigure(table, image, (child) => writeNodes(writing, child.children))
}

function isNotionCallout({ name, attribs }: Element): boolean {
  return name === 'aside' && Object.keys(attribs).length === 0
}

function writeAnyFigure(writing: Writing, figure: Element): string {
  const inside = (child: Element) => writeNodes(writing, child.children)
  const images = imagesIn(figure)
  const [image] = images
  const object = findFirst(figure, ({ name }) =>
    /^(?:table|pre|blockquote|iframe|video|audio|script|figure)$/.test(name),
  )
  if (image && !object) {
    return images.length === 1 ? writeFigure(figure, image, inside) : writeGallery(figure, inside)
  }
  const caption = findByName(figure, 'figcaption')
  const words = caption ? inside(caption).trim() : ''
  if (object?.name === 'table' && words !== '') {
    const table = writeNode(writing, object)
    return table.replace(/^<table[^>]*>/, (start) => `${start}<caption>${words}</caption>`)
  }
  return writeBlocks(writing, figure.children.flatMap(asBlocks))
}

/** A caption of anything but a picture is a paragraph. */
function asBlocks(node: ChildNode): ChildNode[] {
  return isTag(node) && node.name === 'figcaption' ? [new Element('p', {}, node.children)] : [node]
}

function writeCode(pre: Element): string {
  const inner = pre.children.filter(isContent)
  const [only] = inner
  const code = inner.length === 1 && only && isTag(only) && only.name === 'code' ? only : pre
  const text = textIn(code)
    .replace(/\r\n?/g, '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
  return codeHtml(text, languageOf(code) ?? languageOf(pre) ?? languageOf(pre.parent))
}

export function codeHtml(text: string, language = ''): string {
  const { id } = findCodeLanguage(language) ?? { id: PLAIN_CODE }
  return `<pre class="language-${id}"><code>${escapeText(text)}</code></pre>`
}

function languageOf(element: unknown): string | undefined {
  if (!element || typeof element !== 'object' || !('attribs' in element)) return undefined
  const { attribs } = element as Element
  const names = [
    attribs['data-code-block-lang'],
    attribs['data-lang'],
    attribs['data-language'],
    attribs['data-enlighter-language'],
    ...(attribs.class ?? '').split(/[\s;]+/),
  ]
  for (const name of names) {
    const language = LANGUAGE.exec(name ?? '')?.[1]
    if (language && findCodeLanguage(language)) return language
  }
  return undefined
}

function writeQuote(writing: Writing, quote: Element): string {
  const html = writeBlocks(writing, quote.children)
  const [mark] = /^<p>\s*\[!\w+\][-+]?/.exec(html) ?? []
  if (mark === undefined) return html && elementHtml('blockquote', html)
  const rest = html.slice(mark.length)
  const end = rest.search(/<br \/>|\n|<\/p>/)
  const title = rest.slice(0, end).trim()
  const heading = title ? `<p><strong>${title}</strong></p>` : ''
  const text = rest
    .slice(end)
    .replace(/^<br \/>/, '')
    .trimStart()
  const inside = `${heading}<p>${text}`.replace('<p></p>', '')
  return elementHtml('aside', inside, { class: 'callout' })
}

function writeCallout(writing: Writing, element: Element): string {
  const html = writeBlocks(writing, element.children)
  // A sign before the text is part of it.
  const text = html.replace(/^<p>([^\p{L}\p{N}<>]{1,8})<\/p><p[^<>]*>/u, '<p>$1 ')
  return text && elementHtml('aside', text, { class: 'callout' })
}

function writeDetails(writing: Writing, details: Element): string {
  const summary = findByName(details, 'summary')
  const title = summary ? elementHtml('summary', writeNodes(writing, summary.children)) : ''
  return elementHtml('details', title + writeBlocks(writing, details.children))
}

function writeBookmark(writing: Writing, card: Element): string {
  const lineIn = (pattern: RegExp) => {
    const element = findByClass(card, pattern)
    return element ? lineOf(textIn(element)) : ''
  }
  const href = findByName(card, 'a')?.attribs.href ?? ''
  const link = bookmarkHtml(
    href,
    lineIn(/^kg-bookmark-title$/),
    lineIn(/^kg-bookmark-description$/),
  )
  const caption = findByName(card, 'figcaption')
  return caption ? link + writeBlocks(writing, caption.children) : link
}

/** A link to another page with its title and a line about it. */
export function bookmarkHtml(href: string, title: string, description: string): string {
  const line = description && `<br />${escapeText(description)}`
  return `<p><a${attributesOf({ href })}>${escapeText(title || href)}</a>${line}</p>`
}

function writeList(writing: Writing, list: Element): string {
  const items = list.children.filter(isTag).map((item) => ({ item, box: checkboxOf(item) }))
  const isTasks = list.name === 'ul' && items.some(({ box }) => box !== undefined)
  const parts = items.map(({ item, box }) => {
    if (item.name !== 'li') return writeNode(writing, item)
    if (isDropped(writing, item)) return ''
    const state = box && (Object.hasOwn(box.attribs, 'checked') ? 'task done' : 'task')
    const attributes = state ? attributesOf({ class: state }) : writeAttributes(item)
    return `<li${attributes}>${writeItem(writing, item)}</li>`
  })
  const content = parts.join('')
  if (content === '') return ''
  const attributes = isTasks ? ' class="tasks"' : writeAttributes(list)
  return `<${list.name}${attributes}>${content}</${list.name}>`
}

function checkboxOf(item: Element): Element | undefined {
  const [first] = item.children.filter(isContent)
  if (!first || !isTag(first)) return undefined
  if (first.name === 'input') return first.attribs.type === 'checkbox' ? first : undefined
  return first.name === 'p' || first.name === 'label' ? checkboxOf(first) : undefined
}

/** One paragraph in an item is its text; boxes go. */
function writeItem(writing: Writing, item: Element): string {
  const content = item.children.filter(isContent)
  const texts = content.filter((child) => isTag(child) && /^(?:p|div|label)$/.test(child.name))
  const [text] = texts
  const isPlain = texts.length === 1 && text === content[0] && text && isTag(text)
  const nodes = isPlain
    ? item.children.flatMap((child) => (child === text ? text.children : [child]))
    : item.children
  return nodes
    .map((node) => (isBlock(node) ? writeBlock(writing, node) : writeNode(writing, node)))
    .join('')
    .trim()
}

function writeNodes(writing: Writing, nodes: readonly ChildNode[]): string {
  return nodes.map((node) => writeNode(writing, node)).join('')
}

function writeNode(writing: Writing, node: ChildNode): string {
  if (isText(node)) return escapeText(node.data)
  if (!isTag(node)) return ''
  const mark = writing.footnotes.marks.get(node)
  if (mark !== undefined) return mark
  if (isDropped(writing, node)) return ''
  const { name, attribs, children } = node
  switch (name) {
    case 'img':
      return writeImage(node)
    case 'iframe':
      return writeFrame(attribs.src ?? '', attribs.title)
    case 'object':
    case 'embed':
      return writeObject(node)
    case 'a':
      return writeLink(writing, node)
    case 'video':
    case 'audio':
      return writePlayer(node)
  }
  if (DROPPED.has(name)) return ''
  const special = BLOCKS.has(name) ? writeSpecial(writing, node) : undefined
  if (special !== undefined) return special
  if (VOID.has(name)) return name === 'wbr' ? '' : `<${name}${writeAttributes(node)} />`
  return `<${name}${writeAttributes(node)}>${writeNodes(writing, children)}</${name}>`
}

function writeLink(writing: Writing, link: Element): string {
  const content = link.children.filter(isContent)
  const [only] = content
  if (content.length === 1 && only && isTag(only) && only.name === 'img')
    return writeLinkedImage(only)
  const html = writeNodes(writing, link.children)
  const isAnchor = link.attribs.href === undefined
  return isAnchor ? html : `<a${writeAttributes(link)}>${html}</a>`
}

/** A frame inside a line. */
function writeFrame(address: string, title?: string): string {
  if (address === '') return ''
  return embedHtml(address, title).replace(/^<p[^>]*>|<\/p>$/g, '')
}

function writeObject(element: Element): string {
  const inside = [element, ...elementsIn(element)]
  const address = inside.map(({ attribs }) => attribs.src ?? attribs.data ?? attribs.value ?? '')
  const playable = address.find((value) => isEmbeddable(value))
  return writeFrame(playable ?? address.find((value) => /^(?:https?:)?\/\//.test(value)) ?? '')
}

/** One on another site plays; the address of a file of the export becomes a link. */
function writePlayer(player: Element): string {
  const source = findByName(player, 'source')
  const { src = source?.attribs.src, poster, width, height } = player.attribs
  if (!src) return ''
  if (!/^(?:https?:)?\/\//i.test(src))
    return `<a${attributesOf({ href: src })}>${escapeText(src.replace(/^(?:tree:)?(?:.*\/)?/, ''))}</a>`
  const values = { src, controls: 'controls', poster, width, height }
  return `<${player.name}${attributesOf(values)}></${player.name}>`
}

function writeAttributes(element: Element): string {
  const values: Record<string, string | undefined> = {}
  for (const name of ATTRIBUTES) if (element.attribs[name]) values[name] = element.attribs[name]
  const names = (element.attribs.class ?? '').split(/\s+/)
  values.class = names.filter((name) => OUR_CLASS.test(name)).join(' ') || undefined
  const side = /(?:^|\s)has-text-align-(left|center|right)(?:\s|$)/.exec(
    element.attribs.class ?? '',
  )
  if (side) values.style = `text-align: ${side[1]};`
  return attributesOf(values)
}
