// HTML from word processors and web pages -> what a person would have made in the editor itself:
// headings, lists, links, tables, bold and italic, and none of the look of the place it came from.
// Runs in the browser only.

import { breakLines, dropEmpty, layOut, tidySpaces, wrapInside } from './paste-blocks.ts'
import { makeCode } from './paste-code.ts'
import { makeWordLists, mendLists, NUMBER_KINDS } from './paste-lists.ts'
import { linkMedia, readLink } from './paste-media.ts'
import {
  isHidden,
  looksOf,
  marksOf,
  readLooks,
  readSheet,
  type Sheet,
  saysNothing,
  tidyMarks,
} from './paste-styles.ts'

const BLOCKS_KEPT = WORDS(
  'p hr h2 h3 h4 h5 h6 blockquote pre ul ol li dl dt dd table caption thead tbody tfoot tr th td figure figcaption br img',
)
const INLINE_KEPT = WORDS('strong em u s sub sup a code mark kbd samp var del ins abbr cite q')
/** Boxes that say nothing themselves; of all other elements only the content stays. */
const BOXES = WORDS(
  'div section article header footer main aside nav address center details summary fieldset legend form hgroup search dialog',
)
const DROPPED = [
  'script,style,meta,link,title,head,noscript,template,svg,math,button,input,select,textarea,xml,o\\:p,col,colgroup,source,track,.Apple-interchange-newline',
  // Remarks that Word's readers have left in the margin.
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
const GRAMMARS: Record<string, RegExp> = {
  colspan: /^(?!1$)[1-9]\d{0,2}$/,
  rowspan: /^(?!1$)[1-9]\d{0,2}$/,
  scope: /^(?:row|col|rowgroup|colgroup)$/,
  width: /^\d{1,4}%?$/,
  height: /^\d{1,4}%?$/,
  start: /^(?!1$)-?\d{1,6}$/,
  value: /^-?\d{1,6}$/,
}
/** The title is the page's only heading of the first rank. */
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
/** Paragraphs that Word calls something else. */
const WORD_NAMES: Record<string, string> = {
  MsoTitle: 'h2',
  MsoQuote: 'blockquote',
  MsoIntenseQuote: 'blockquote',
}
/** They draw a space, or several. */
const SPACES =
  '.Apple-converted-space,.Apple-tab-span,[style*="mso-spacerun"],[style*="mso-tab-count"]'

function WORDS(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

/**
 * Cleans pasted HTML; cleaning twice changes nothing, and neither does the server when it is saved.
 */
export function cleanPaste(html: string): string {
  const sheet = readSheet(html)
  const { body } = new DOMParser().parseFromString(withoutCode(html), 'text/html')
  dropComments(body)
  for (const element of body.querySelectorAll('*')) if (isHidden(element)) element.remove()
  drawTicks(body)
  linkMedia(body)
  for (const element of body.querySelectorAll(DROPPED)) element.remove()
  for (const element of body.querySelectorAll(SPACES)) element.replaceWith(' ')
  nameBlocks(body)
  makeCode(body)
  breakLines(body)
  makeWordLists(body)
  for (const element of [...body.querySelectorAll('*')].reverse()) clean(element, sheet)
  mendLists(body)
  layOut(body)
  tidySpaces(body)
  tidyMarks(body)
  dropEmpty(body)
  return body.innerHTML.trim()
}

const ATTRIBUTE = /\s+([^\s"'<>/=]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?/g

/**
 * Even a document that is never shown reports styles and handlers which the policy refuses: they go
 * before it is parsed.
 */
export function withoutCode(html: string): string {
  return html
    .replace(/<(style|script)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<[a-z][^>]*>/gi, (tag) =>
      tag.replace(ATTRIBUTE, (attribute, name: string) => (/^on/i.test(name) ? '' : attribute)),
    )
}

function dropComments(body: HTMLElement): void {
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_COMMENT)
  const comments: Node[] = []
  while (walker.nextNode()) comments.push(walker.currentNode)
  for (const comment of comments) comment.parentNode?.removeChild(comment)
}

/** Boxes that are ticked or not, in lists of things to do. */
function drawTicks(body: Element): void {
  for (const item of body.querySelectorAll('li')) {
    const box = item.querySelector('input[type=checkbox]')
    const picture = item.querySelector('img[aria-roledescription=checkbox]')
    if (item.getAttribute('role') !== 'checkbox' && box?.closest('li') !== item) continue
    const isTicked = box
      ? box.hasAttribute('checked')
      : item.getAttribute('aria-checked') === 'true'
    const sign = isTicked ? '☑ ' : '☐ '
    if (box) box.replaceWith(sign)
    else (item.querySelector('p') ?? item).prepend(sign)
    picture?.remove()
  }
}

/** What is a heading, a quotation or no table, though its element does not say so. */
function nameBlocks(body: Element): void {
  for (const block of body.querySelectorAll('p,div')) {
    const rank =
      block.getAttribute('role') === 'heading'
        ? `h${Math.min(6, Math.max(2, Number(block.getAttribute('aria-level')) || 2))}`
        : undefined
    const name = rank ?? WORD_NAMES[block.className]
    if (name) block.replaceWith(made(name, block))
  }
  for (const table of [
    ...body.querySelectorAll('table:is([role=presentation],[role=none])'),
  ].reverse()) {
    if (!(table instanceof HTMLTableElement)) continue
    table.replaceWith(
      ...[...table.rows].flatMap(({ cells }) => [...cells]).map((cell) => made('div', cell)),
    )
  }
  for (const cell of body.querySelectorAll('thead td')) cell.replaceWith(copied('th', cell))
}

function made(name: string, from: Element): Element {
  const element = document.createElement(name)
  element.append(...from.childNodes)
  return element
}

function copied(name: string, from: Element): Element {
  const element = made(name, from)
  for (const { name: key, value } of from.attributes) element.setAttribute(key, value)
  return element
}

/** One element, after all that is inside it. */
function clean(element: Element, sheet: Sheet): void {
  const name = RENAMED[element.localName] ?? element.localName
  const looks = looksOf(element, sheet)
  const isInline = INLINE_KEPT.has(name)
  if (isInline || /^(?:span|font|td|p|div)$/.test(name)) {
    // A link is underlined anyway.
    for (const mark of marksOf(looks))
      if (name !== 'a' || mark !== 'u') wrapInside(element, document.createElement(mark))
  }
  const kept = document.createElement(BOXES.has(name) ? 'div' : name)
  copyAttributes(element, kept, name)
  const isDead = name === 'a' && !kept.hasAttribute('href')
  if (isInline && !isDead && !saysNothing(name, looks)) wrapInside(element, kept)
  if (BLOCKS_KEPT.has(name) || BOXES.has(name)) {
    kept.append(...element.childNodes)
    element.replaceWith(kept)
  } else element.replaceWith(...element.childNodes)
}

function copyAttributes(from: Element, to: Element, name: string): void {
  const kind = name === 'ol' ? kindOf(from) : undefined
  if (kind) to.setAttribute('style', `list-style-type: ${kind};`)
  for (const attribute of ATTRIBUTES[name] ?? []) {
    const value = from.getAttribute(attribute)
    const kept = attribute === 'href' ? readLink(value) : value
    if (kept != null && (GRAMMARS[attribute]?.test(kept) ?? true)) to.setAttribute(attribute, kept)
  }
  if (name === 'pre' && from.className) to.className = from.className
  if (from.getAttribute('dir') === 'rtl' && (BLOCKS_KEPT.has(name) || BOXES.has(name)))
    to.setAttribute('dir', 'rtl')
}

/** Letters and Roman numbers are part of the text: somewhere it may say "see (b)". */
function kindOf(list: Element): string | undefined {
  const said = [list, list.querySelector(':scope > li')].map((one) =>
    readLooks(one?.getAttribute('style') ?? '').get('list-style-type'),
  )
  return (
    NUMBER_KINDS[list.getAttribute('type') ?? ''] ??
    said.map((one) => NUMBER_KINDS[one ?? '']).find(Boolean)
  )
}
