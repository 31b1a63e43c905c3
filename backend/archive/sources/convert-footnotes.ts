// Footnotes of other programs: a link with a number leads to a note, which leads back. They become
// the footnotes of this blog (api.md §10.4).
import { createHash } from 'node:crypto'
import {
  closestTo,
  type Element,
  elementsIn,
  hasClass,
  type ParentNode,
  textIn,
} from './html-nodes.ts'
import { decodeAddress } from './source-values.ts'

export type Footnotes = {
  /** The HTML of each mark, by the element in whose place it stands. */
  marks: Map<Element, string>
  /** In the order of their marks. */
  notes: { key: string; element: Element }[]
  /** Notes and their links back, which are not part of the text. */
  moved: Set<Element>
}

const NUMBER = /^\s*[[(]?[\p{L}\p{N}*†‡§]{1,5}[\])]?\s*$/u
const NOTE_CLASS = /^footnote(?:-item)?$/
const LIST_CLASS = /^(?:footnotes|footnotes-list|wp-block-footnotes)$/
const RULE_CLASS = /^footnotes-sep$/
const KEY_CHARS = 8

export function findFootnotes(document: ParentNode): Footnotes {
  const footnotes: Footnotes = { marks: new Map(), notes: [], moved: new Set() }
  const elements = elementsIn(document)
  const links = linksIn(document)
  if (links.length === 0) return footnotes
  const positions = new Map(elements.map((element, position) => [element, position]))
  const targets = new Map<string, Element>()
  for (const element of elements)
    for (const id of [element.attribs.id, element.name === 'a' ? element.attribs.name : ''])
      if (id && !targets.has(id)) targets.set(id, element)
  const targetOf = (link: Element) => targets.get(decodeAddress(link.attribs.href?.slice(1) ?? ''))
  const backLinks = new Map<Element, Element[]>()
  const keys = new Map<Element, string>()
  const uses = new Map<string, number>()
  for (const link of links) {
    const target = NUMBER.test(textIn(link)) ? targetOf(link) : undefined
    const note = target && noteAround(target)
    if (!note || (positions.get(note) ?? 0) < (positions.get(link) ?? 0)) continue
    const back = backLinks.get(note) ?? linksIn(note)
    backLinks.set(note, back)
    const isBack = (candidate: Element) => isAt(targetOf(candidate), link)
    if (!keys.has(note) && !isMark(link) && !back.some(isBack)) continue
    const key = keys.get(note) ?? makeKey(textIn(note), uses)
    if (!keys.has(note)) addNote(footnotes, note, key, back)
    keys.set(note, key)
    // Cleaning the text numbers the marks.
    const mark = `<sup class="footnote"><a href="#fn-${key}">1</a></sup>`
    footnotes.marks.set(closestTo(link, ({ name }) => name === 'sup') ?? link, mark)
  }
  if (footnotes.notes.length > 0)
    for (const element of elements)
      if (hasClass(element, RULE_CLASS) || isEmptiedList(element, footnotes))
        footnotes.moved.add(element)
  return footnotes
}

function addNote({ notes, moved }: Footnotes, note: Element, key: string, back: Element[]): void {
  notes.push({ key, element: note })
  moved.add(note)
  for (const link of back) moved.add(closestTo(link.parent, ({ name }) => name === 'sup') ?? link)
}

/** Whether a link is in a mark as this blog writes it, whose notes do not lead back. */
function isMark(link: Element): boolean {
  const sup = closestTo(link, ({ name }) => name === 'sup')
  return sup !== undefined && hasClass(sup, /^footnote$/)
}

function noteAround(target: Element): Element | undefined {
  return (
    closestTo(target, (element) => element.name === 'li' || hasClass(element, NOTE_CLASS)) ??
    closestTo(target, ({ name }) => name === 'p' || name === 'div')
  )
}

function linksIn(note: ParentNode): Element[] {
  return elementsIn(note).filter(
    ({ name, attribs }) => name === 'a' && attribs.href?.startsWith('#'),
  )
}

/** Whether a target is the link, is inside it, or is the `sup` around it. */
function isAt(target: Element | undefined, link: Element): boolean {
  if (!target) return false
  if (closestTo(target, (element) => element === link)) return true
  return target.name === 'sup' && target === closestTo(link, ({ name }) => name === 'sup')
}

function isEmptiedList(element: Element, { moved }: Footnotes): boolean {
  if (!hasClass(element, LIST_CLASS)) return false
  const items = elementsIn(element).filter(({ name }) => name === 'li')
  return items.length > 0 && items.every((item) => moved.has(item))
}

/** The same for the same note, so that a repeated import gives the same text. */
function makeKey(text: string, uses: Map<string, number>): string {
  const hash = createHash('sha1').update(text).digest('hex').slice(0, KEY_CHARS)
  const number = (uses.get(hash) ?? 0) + 1
  uses.set(hash, number)
  return number === 1 ? hash : `${hash}-${number}`
}
