// Turns HTML from word processors and web pages into what a person would have made in the editor
// itself: headings, lists, links, tables, bold and italic, without the styles of its source. Runs
// in the browser only.

import {
  addLineBreaks,
  collapseSpaces,
  removeEmptyBlocks,
  unwrapBoxes,
  wrapInline,
} from './paste-blocks.ts'
import { convertCode } from './paste-code.ts'
import { convertWordLists, NUMBER_KINDS, repairLists } from './paste-lists.ts'
import { convertMedia, parseLink } from './paste-media.ts'
import {
  declarationsOf,
  isHidden,
  isUndone,
  marksOf,
  mergeMarks,
  parseSheet,
  parseStyle,
  type Sheet,
} from './paste-styles.ts'

const BLOCKS_KEPT = setOf(
  'p hr h2 h3 h4 h5 h6 blockquote pre ul ol li dl dt dd table caption thead tbody tfoot tr th td figure figcaption br img',
)
const INLINE_KEPT = setOf('strong em u s sub sup a code mark kbd samp var del ins abbr cite q')
/**
 * They become a `div`; of an element that is in none of the three lists only the content is kept.
 */
const BOXES = setOf(
  'div section article header footer main aside nav address center details summary fieldset legend form hgroup search dialog',
)
const REMOVED = [
  'script,style,meta,link,title,head,noscript,template,svg,math,button,input,select,textarea,xml,o\\:p,col,colgroup,source,track,.Apple-interchange-newline',
  // Word's comments in the margin.
  '.MsoCommentReference,.msocomanchor,.msocomtxt,.msocomoff,[style*="mso-element:comment"]',
].join()
const ATTRIBUTES: Record<string, readonly string[]> = {
  a: ['href'],
  abbr: ['title'],
  img: ['src', 'alt', 'width', 'height'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan', 'scope'],
  ol: ['start', 'reversed'],
  li: ['value'],
}
const VALUE_PATTERNS: Record<string, RegExp> = {
  colspan: /^(?!1$)[1-9]\d{0,2}$/,
  rowspan: /^(?!1$)[1-9]\d{0,2}$/,
  scope: /^(?:row|col|rowgroup|colgroup)$/,
  width: /^\d{1,4}%?$/,
  height: /^\d{1,4}%?$/,
  start: /^(?!1$)-?\d{1,6}$/,
  value: /^-?\d{1,6}$/,
}
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
}
/** Elements for paragraphs with these class names of Word. */
const WORD_NAMES: Record<string, string> = {
  MsoTitle: 'h2',
  MsoQuote: 'blockquote',
  MsoIntenseQuote: 'blockquote',
}
/** Elements that only make space. */
const SPACES =
  '.Apple-converted-space,.Apple-tab-span,[style*="mso-spacerun"],[style*="mso-tab-count"]'

function setOf(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

/**
 * Cleans pasted HTML. Idempotent; the server's own cleaning on saving changes nothing more.
 */
export function cleanPaste(html: string): string {
  const sheet = parseSheet(html)
  const { body } = new DOMParser().parseFromString(withoutCode(html), 'text/html')
  removeComments(body)
  for (const element of body.querySelectorAll('*')) if (isHidden(element)) element.remove()
  convertCheckboxes(body)
  convertMedia(body)
  for (const element of body.querySelectorAll(REMOVED)) element.remove()
  for (const element of body.querySelectorAll(SPACES)) element.replaceWith(' ')
  convertBlocks(body)
  convertCode(body)
  addLineBreaks(body)
  convertWordLists(body)
  for (const element of [...body.querySelectorAll('*')].reverse()) clean(element, sheet)
  repairLists(body)
  unwrapBoxes(body)
  collapseSpaces(body)
  mergeMarks(body)
  removeEmptyBlocks(body)
  return body.innerHTML.trim()
}

const CODE_BEGINS = /<(style|script)\b/gi
/** Begins where its spaces begin: a long row of them is looked at once. */
const ATTRIBUTE = /(?<![\s/])[\s/]+([^\s"'<>/=]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?/g

/**
 * Removes styles, scripts and event handlers before the HTML is parsed: the content security policy
 * reports them even in a document that is never shown.
 */
export function withoutCode(html: string): string {
  const text = withoutSheets(html)
  // What is not closed is no element, and may be long.
  const end = text.lastIndexOf('>') + 1
  const tags = text
    .slice(0, end)
    .replace(/<[a-z][^>]*>/gi, (tag) =>
      tag.replace(ATTRIBUTE, (attribute, name: string) => (/^on/i.test(name) ? '' : attribute)),
    )
  return tags + text.slice(end)
}

function withoutSheets(html: string): string {
  const kept: string[] = []
  const unclosed = new Set<string>()
  let from = 0
  for (const { 0: begin, 1: name = '', index } of html.matchAll(CODE_BEGINS)) {
    const kind = name.toLowerCase()
    if (index < from || unclosed.has(kind)) continue
    const close = new RegExp(`</${kind}\\s*>`, 'gi')
    close.lastIndex = index + begin.length
    if (close.test(html)) {
      kept.push(html.slice(from, index))
      from = close.lastIndex
    } else unclosed.add(kind)
  }
  return kept.join('') + html.slice(from)
}

function removeComments(body: HTMLElement): void {
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_COMMENT)
  const comments: Node[] = []
  while (walker.nextNode()) comments.push(walker.currentNode)
  for (const comment of comments) comment.parentNode?.removeChild(comment)
}

/** The checkboxes of to-do lists become the signs ☑ and ☐. */
function convertCheckboxes(body: Element): void {
  for (const item of body.querySelectorAll('li')) {
    const box = item.querySelector('input[type=checkbox]')
    const image = item.querySelector('img[aria-roledescription=checkbox]')
    if (item.getAttribute('role') !== 'checkbox' && box?.closest('li') !== item) continue
    const isTicked = box
      ? box.hasAttribute('checked')
      : item.getAttribute('aria-checked') === 'true'
    const sign = isTicked ? '☑ ' : '☐ '
    if (box) box.replaceWith(sign)
    else (item.querySelector('p') ?? item).prepend(sign)
    image?.remove()
  }
}

/**
 * Gives headings, quotations and header cells their element, and unwraps tables used for layout.
 */
function convertBlocks(body: Element): void {
  for (const block of body.querySelectorAll('p,div')) {
    const rank =
      block.getAttribute('role') === 'heading'
        ? `h${Math.min(6, Math.max(2, Number(block.getAttribute('aria-level')) || 2))}`
        : undefined
    const name = rank ?? WORD_NAMES[block.className]
    if (name) block.replaceWith(elementFrom(name, block))
  }
  for (const table of [
    ...body.querySelectorAll('table:is([role=presentation],[role=none])'),
  ].reverse()) {
    if (!(table instanceof HTMLTableElement)) continue
    table.replaceWith(
      ...[...table.rows].flatMap(({ cells }) => [...cells]).map((cell) => elementFrom('div', cell)),
    )
  }
  for (const cell of body.querySelectorAll('thead td')) cell.replaceWith(copyAs('th', cell))
}

function elementFrom(name: string, from: Element): Element {
  const element = document.createElement(name)
  element.append(...from.childNodes)
  return element
}

function copyAs(name: string, from: Element): Element {
  const element = elementFrom(name, from)
  for (const { name: key, value } of from.attributes) element.setAttribute(key, value)
  return element
}

/** Cleans one element whose content is clean already. */
function clean(element: Element, sheet: Sheet): void {
  const name = RENAMED[element.localName] ?? element.localName
  const declarations = declarationsOf(element, sheet)
  const isInline = INLINE_KEPT.has(name)
  if (isInline || /^(?:span|font|td|p|div)$/.test(name)) {
    // Links are underlined by their style.
    for (const mark of marksOf(declarations))
      if (name !== 'a' || mark !== 'u') wrapInline(element, document.createElement(mark))
  }
  const kept = document.createElement(BOXES.has(name) ? 'div' : name)
  copyAttributes(element, kept, name)
  const isDeadLink = name === 'a' && !kept.hasAttribute('href')
  if (isInline && !isDeadLink && !isUndone(name, declarations)) wrapInline(element, kept)
  if (BLOCKS_KEPT.has(name) || BOXES.has(name)) {
    kept.append(...element.childNodes)
    element.replaceWith(kept)
  } else element.replaceWith(...element.childNodes)
}

function copyAttributes(from: Element, to: Element, name: string): void {
  const kind = name === 'ol' ? listStyleOf(from) : undefined
  if (kind) to.setAttribute('style', `list-style-type: ${kind};`)
  for (const attribute of ATTRIBUTES[name] ?? []) {
    const value = from.getAttribute(attribute)
    const kept = attribute === 'href' ? parseLink(value) : value
    if (kept != null && (VALUE_PATTERNS[attribute]?.test(kept) ?? true))
      to.setAttribute(attribute, kept)
  }
  if (name === 'pre' && from.className) to.className = from.className
  if (from.getAttribute('dir') === 'rtl' && (BLOCKS_KEPT.has(name) || BOXES.has(name)))
    to.setAttribute('dir', 'rtl')
}

/** Letters and Roman numbers are kept: the text may refer to them, as in "see (b)". */
function listStyleOf(list: Element): string | undefined {
  const styles = [list, list.querySelector(':scope > li')].map((one) =>
    parseStyle(one?.getAttribute('style') ?? '').get('list-style-type'),
  )
  return (
    NUMBER_KINDS[list.getAttribute('type') ?? ''] ??
    styles.map((one) => NUMBER_KINDS[one ?? '']).find(Boolean)
  )
}
