// Converts HTML from word processors and web pages into HTML as the editor itself produces it:
// headings, lists, links, tables, bold and italic, without the styles of its source. Runs only in
// the browser.

import { convertFormulas } from '#contract/formulas.ts'
import {
  addressOf,
  emojiOf,
  isSameOrigin,
  isSiteFile,
  parseLink,
  textOfMedia,
} from './external-media.ts'
import { isCode, makeCode, readLines } from './paste-code.ts'
import { convertWordLists, listStyleOf, repairLists } from './paste-lists.ts'
import {
  type Declarations,
  declarationsOf,
  isCancelled,
  isHidden,
  marksOf,
  parseSheet,
  type Sheet,
} from './paste-styles.ts'
import { type Mark, makeElement, PasteWriter, type TextBlock } from './paste-writer.ts'

const TEXT_BLOCKS = setOf('p h2 h3 h4 h5 h6 dt caption figcaption')
const CONTAINERS = setOf('ul ol li dl dd table thead tbody tfoot tr th td blockquote figure')
/** Text directly in these elements becomes paragraphs. */
const BOXES = setOf(
  'div section article header footer main aside nav address center details summary fieldset legend form hgroup search dialog',
)
const INLINE = setOf(
  'strong em u s sub sup a code mark kbd samp var del ins abbr cite q ruby rt rp',
)
/** Elements whose styles are converted to bold and other marks. */
const STYLED = setOf('span font td p div')
/** The page's title is its only `h1`. */
const RENAMED: Record<string, string> = {
  h1: 'h2',
  b: 'strong',
  i: 'em',
  strike: 's',
  tt: 'code',
  dir: 'ul',
  menu: 'ul',
  acronym: 'abbr',
  rtc: 'rt',
}
/** The elements that replace paragraphs with these Word class names. */
const WORD_CLASS_ELEMENTS: Record<string, string> = {
  MsoTitle: 'h2',
  MsoQuote: 'blockquote',
  MsoIntenseQuote: 'blockquote',
}
const REMOVED = [
  'noframes,noembed,meta,link,title,head,noscript,template,svg,annotation,annotation-xml,button,input,select,textarea,xml,o\\:p,col,colgroup,source,track,.Apple-interchange-newline',
  // What pages of this blog say to screen readers.
  '.task > .visually-hidden',
  // Word's comments in the margin.
  '.MsoCommentReference,.msocomanchor,.msocomtxt,.msocomoff,[style*="mso-element:comment"]',
].join()
/** Elements that stand for white space. */
const SPACES =
  '.Apple-converted-space,.Apple-tab-span,[style*="mso-spacerun"],[style*="mso-tab-count"]'
const CODE = 'pre,xmp,listing'
const DATA_IMAGE = /^data:image\/(?:png|jpe?g|gif|webp);base64,/i
const MEDIA = 'img,video,audio,iframe,embed,object'
const LAYOUT = 'table[role=presentation],table[role=none]'
const SPAN = /^(?!1$)[1-9]\d{0,2}$/
const LENGTH = /^\d{1,4}%?$/
const NUMBER = /^-?\d{1,6}$/
/** The allowed attributes of each element, with patterns for their values. */
const ATTRIBUTES: Record<string, Record<string, RegExp>> = {
  abbr: { title: /./ },
  img: { src: /./, alt: /^/, width: LENGTH, height: LENGTH },
  td: { colspan: SPAN, rowspan: SPAN },
  th: { colspan: SPAN, rowspan: SPAN, scope: /^(?:row|col|rowgroup|colgroup)$/ },
  ol: { start: /^(?!1$)-?\d{1,6}$/, reversed: /^/ },
  ul: { class: /^tasks$/ },
  li: { class: /^task(?: done)?$/, value: NUMBER },
}

function setOf(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

/** Returns a block that replaces an image; otherwise the image stays inline or becomes a link. */
type MakeBlock = (
  image: HTMLImageElement,
  attributes: Record<string, string>,
) => Element | undefined

/** The state of the walk through the source: the text block and the marks of its text. */
export type Context = {
  textBlock: TextBlock
  marks: readonly Mark[]
  keepsLineBreaks: boolean
  direction: string | null
}

/**
 * Cleans pasted HTML, so that the server's sanitiser changes nothing more on saving.
 */
export function cleanPaste(html: string): string {
  return cleanBody(parsePaste(html))
}

/** Parses a paste without running or loading anything, and finds checkboxes. */
export function parsePaste(html: string): HTMLElement {
  const page = new DOMParser().parseFromString(
    withoutActiveContent(convertFormulas(html)),
    'text/html',
  )
  convertCheckboxes(page.body)
  for (const reading of page.querySelectorAll(':is(rt, rtc) + :is(rt, rtc)')) reading.prepend(' ')
  for (const image of [...page.images]) {
    const emoji = emojiOf(image)
    if (emoji !== undefined) image.replaceWith(emoji)
  }
  return page.body
}

type CleaningOptions = {
  makeBlock?: MakeBlock | undefined
  /** Writes an object of this blog's texts. @returns whether the element is one */
  visitObject?: VisitObject | undefined
}
export type VisitObject = (cleaning: Cleaning, element: Element, context: Context) => boolean
export type Cleaning = CleaningOptions & { writer: PasteWriter; sheet: Sheet }

export function cleanBody(body: HTMLElement, options: CleaningOptions = {}): string {
  convertWordLists(body)
  repairLists(body)
  const writer = new PasteWriter()
  const textBlock = { name: 'p', isImplicit: true, canBeSplit: true }
  const context = { textBlock, marks: [], keepsLineBreaks: false, direction: null }
  const sheets = [...body.ownerDocument.querySelectorAll('noframes')]
  const sheet = parseSheet(sheets.map(({ textContent }) => textContent).join('\n'))
  walk({ ...options, writer, sheet }, body, context)
  return writer.finish()
}

export function walk(cleaning: Cleaning, parent: Element, context: Context): void {
  for (const child of parent.childNodes) {
    if (child instanceof Text) writeText(cleaning, child.data, context)
    else if (child instanceof Element) visit(cleaning, child, context)
  }
}

function writeText(
  cleaning: Cleaning,
  text: string,
  { textBlock, marks, keepsLineBreaks }: Context,
): void {
  const lines = keepsLineBreaks && text.trim() !== '' ? text.split('\n') : [text]
  for (const [index, lineText] of lines.entries()) {
    if (index > 0) cleaning.writer.breakLine(textBlock)
    cleaning.writer.write(lineText, textBlock, marks)
  }
}

function visit(cleaning: Cleaning, element: Element, context: Context): void {
  if (element.matches(REMOVED) || isHidden(element)) return
  if (cleaning.visitObject?.(cleaning, element, context)) return
  if (element.matches(MEDIA)) visitMedia(cleaning, element, context)
  else if (element.matches(SPACES)) cleaning.writer.write(' ', context.textBlock, context.marks)
  else if (element.matches(CODE) || isCode(element)) visitCode(cleaning, element, context)
  else visitOther(cleaning, element, context)
}

function visitOther(cleaning: Cleaning, element: Element, context: Context): void {
  const name = nameOf(element)
  const style = declarationsOf(element, cleaning.sheet)
  const innerContext = {
    textBlock: context.textBlock,
    marks: [...context.marks, ...newMarks(context.marks, element, name, style)],
    keepsLineBreaks: lineBreaksFromStyle(style) ?? context.keepsLineBreaks,
    direction: element.getAttribute('dir') ?? context.direction,
  }
  if (name === 'br') cleaning.writer.breakLine(context.textBlock)
  else if (name === 'hr') cleaning.writer.putBlock(makeElement('hr'))
  else if (CONTAINERS.has(name)) visitContainer(cleaning, element, name, innerContext)
  else if ((TEXT_BLOCKS.has(name) || BOXES.has(name)) && !isExplicitBlock(context.textBlock)) {
    cleaning.writer.endLine()
    walk(cleaning, element, { ...innerContext, textBlock: textBlockFor(name, innerContext) })
    cleaning.writer.endLine()
  } else walk(cleaning, element, innerContext)
}

function visitContainer(
  cleaning: Cleaning,
  element: Element,
  name: string,
  context: Context,
): void {
  cleaning.writer.openContainer(makeElement(name, attributesOf(element, name, context)))
  const innerContext = { ...context, direction: null }
  const textBlock =
    name === 'blockquote' ? textBlockFor('div', innerContext) : { name: 'p', isImplicit: true }
  walk(cleaning, element, { ...innerContext, textBlock })
  cleaning.writer.closeContainer()
}

function visitCode(cleaning: Cleaning, element: Element, { textBlock, marks }: Context): void {
  const text = readLines(element)
  if (!element.matches(CODE) && !text.includes('\n'))
    cleaning.writer.write(text, textBlock, [...marks, makeElement('code')])
  else if (text.trim() !== '') cleaning.writer.putBlock(makeCode(element, text))
}

function visitMedia(cleaning: Cleaning, media: Element, context: Context): void {
  const { textBlock, marks } = context
  const { src, ...attributes } = attributesOf(media, 'img')
  const block = media instanceof HTMLImageElement && cleaning.makeBlock?.(media, attributes)
  if (block) cleaning.writer.putBlock(block)
  else if (canStay(media))
    cleaning.writer.putInline(
      makeElement('img', { src: src ?? '', ...attributes }),
      textBlock,
      marks,
    )
  else if (!isTracker(media)) writeLink(cleaning, media, context)
}

function writeLink(cleaning: Cleaning, media: Element, context: Context): void {
  const { textBlock, marks } = context
  const address = addressOf(media)
  const href = isSameOrigin(address) ? undefined : parseLink(address)
  const isImage = media.localName === 'img'
  // A link to a player is a line of its own.
  const linkBlock =
    isImage || !href || isExplicitBlock(textBlock) ? textBlock : textBlockFor('div', context)
  const needsNoLink = !href || marks.some(({ localName }) => localName === 'a')
  const text = href ? textOfMedia(media) || href : (media.getAttribute('alt') ?? '')
  cleaning.writer.write(
    text,
    linkBlock,
    needsNoLink ? marks : [...marks, makeElement('a', { href })],
  )
}

/** Whether the block is a heading or a paragraph, which cannot contain another. */
function isExplicitBlock({ isImplicit, canBeSplit }: TextBlock): boolean {
  return !isImplicit && !canBeSplit
}

function textBlockFor(name: string, { direction }: Pick<Context, 'direction'>): TextBlock {
  const attributes = direction === 'rtl' ? { dir: 'rtl' } : {}
  return BOXES.has(name) ? { name: 'p', canBeSplit: true, attributes } : { name, attributes }
}

/** The name of the cleaned element, which may depend on role, class or position. */
function nameOf(element: Element): string {
  const { localName, className } = element
  if (localName === 'p' || localName === 'div') {
    const level = Number(element.getAttribute('aria-level')) || 2
    if (element.getAttribute('role') === 'heading') return `h${Math.min(6, Math.max(2, level))}`
    return WORD_CLASS_ELEMENTS[className] ?? localName
  }
  if (localName === 'ol' && className === 'tasks') return 'ul'
  if (/^fig/.test(localName) && !containsObject(element.closest('figure'))) return 'div'
  if (/^t(?:able|head|body|foot|r|d|h)$/.test(localName)) {
    if (element.closest('table')?.matches(LAYOUT)) return /^t[dh]$/.test(localName) ? 'div' : 'span'
    if (localName === 'td' && element.parentElement?.parentElement?.localName === 'thead')
      return 'th'
  }
  return RENAMED[localName] ?? localName
}

function containsObject(figure: Element | null): boolean {
  return [...(figure?.querySelectorAll('img,table,pre') ?? [])].some(
    (object) => object.localName !== 'img' || canStay(object),
  )
}

/** Whether this is an image of this site, or one whose data is in the paste. */
function canStay(media: Element): boolean {
  const address = addressOf(media)
  return media.localName === 'img' && (DATA_IMAGE.test(address) || isSiteFile(address))
}

/** Whether this is a tracking pixel. */
export function isTracker(media: Element): boolean {
  return ['width', 'height'].every((side) => /^[01](?:px)?$/.test(media.getAttribute(side) ?? ''))
}

/** The inline elements that an element and its style add to those that surround it. */
function newMarks(
  outerMarks: readonly Mark[],
  element: Element,
  name: string,
  style: Declarations,
): Mark[] {
  const added: Mark[] = []
  const href = name === 'a' ? parseLink(element.getAttribute('href')) : undefined
  const isMark = INLINE.has(name) && !isCancelled(name, style) && (name !== 'a' || href)
  const byStyle = INLINE.has(name) || STYLED.has(name) ? marksOf(style) : []
  for (const mark of [...(isMark ? [name] : []), ...byStyle]) {
    const names = [...outerMarks, ...added].map(({ localName }) => localName)
    // Links are underlined by their style.
    const isAlreadySet =
      names.includes(mark) || (mark === 'u' && (name === 'a' || names.includes('a')))
    if (isAlreadySet) continue
    added.push(makeElement(mark, mark === 'a' && href ? { href } : attributesOf(element, mark)))
  }
  return added
}

function attributesOf(
  element: Element,
  name: string,
  { direction }: { direction?: string | null } = {},
): Record<string, string> {
  const kind = name === 'ol' ? listStyleOf(element) : undefined
  const allowed = Object.entries(ATTRIBUTES[name] ?? {}).flatMap(([key, pattern]) => {
    const value = element.getAttribute(key)
    return value !== null && pattern.test(value) ? [[key, value]] : []
  })
  return {
    ...(kind && { style: `list-style-type: ${kind};` }),
    ...Object.fromEntries(allowed),
    ...(direction === 'rtl' && { dir: 'rtl' }),
  }
}

/** Whether the source's line breaks are shown; undefined if its style does not say. */
function lineBreaksFromStyle(style: Declarations): boolean | undefined {
  const value = style.get('white-space')
  return value === undefined ? undefined : /^(?:pre|break)/.test(value)
}

const CHECKBOX =
  'input[type=checkbox],[role=checkbox],.checkbox,[data-checked],[data-list$=checked],[data-tag^=to-do]'
const TICKED =
  '[checked],[aria-checked=true],.checkbox-on,[data-checked=true],[data-list=checked],[data-tag$=completed]'

/**
 * Lists with checkboxes become task lists. In Google Docs and note apps the item itself has the
 * state; Google Docs adds an image of the box.
 */
function convertCheckboxes(body: Element): void {
  for (const item of body.querySelectorAll('li')) {
    const belongsToItem = (inside: Element) => inside.closest('li') === item
    const box = item.matches(CHECKBOX)
      ? item
      : [...item.querySelectorAll(CHECKBOX)].find(belongsToItem)
    if (!box) continue
    item.className = box.matches(TICKED) ? 'task done' : 'task'
    if (item.parentElement) item.parentElement.className = 'tasks'
    if (box !== item) box.remove()
    else {
      const image = [...item.querySelectorAll('img')].find(belongsToItem)
      if (image && isCheckboxImage(image, item)) image.remove()
    }
  }
}

function isCheckboxImage(image: Element, item: Element): boolean {
  const precedingRange = item.ownerDocument.createRange()
  precedingRange.setStart(item, 0)
  precedingRange.setEndBefore(image)
  const isDrawn = image.hasAttribute('aria-roledescription') || DATA_IMAGE.test(addressOf(image))
  return isDrawn && precedingRange.toString().trim() === ''
}

/** Matches from the start of the white space only, so that a long run of it is read once. */
const ATTRIBUTE = /(?<![\s/])[\s/]+([^\s"'<>/=]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?/g

/**
 * Disables styles, scripts and event handlers before the HTML is parsed: the content security
 * policy reports them even in a document that is never shown. Style sheets and scripts are renamed
 * to elements whose content is not parsed as markup either.
 */
export function withoutActiveContent(html: string): string {
  return html
    .replace(/(<\/?)style\b/gi, '$1noframes')
    .replace(/(<\/?)script\b/gi, '$1noembed')
    .replace(/(<\/?)base\b/gi, '$1meta')
    .replace(/<[a-z][^<>]*>/gi, (tag) =>
      tag.replace(ATTRIBUTE, (attribute, name: string) => (/^on/i.test(name) ? '' : attribute)),
    )
}
