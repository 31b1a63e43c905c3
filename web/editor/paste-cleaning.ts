// Turns HTML from word processors and web pages into what a person would have made in the editor
// itself: headings, lists, links, tables, bold and italic, without the styles of its source. Runs
// in the browser only.

import { convertFormulas } from '#contract/formulas.ts'
import { addressOf, emojiOf, isOwn, isOwnFile, parseLink, textOfMedia } from './external-media.ts'
import { isCode, makeCode, readLines } from './paste-code.ts'
import { convertWordLists, listStyleOf, repairLists } from './paste-lists.ts'
import {
  type Declarations,
  declarationsOf,
  isHidden,
  isUndone,
  marksOf,
  parseSheet,
  type Sheet,
} from './paste-styles.ts'
import { type Line, type Mark, makeElement, PasteWriter } from './paste-writer.ts'

const LINES = setOf('p h2 h3 h4 h5 h6 dt caption figcaption')
const HOLDERS = setOf('ul ol li dl dd table thead tbody tfoot tr th td blockquote figure')
/** Text in them stands in paragraphs. */
const BOXES = setOf(
  'div section article header footer main aside nav address center details summary fieldset legend form hgroup search dialog',
)
const INLINE = setOf(
  'strong em u s sub sup a code mark kbd samp var del ins abbr cite q ruby rt rp',
)
/** Elements whose style may make their text bold and the like. */
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
/** Elements for paragraphs with these class names of Word. */
const WORD_NAMES: Record<string, string> = {
  MsoTitle: 'h2',
  MsoQuote: 'blockquote',
  MsoIntenseQuote: 'blockquote',
}
const REMOVED = [
  'noframes,noembed,meta,link,title,head,noscript,template,svg,annotation,annotation-xml,button,input,select,textarea,xml,o\\:p,col,colgroup,source,track,.Apple-interchange-newline',
  // Word's comments in the margin.
  '.MsoCommentReference,.msocomanchor,.msocomtxt,.msocomoff,[style*="mso-element:comment"]',
].join()
/** Elements that only make space. */
const SPACES =
  '.Apple-converted-space,.Apple-tab-span,[style*="mso-spacerun"],[style*="mso-tab-count"]'
const CODE = 'pre,xmp,listing'
const DATA_IMAGE = /^data:image\/(?:png|jpe?g|gif|webp);base64,/i
const MEDIA = 'img,video,audio,iframe,embed,object'
const LAYOUT = 'table[role=presentation],table[role=none]'
const SPAN = /^(?!1$)[1-9]\d{0,2}$/
const LENGTH = /^\d{1,4}%?$/
const NUMBER = /^-?\d{1,6}$/
/** What each element keeps, and which values. */
const ATTRIBUTES: Record<string, Record<string, RegExp>> = {
  abbr: { title: /./ },
  img: { src: /./, alt: /^/, width: LENGTH, height: LENGTH },
  td: { colspan: SPAN, rowspan: SPAN },
  th: { colspan: SPAN, rowspan: SPAN, scope: /^(?:row|col|rowgroup|colgroup)$/ },
  ol: { start: /^(?!1$)-?\d{1,6}$/, reversed: /^/ },
  li: { value: NUMBER },
}

function setOf(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

/** A block in the place of an image; without one it stands in its line, or is a link. */
type MakeBlock = (
  image: HTMLImageElement,
  attributes: Record<string, string>,
) => Element | undefined

/** Where the walk through the source is: which line its text goes to, with which marks. */
type Place = { line: Line; marks: readonly Mark[]; keepsLines: boolean; direction: string | null }

/**
 * Cleans pasted HTML. The server's own cleaning on saving changes nothing more.
 */
export function cleanPaste(html: string): string {
  return cleanBody(parsePaste(html))
}

/** The pasted document, of which nothing runs or loads, with signs in place of checkboxes. */
export function parsePaste(html: string): HTMLElement {
  const page = new DOMParser().parseFromString(withoutCode(convertFormulas(html)), 'text/html')
  convertCheckboxes(page.body)
  for (const reading of page.querySelectorAll(':is(rt, rtc) + :is(rt, rtc)')) reading.prepend(' ')
  for (const image of [...page.images]) {
    const emoji = emojiOf(image)
    if (emoji !== undefined) image.replaceWith(emoji)
  }
  return page.body
}

type Cleaning = { writer: PasteWriter; sheet: Sheet; makeBlock: MakeBlock | undefined }

export function cleanBody(body: HTMLElement, makeBlock?: MakeBlock): string {
  convertWordLists(body)
  repairLists(body)
  const writer = new PasteWriter()
  const line = { name: 'p', isLoose: true, splits: true }
  const place = { line, marks: [], keepsLines: false, direction: null }
  const sheets = [...body.ownerDocument.querySelectorAll('noframes')]
  const sheet = parseSheet(sheets.map(({ textContent }) => textContent).join('\n'))
  walk({ writer, sheet, makeBlock }, body, place)
  return writer.finish()
}

function walk(cleaning: Cleaning, parent: Element, place: Place): void {
  for (const child of parent.childNodes) {
    if (child instanceof Text) writeText(cleaning, child.data, place)
    else if (child instanceof Element) visit(cleaning, child, place)
  }
}

function writeText(cleaning: Cleaning, text: string, { line, marks, keepsLines }: Place): void {
  const lines = keepsLines && text.trim() !== '' ? text.split('\n') : [text]
  for (const [at, one] of lines.entries()) {
    if (at > 0) cleaning.writer.breakLine(line)
    cleaning.writer.write(one, line, marks)
  }
}

function visit(cleaning: Cleaning, element: Element, place: Place): void {
  if (element.matches(REMOVED) || isHidden(element)) return
  if (element.matches(MEDIA)) visitMedia(cleaning, element, place)
  else if (element.matches(SPACES)) cleaning.writer.write(' ', place.line, place.marks)
  else if (element.matches(CODE) || isCode(element)) visitCode(cleaning, element, place)
  else visitOther(cleaning, element, place)
}

function visitOther(cleaning: Cleaning, element: Element, place: Place): void {
  const name = nameOf(element)
  const style = declarationsOf(element, cleaning.sheet)
  const inside = {
    line: place.line,
    marks: [...place.marks, ...newMarks(place.marks, element, name, style)],
    keepsLines: keepsLines(style) ?? place.keepsLines,
    direction: element.getAttribute('dir') ?? place.direction,
  }
  if (name === 'br') cleaning.writer.breakLine(place.line)
  else if (name === 'hr') cleaning.writer.putBlock(makeElement('hr'))
  else if (HOLDERS.has(name)) visitHolder(cleaning, element, name, inside)
  else if ((LINES.has(name) || BOXES.has(name)) && !isTextLine(place.line)) {
    cleaning.writer.endLine()
    walk(cleaning, element, { ...inside, line: lineFor(name, inside) })
    cleaning.writer.endLine()
  } else walk(cleaning, element, inside)
}

function visitHolder(cleaning: Cleaning, element: Element, name: string, place: Place): void {
  cleaning.writer.openBox(makeElement(name, attributesOf(element, name, place)))
  const inside = { ...place, direction: null }
  const line = name === 'blockquote' ? lineFor('div', inside) : { name: 'p', isLoose: true }
  walk(cleaning, element, { ...inside, line })
  cleaning.writer.closeBox()
}

function visitCode(cleaning: Cleaning, element: Element, { line, marks }: Place): void {
  const text = readLines(element)
  if (!element.matches(CODE) && !text.includes('\n'))
    cleaning.writer.write(text, line, [...marks, makeElement('code')])
  else if (text.trim() !== '') cleaning.writer.putBlock(makeCode(element, text))
}

function visitMedia(cleaning: Cleaning, media: Element, place: Place): void {
  const { line, marks } = place
  const { src, ...attributes } = attributesOf(media, 'img')
  const block = media instanceof HTMLImageElement && cleaning.makeBlock?.(media, attributes)
  if (block) cleaning.writer.putBlock(block)
  else if (isKeptImage(media))
    cleaning.writer.putInline(makeElement('img', { src: src ?? '', ...attributes }), line, marks)
  else if (!isTracker(media)) writeLink(cleaning, media, place)
}

function writeLink(cleaning: Cleaning, media: Element, place: Place): void {
  const { line, marks } = place
  const address = addressOf(media)
  const href = isOwn(address) ? undefined : parseLink(address)
  const isImage = media.localName === 'img'
  // A link to a player is a line of its own.
  const own = isImage || !href || isTextLine(line) ? line : lineFor('div', place)
  const isLinked = !href || marks.some(({ localName }) => localName === 'a')
  const text = href ? textOfMedia(media) || href : (media.getAttribute('alt') ?? '')
  cleaning.writer.write(text, own, isLinked ? marks : [...marks, makeElement('a', { href })])
}

/** Within a heading or a paragraph no other begins. */
function isTextLine({ isLoose, splits }: Line): boolean {
  return !isLoose && !splits
}

function lineFor(name: string, { direction }: Pick<Place, 'direction'>): Line {
  const attributes = direction === 'rtl' ? { dir: 'rtl' } : {}
  return BOXES.has(name) ? { name: 'p', splits: true, attributes } : { name, attributes }
}

/** What an element means: also by its role, its class or its place. */
function nameOf(element: Element): string {
  const { localName, className } = element
  if (localName === 'p' || localName === 'div') {
    const level = Number(element.getAttribute('aria-level')) || 2
    if (element.getAttribute('role') === 'heading') return `h${Math.min(6, Math.max(2, level))}`
    return WORD_NAMES[className] ?? localName
  }
  if (/^fig/.test(localName) && !holdsObject(element.closest('figure'))) return 'div'
  if (/^t(?:able|head|body|foot|r|d|h)$/.test(localName)) {
    if (element.closest('table')?.matches(LAYOUT)) return /^t[dh]$/.test(localName) ? 'div' : 'span'
    if (localName === 'td' && element.parentElement?.parentElement?.localName === 'thead')
      return 'th'
  }
  return RENAMED[localName] ?? localName
}

function holdsObject(figure: Element | null): boolean {
  return [...(figure?.querySelectorAll('img,table,pre') ?? [])].some(
    (one) => one.localName !== 'img' || isKeptImage(one),
  )
}

/** An image of this site, or one that comes with the text. */
function isKeptImage(media: Element): boolean {
  const address = addressOf(media)
  return media.localName === 'img' && (DATA_IMAGE.test(address) || isOwnFile(address))
}

/** An image of one pixel, by which mails and pages count their readers. */
export function isTracker(media: Element): boolean {
  return ['width', 'height'].every((side) => /^[01](?:px)?$/.test(media.getAttribute(side) ?? ''))
}

/** The inline elements that an element and its style add to those around it. */
function newMarks(
  around: readonly Mark[],
  element: Element,
  name: string,
  style: Declarations,
): Mark[] {
  const added: Mark[] = []
  const href = name === 'a' ? parseLink(element.getAttribute('href')) : undefined
  const isOwn = INLINE.has(name) && !isUndone(name, style) && (name !== 'a' || href)
  const byStyle = INLINE.has(name) || STYLED.has(name) ? marksOf(style) : []
  for (const mark of [...(isOwn ? [name] : []), ...byStyle]) {
    const names = [...around, ...added].map(({ localName }) => localName)
    // Links are underlined by their style.
    const isThere = names.includes(mark) || (mark === 'u' && (name === 'a' || names.includes('a')))
    if (isThere) continue
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
  const kept = Object.entries(ATTRIBUTES[name] ?? {}).flatMap(([key, pattern]) => {
    const value = element.getAttribute(key)
    return value !== null && pattern.test(value) ? [[key, value]] : []
  })
  return {
    ...(kind && { style: `list-style-type: ${kind};` }),
    ...Object.fromEntries(kept),
    ...(direction === 'rtl' && { dir: 'rtl' }),
  }
}

/** Whether line ends of the source are shown; undefined when its style says nothing of them. */
function keepsLines(style: Declarations): boolean | undefined {
  const value = style.get('white-space')
  return value === undefined ? undefined : /^(?:pre|break)/.test(value)
}

const CHECKBOX =
  'input[type=checkbox],[role=checkbox],.checkbox,[data-checked],[data-list$=checked],[data-tag^=to-do]'
const TICKED =
  '[checked],[aria-checked=true],.checkbox-on,[data-checked=true],[data-list=checked],[data-tag$=completed]'

/**
 * The checkboxes of to-do lists become the signs ☑ and ☐. Google Docs and note programs say it of
 * the item; Google Docs draws its box as an image.
 */
function convertCheckboxes(body: Element): void {
  for (const item of body.querySelectorAll('li')) {
    const isOfItem = (inside: Element) => inside.closest('li') === item
    const box = item.matches(CHECKBOX) ? item : [...item.querySelectorAll(CHECKBOX)].find(isOfItem)
    if (!box) continue
    const sign = box.matches(TICKED) ? '☑ ' : '☐ '
    if (box === item) {
      const image = [...item.querySelectorAll('img')].find(isOfItem)
      if (image && isDrawnBox(image, item)) image.remove()
      ;([...item.querySelectorAll('p, div')].find(isOfItem) ?? item).prepend(sign)
    } else box.replaceWith(sign)
  }
}

function isDrawnBox(image: Element, item: Element): boolean {
  const before = item.ownerDocument.createRange()
  before.setStart(item, 0)
  before.setEndBefore(image)
  const isDrawn = image.hasAttribute('aria-roledescription') || DATA_IMAGE.test(addressOf(image))
  return isDrawn && before.toString().trim() === ''
}

/** Begins where its spaces begin: a long row of them is looked at once. */
const ATTRIBUTE = /(?<![\s/])[\s/]+([^\s"'<>/=]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?/g

/**
 * Takes the effect from styles, scripts and event handlers before the HTML is parsed: the content
 * security policy reports them even in a document that is never shown. Style sheets and scripts get
 * the names of elements whose content is as little markup as theirs.
 */
export function withoutCode(html: string): string {
  return html
    .replace(/(<\/?)style\b/gi, '$1noframes')
    .replace(/(<\/?)script\b/gi, '$1noembed')
    .replace(/(<\/?)base\b/gi, '$1meta')
    .replace(/<[a-z][^<>]*>/gi, (tag) =>
      tag.replace(ATTRIBUTE, (attribute, name: string) => (/^on/i.test(name) ? '' : attribute)),
    )
}
