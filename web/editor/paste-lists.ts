// Lists in pasted HTML. Word writes paragraphs that begin with a bullet, its web edition writes one
// list for each item, and many programs put a list directly into a list: all become lists whose
// items contain the nested lists. Knows nothing of other styles.

import { parseStyle } from './paste-styles.ts'

type Item = {
  box: Element
  content: Element
  level: number
  name: 'ul' | 'ol'
  start: number
  kind: string
}

const LISTS = 'ul,ol,menu,dir'
const POINTS_PER_LEVEL = 36
const BULLET = /^[\s\u00a0]*([·•▪◦§\uf0b7\uf0a7o–-]|\(?[0-9a-z]{1,4}[.)])[\s\u00a0]{2,}/i
const NUMBER = /([0-9]+|[a-z]+)[.)]*$/i
const ROMAN: Record<string, number> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 }
/** The `list-style-type`s that the editor knows, by the value of a `type` attribute or by name. */
const NUMBER_KINDS: Record<string, string> = {
  a: 'lower-alpha',
  A: 'upper-alpha',
  i: 'lower-roman',
  I: 'upper-roman',
  ...Object.fromEntries(
    ['lower-alpha', 'upper-alpha', 'lower-roman', 'upper-roman'].map((kind) => [kind, kind]),
  ),
}

/** Makes lists of the runs of paragraphs that Word marks as list items. */
export function convertWordLists(body: Element): void {
  for (const first of [...body.querySelectorAll('p,div')]) {
    if (!first.isConnected) continue
    const items: Item[] = []
    for (let next: Element | null = first; next; next = next.nextElementSibling) {
      const item = parseItem(next)
      if (!item) break
      items.push(item)
    }
    if (items.length === 0) continue
    first.before(...nestItems(items))
    for (const { box } of items) box.remove()
  }
  // The number of a heading is part of its text.
  for (const span of body.querySelectorAll('span'))
    if (isMarker(span)) span.replaceWith(`${span.textContent?.trim()} `)
}

function isMarker(span: Element): boolean {
  return parseStyle(span.getAttribute('style') ?? '').get('mso-list') === 'ignore'
}

function parseItem(box: Element): Item | undefined {
  if (box.matches('div.ListContainerWrapper')) return parseWebItem(box)
  if (box.localName !== 'p') return undefined
  const declarations = parseStyle(box.getAttribute('style') ?? '')
  const level = Number(/level(\d+)/.exec(declarations.get('mso-list') ?? '')?.[1] ?? 0)
  const marker = [...box.querySelectorAll('span')].find(isMarker)
  if (level > 0) {
    const sign = marker?.textContent ?? ''
    marker?.remove()
    return { box, content: box, level, ...parseMarker(sign) }
  }
  const sign = /^MsoListParagraph/.test(box.className) ? BULLET.exec(box.textContent ?? '') : null
  if (!sign) return undefined
  cutStart(box, sign[0].length)
  const indent =
    Number.parseFloat(declarations.get('margin-left') ?? '') *
    ((declarations.get('margin-left') ?? '').endsWith('in') ? 72 : 1)
  return {
    box,
    content: box,
    level: Math.max(1, Math.round((indent || 0) / POINTS_PER_LEVEL)),
    ...parseMarker(sign[1] ?? ''),
  }
}

function parseWebItem(box: Element): Item | undefined {
  const content = box.querySelector('li')
  const list = content?.parentElement
  if (!content || !list) return undefined
  const name = list.localName === 'ol' ? 'ol' : 'ul'
  return {
    box,
    content,
    level: Number(content.getAttribute('data-aria-level')) || 1,
    name,
    start: Number(list.getAttribute('start')) || 1,
    kind: '',
  }
}

/** What the marker in front of an item means: a bullet, or which number in which style. */
function parseMarker(sign: string): Pick<Item, 'name' | 'start' | 'kind'> {
  const text = sign.replace(/[\s\u00a0]+/g, '')
  const number = /^\(?[0-9a-z]{1,4}[.)]/i.test(text) ? NUMBER.exec(text)?.[1] : undefined
  if (!number) return { name: 'ul', start: 1, kind: '' }
  if (/^\d/.test(number)) return { name: 'ol', start: Number(number), kind: '' }
  const small = number.toLowerCase()
  const isRoman = small === 'i' || (small.length > 1 && /^[ivxlcdm]+$/.test(small))
  const side = small === number ? 'lower' : 'upper'
  return {
    name: 'ol',
    start: isRoman ? romanValue(small) : small.charCodeAt(0) - 96,
    kind: `${side}-${isRoman ? 'roman' : 'alpha'}`,
  }
}

function romanValue(letters: string): number {
  const values = [...letters].map((letter) => ROMAN[letter] ?? 0)
  return values.reduce(
    (sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value),
    0,
  )
}

function cutStart(box: Element, chars: number): void {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
  for (let left = chars, node = walker.nextNode(); node && left > 0; node = walker.nextNode()) {
    const text = node.nodeValue ?? ''
    node.nodeValue = text.slice(left)
    left -= text.length
  }
}

function nestItems(items: readonly Item[]): Element[] {
  const roots: Element[] = []
  const open: { list: Element; level: number }[] = []
  for (const item of items) {
    while (open.length > 1 && item.level < (open.at(-1)?.level ?? 0)) open.pop()
    let last = open.at(-1)
    // Bullets after numbers of the same level begin a new list.
    if (last && item.level <= last.level && last.list.localName !== item.name) {
      open.pop()
      last = open.at(-1)
    }
    if (!last || item.level > last.level) {
      const list = makeList(item)
      if (last) (last.list.lastElementChild ?? last.list).append(list)
      else roots.push(list)
      last = { list, level: item.level }
      open.push(last)
    }
    const element = document.createElement('li')
    element.append(...item.content.childNodes)
    last.list.append(element)
  }
  return roots
}

function makeList({ name, start, kind }: Item): Element {
  const list = document.createElement(name)
  if (kind) list.setAttribute('style', `list-style-type: ${kind};`)
  if (start !== 1) list.setAttribute('start', String(start))
  return list
}

/** Letters and Roman numbers are kept: the text may refer to them, as in "see (b)". */
export function listStyleOf(list: Element): string | undefined {
  const styles = [list, list.querySelector(':scope > li')].map((one) =>
    parseStyle(one?.getAttribute('style') ?? '').get('list-style-type'),
  )
  const kinds = [list.getAttribute('type'), ...styles].map((one) => NUMBER_KINDS[one ?? ''])
  return kinds.find(Boolean)
}

/** Makes lists contain items only, and items contain the nested lists. */
export function repairLists(body: Element): void {
  for (const box of body.querySelectorAll('ul > div, ol > div'))
    if (box.querySelector('li')) box.replaceWith(...box.childNodes)
  for (const stray of body.querySelectorAll('li')) {
    if (stray.parentElement?.matches(LISTS)) continue
    const list = document.createElement('ul')
    stray.before(list)
    for (let next: Element | null = stray; next?.localName === 'li'; next = list.nextElementSibling)
      list.append(next)
  }
  for (const list of body.querySelectorAll(LISTS)) {
    for (const child of [...list.childNodes]) {
      if (child instanceof Element && child.localName === 'li') continue
      const isText = child instanceof Text && child.data.trim() !== ''
      const isShown =
        child instanceof Element && (child.textContent?.trim() || child.querySelector('img'))
      if (!isText && !isShown) child.remove()
      else moveIntoItem(child, list)
    }
  }
}

function moveIntoItem(child: ChildNode, list: Element): void {
  const before = child.previousSibling
  const isList = child instanceof Element && child.matches(LISTS)
  if (before instanceof Element) before.append(child)
  // There is no item before it: the nested list was only an indent.
  else if (isList) for (const item of [...child.childNodes].reverse()) list.prepend(item)
  else {
    const item = document.createElement('li')
    child.before(item)
    item.append(child)
  }
  if (isList && child.childNodes.length === 0) child.remove()
}
