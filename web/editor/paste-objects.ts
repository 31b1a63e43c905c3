// Footnotes and callouts in pasted HTML. A footnote is a short link that leads to a note, which
// leads back. Word, LibreOffice, Google Docs, pandoc, GitHub and Markdown write them in this form
// with names of their own. They become the footnotes of this blog (api.md §10.4). Changes the
// parsed paste before it is cleaned.

import { makeFootnoteKey } from './footnote-key.ts'
import { type Cleaning, type Context, cleanBody, type VisitObject, walk } from './paste-cleaning.ts'
import { makeElement } from './paste-writer.ts'

const KEY = /^#fn-[a-z0-9-]{1,40}$/
const BLOCK = /<(?:p|h\d|[uo]l|blockquote|pre|table|figure)\b/

/** "1", "[12]", "*", "iv". */
const NUMBER = /^\s*\[?[\p{L}\p{N}*†‡§]{1,5}\]?\s*$/u
/** The whole of a note, otherwise its paragraph. */
const WHOLE_NOTE =
  'li,[style*="mso-element:footnote"]:not([style*="list"]),[style*="mso-element:endnote"]:not([style*="list"]),[id^="sdfootnote"]:not(a),[id^="sdendnote"]:not(a)'
const NOTE = 'p,div'
/** What programs put around their notes: a line, a heading. */
const LIST =
  '[style*="mso-element:footnote-list"],[style*="mso-element:endnote-list"],section.footnotes,section[data-footnotes],div.footnotes'

type Footnote = { mark: Element; note: Element; back: Element }

/** "[!NOTE]" at the start of a quote in Markdown. */
const ALERT = /^\s*\[!(?:note|tip|important|warning|caution)\]\s*/i

/** @returns what writes the objects when the paste is cleaned */
export function convertPastedObjects(body: HTMLElement): VisitObject {
  convertFootnotes(body)
  for (const quote of body.querySelectorAll('blockquote')) convertCallout(quote)
  return visitObject
}

/** Objects in the form of this blog (api.md §10.4) stay as they are. */
function visitObject(cleaning: Cleaning, element: Element, context: Context): boolean {
  const { writer, makeBlock } = cleaning
  if (element.matches('nav.contents')) writer.putBlock(makeElement('nav', { class: 'contents' }))
  else if (element.matches('section.footnotes')) writer.putBlock(cleanNotes(element, makeBlock))
  else if (element.matches('aside.callout')) visitCallout(cleaning, element, context)
  else {
    const link = element.matches('sup.footnote') ? element.querySelector('a') : null
    const address = link?.getAttribute('href') ?? ''
    if (!KEY.test(address)) return false
    const mark = makeMark(address, element.textContent ?? '')
    writer.putInline(mark, context.textBlock, context.marks)
  }
  return true
}

function makeMark(address: string, number: string): Element {
  const mark = makeElement('sup', { class: 'footnote' })
  const link = makeElement('a', { href: address })
  link.append(number)
  mark.append(link)
  return mark
}

function visitCallout(cleaning: Cleaning, element: Element, context: Context): void {
  cleaning.writer.openContainer(makeElement('aside', { class: 'callout' }))
  walk(cleaning, element, { ...context, textBlock: { name: 'p', isImplicit: true } })
  cleaning.writer.closeContainer()
}

function cleanNotes(section: Element, makeBlock: Cleaning['makeBlock']): Element {
  const list = makeElement('ol')
  for (const note of section.querySelectorAll<HTMLElement>(':scope > ol > li')) {
    for (const link of note.querySelectorAll('.footnote-back')) link.remove()
    const html = cleanBody(note, { makeBlock })
    const item = makeElement('li', note.id ? { id: note.id } : {})
    item.innerHTML = BLOCK.test(html) ? html : `<p>${html}</p>`
    list.append(item)
  }
  const cleaned = makeElement('section', { class: 'footnotes' })
  cleaned.append(list)
  return cleaned
}

function convertCallout(quote: Element): void {
  const walker = quote.ownerDocument.createTreeWalker(quote, NodeFilter.SHOW_TEXT)
  let text = walker.nextNode() as Text | null
  while (text && text.data.trim() === '') text = walker.nextNode() as Text | null
  if (!text || !ALERT.test(text.data)) return
  text.data = text.data.replace(ALERT, '')
  const callout = makeElement('aside', { class: 'callout' }, quote.ownerDocument)
  callout.append(...quote.childNodes)
  quote.replaceWith(callout)
}

/** Turns pairs of links into marks, and collects their notes at the end of the body. */
function convertFootnotes(body: HTMLElement): void {
  const footnotes = findFootnotes(body)
  if (footnotes.length === 0) return
  // In this document, pasted elements load nothing.
  const page = body.ownerDocument
  const list = makeElement('ol', {}, page)
  const keys = new Map<Element, string>()
  const lists = new Set(footnotes.map(({ note }) => note.closest(LIST)))
  for (const { mark, note, back } of footnotes) {
    const key = keys.get(note) ?? makeFootnoteKey()
    mark.replaceWith(makeMark(`#fn-${key}`, '1'))
    if (keys.has(note)) continue
    keys.set(note, key)
    removeBackLink(back)
    const item = makeElement('li', { id: `fn-${key}` }, page)
    item.append(...(note.matches('p') ? [note] : note.childNodes))
    if (note.parentNode !== item) note.remove()
    list.append(item)
  }
  for (const emptied of lists) if (emptied && !hasWords(emptied)) emptied.remove()
  const section = makeElement('section', { class: 'footnotes' }, page)
  section.append(list)
  body.append(section)
}

function findFootnotes(body: HTMLElement): Footnote[] {
  const targets = new Map<string, Element>()
  for (const element of body.querySelectorAll('[id],a[name]'))
    for (const name of [element.id, element.getAttribute('name')])
      if (name && !targets.has(name)) targets.set(name, element)
  const targetOf = (link: Element) => targets.get(fragmentOf(link))
  const footnotes: Footnote[] = []
  for (const link of body.querySelectorAll('a[href*="#"]')) {
    const target = NUMBER.test(link.textContent ?? '') ? targetOf(link) : undefined
    const note = target?.closest(WHOLE_NOTE) ?? target?.closest(NOTE)
    if (!target || !note || note === body || note.contains(link)) continue
    if (!(link.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING)) continue
    const links = target.matches('a[href]') ? [target] : [...note.querySelectorAll('a[href*="#"]')]
    const back = links.find((candidate) => isAt(targetOf(candidate), link))
    if (back) footnotes.push({ mark: link.closest('sup') ?? link, note, back })
  }
  // A second reference has no link back of its own.
  return footnotes
}

/** Whether the target is the link, is inside it, or is the `sup` around it. */
function isAt(target: Element | undefined, link: Element): boolean {
  if (!target) return false
  return (
    target === link || link.contains(target) || (target.contains(link) && target.matches('sup'))
  )
}

function fragmentOf(link: Element): string {
  const address = link.getAttribute('href') ?? ''
  const fragment = address.slice(address.indexOf('#') + 1)
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

function removeBackLink(back: Element): void {
  const whole = back.closest('sup') ?? back
  const next = whole.nextSibling
  if (next?.nodeType === Node.TEXT_NODE) next.nodeValue = (next.nodeValue ?? '').trimStart()
  whole.remove()
}

function hasWords(list: Element): boolean {
  const copy = list.cloneNode(true) as Element
  for (const heading of copy.querySelectorAll('h1,h2,h3,h4,h5,h6')) heading.remove()
  return (copy.textContent ?? '').trim() !== ''
}
