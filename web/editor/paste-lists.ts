// Lists in pasted HTML. Word writes paragraphs that begin with a bullet, its web edition writes one
// list for each item, and many programs put a list directly into a list: all become lists whose
// items contain the nested lists.

import { styleOf } from './paste-styles.ts'
import { makeElement } from './paste-writer.ts'

/** A block that represents an item, and an empty list of the item's kind. */
type Item = { box: Element; content: Element; level: number; list: Element }

const LISTS = 'ul,ol,menu,dir'
const POINTS_PER_LEVEL = 36
const BULLET = /^[\s\u00a0]*([·•▪◦§\uf0b7\uf0a7o–-]|\(?[0-9a-z]{1,4}[.)])[\s\u00a0]{2,}/i
const ROMAN: Record<string, number> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 }
/** The kinds of numbers that the editor knows, by the `type` of a list. */
const NUMBER_KINDS: Record<string, string> = {
  a: 'lower-alpha',
  A: 'upper-alpha',
  i: 'lower-roman',
  I: 'upper-roman',
}

/** Turns runs of paragraphs that Word marks as list items into lists. */
export function convertWordLists(body: Element): void {
  for (const first of [...body.querySelectorAll('p,div')]) {
    if (!first.isConnected) continue
    const items: Item[] = []
    for (let next: Element | null = first; next; next = next.nextElementSibling) {
      const item = parseItem(next)
      if (!item) break
      items.push(item)
    }
    if (items.length > 0) first.before(...nestItems(items))
    for (const { box } of items) box.remove()
  }
  // The number of a heading is part of its text.
  for (const span of body.querySelectorAll('span'))
    if (isMarker(span)) span.replaceWith(`${span.textContent?.trim()} `)
}

function isMarker(span: Element): boolean {
  return styleOf(span).get('mso-list') === 'ignore'
}

function parseItem(box: Element): Item | undefined {
  if (box.matches('div.ListContainerWrapper')) return parseWebItem(box)
  if (box.localName !== 'p') return undefined
  const style = styleOf(box)
  const level = Number(/level(\d+)/.exec(style.get('mso-list') ?? '')?.[1] ?? 0)
  if (level > 0) {
    const marker = [...box.querySelectorAll('span')].find(isMarker)
    marker?.remove()
    return { box, content: box, level, list: listFor(marker?.textContent ?? '') }
  }
  const isItem = box.className.startsWith('MsoListParagraph')
  const [prefix, marker = ''] = (isItem && BULLET.exec(box.textContent ?? '')) || []
  if (prefix === undefined) return undefined
  cutStart(box, prefix.length)
  const indent = style.get('margin-left') ?? ''
  const points = Number.parseFloat(indent) * (indent.endsWith('in') ? 72 : 1) || 0
  const depth = Math.max(1, Math.round(points / POINTS_PER_LEVEL))
  return { box, content: box, level: depth, list: listFor(marker) }
}

function parseWebItem(box: Element): Item | undefined {
  const content = box.querySelector('li')
  const list = content?.parentElement
  if (!content || !list) return undefined
  const level = Number(content.getAttribute('data-aria-level')) || 1
  const start = Number(list.getAttribute('start')) || 1
  return { box, content, level, list: makeList(list.localName === 'ol' ? 'ol' : 'ul', start) }
}

/** An empty list for an item's marker: a bullet, or a number with its style. */
function listFor(marker: string): Element {
  const text = marker.replace(/[\s\u00a0]+/g, '')
  const isNumber = /^\(?[0-9a-z]{1,4}[.)]/i.test(text)
  const number = isNumber ? /([0-9]+|[a-z]+)[.)]*$/i.exec(text)?.[1] : undefined
  if (!number) return makeList('ul')
  if (/^\d/.test(number)) return makeList('ol', Number(number))
  const small = number.toLowerCase()
  const isRoman = small === 'i' || (small.length > 1 && /^[ivxlcdm]+$/.test(small))
  const kind = `${small === number ? 'lower' : 'upper'}-${isRoman ? 'roman' : 'alpha'}`
  return makeList('ol', isRoman ? romanValue(small) : small.charCodeAt(0) - 96, kind)
}

function romanValue(letters: string): number {
  const values = [...letters].map((letter) => ROMAN[letter] ?? 0)
  const signed = values.map((value, at) => (value < (values[at + 1] ?? 0) ? -value : value))
  return signed.reduce((sum, value) => sum + value, 0)
}

function makeList(name: 'ul' | 'ol', start = 1, kind = ''): Element {
  return makeElement(name, {
    ...(kind && { style: `list-style-type: ${kind};` }),
    ...(start !== 1 && { start: String(start) }),
  })
}

function cutStart(box: Element, chars: number): void {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
  for (
    let remaining = chars, node = walker.nextNode();
    node && remaining > 0;
    node = walker.nextNode()
  ) {
    const text = node.nodeValue ?? ''
    node.nodeValue = text.slice(remaining)
    remaining -= text.length
  }
}

function nestItems(items: readonly Item[]): Element[] {
  const roots: Element[] = []
  const open: { list: Element; level: number }[] = []
  for (const { content, level, list } of items) {
    while (open.length > 1 && level < (open.at(-1)?.level ?? 0)) open.pop()
    // Bullets after numbers of the same level begin a new list.
    const top = open.at(-1)
    if (top && level <= top.level && top.list.localName !== list.localName) open.pop()
    const parent = open.at(-1)
    if (!parent || level > parent.level) {
      if (parent) (parent.list.lastElementChild ?? parent.list).append(list)
      else roots.push(list)
      open.push({ list, level })
    }
    const item = makeElement('li')
    item.append(...content.childNodes)
    open.at(-1)?.list.append(item)
  }
  return roots
}

/** Keeps letters and Roman numerals, because the text may refer to them, as in "see (b)". */
export function listStyleOf(list: Element): string | undefined {
  const byType = NUMBER_KINDS[list.getAttribute('type') ?? '']
  const styles = [list, list.querySelector(':scope > li')].map((element) =>
    styleOf(element).get('list-style-type'),
  )
  return byType ?? styles.find((style) => Object.values(NUMBER_KINDS).includes(style ?? ''))
}

/** Makes lists contain items only, and items contain the nested lists. */
export function repairLists(body: Element): void {
  for (const box of body.querySelectorAll('ul > div, ol > div'))
    if (box.querySelector('li')) box.replaceWith(...box.childNodes)
  for (const stray of body.querySelectorAll('li')) {
    if (stray.parentElement?.matches(LISTS)) continue
    const list = makeElement('ul')
    stray.before(list)
    for (let next: Element | null = stray; next?.localName === 'li'; next = list.nextElementSibling)
      list.append(next)
  }
  for (const list of body.querySelectorAll(LISTS))
    for (const child of [...list.childNodes])
      if (!(child instanceof Element && child.localName === 'li')) moveIntoItem(child, list)
}

function moveIntoItem(child: ChildNode, list: Element): void {
  const isList = child instanceof Element && child.matches(LISTS)
  const isText = child instanceof Text && child.data.trim() !== ''
  const previous = child.previousSibling
  if (!isText && !(child instanceof Element)) child.remove()
  else if (previous instanceof Element) previous.append(child)
  // Without an item before it, the nested list is only an indent.
  else if (isList) child.replaceWith(...child.childNodes)
  else {
    const item = makeElement('li')
    list.insertBefore(item, child)
    item.append(child)
  }
}
