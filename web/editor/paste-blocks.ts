// How pasted text stands: boxes become paragraphs, words stand in one of them, and spaces that HTML
// does not show go. Knows nothing of how text looks.

import { readLooks } from './paste-styles.ts'

export const BLOCKS =
  'p,h1,h2,h3,h4,h5,h6,ul,ol,li,dl,dt,dd,table,caption,thead,tbody,tfoot,tr,td,th,blockquote,pre,div,hr,figure,figcaption'
const HEADINGS = 'h1,h2,h3,h4,h5,h6'
/** Their words stand in them directly. */
const WORDS_ONLY = `p,${HEADINGS},dt,caption`

/** Wraps the words in a box; a mark can hold no blocks, so it goes into each of them. */
export function wrapInside(box: Element, mark: Element): void {
  let made: Element | undefined
  for (const node of [...box.childNodes]) {
    const isBlock =
      node instanceof Element && (node.matches(BLOCKS) || node.querySelector(BLOCKS) !== null)
    if (isBlock) {
      made = undefined
      if (!node.matches('pre')) wrapInside(node, mark)
      continue
    }
    if (!made && isNothing(node)) continue
    if (!made) {
      made = document.createElement(mark.localName)
      for (const { name, value } of mark.attributes) made.setAttribute(name, value)
      node.before(made)
    }
    made.append(node)
  }
}

/** Where spaces are shown as they are, the end of a line is one. */
export function breakLines(body: Element): void {
  for (const box of body.querySelectorAll('[style*="white-space"]')) {
    if (
      !/^(?:pre|break)/.test(readLooks(box.getAttribute('style') ?? '').get('white-space') ?? '') ||
      box.closest('pre')
    )
      continue
    const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode)
    for (const text of texts) {
      const lines = text.data.trim() === '' ? [] : text.data.split('\n')
      if (lines.length > 1)
        text.replaceWith(
          ...lines.flatMap((words, at) =>
            at === 0 ? [words] : [document.createElement('br'), words],
          ),
        )
    }
  }
}

/** Boxes without a meaning become paragraphs, and so do words that stand beside other blocks. */
export function layOut(body: Element): void {
  for (const box of [...body.querySelectorAll('div')].reverse()) {
    if (!box.closest(WORDS_ONLY)) makeParagraphs(box)
    const direction = box.getAttribute('dir')
    for (const child of box.children)
      if (direction && child.matches(BLOCKS) && !child.hasAttribute('dir'))
        child.setAttribute('dir', direction)
    box.replaceWith(...box.childNodes)
  }
  for (const inner of body.querySelectorAll(`:is(${WORDS_ONLY}) p`))
    inner.replaceWith(...inner.childNodes)
  for (const figure of body.querySelectorAll('figure'))
    if (!figure.querySelector('img,table,pre')) loosen(figure)
  for (const quote of body.querySelectorAll('blockquote')) makeParagraphs(quote)
  for (const box of body.querySelectorAll('li,td,th,dd')) settle(box)
  if ([...body.children].some((child) => child.matches(BLOCKS)) || [...body.childNodes].some(isGap))
    makeParagraphs(body)
}

/** A figure that shows nothing any more: its words and its caption are paragraphs. */
function loosen(figure: Element): void {
  for (const caption of figure.querySelectorAll('figcaption')) {
    makeParagraphs(caption)
    caption.replaceWith(...caption.childNodes)
  }
  makeParagraphs(figure)
  figure.replaceWith(...figure.childNodes)
}

/** A single paragraph in an item or a cell is no more than its words. */
function settle(box: Element): void {
  if (!box.querySelector(':scope > p')) return
  makeParagraphs(box)
  const [first, ...more] = box.querySelectorAll(':scope > p')
  if (first && more.length === 0 && first === box.firstElementChild)
    first.replaceWith(...first.childNodes)
}

function makeParagraphs(box: Element): void {
  let made: Element | undefined
  // Two line breaks together are an empty line: both are known before the first of them goes.
  const gaps = new Set([...box.childNodes].filter(isGap))
  for (const node of [...box.childNodes]) {
    const isGone = gaps.has(node)
    const isEnd = isGone || (node instanceof Element && node.matches(BLOCKS))
    if (isEnd) made = undefined
    if (isGone) node.remove()
    if (isEnd || (!made && isNothing(node))) continue
    if (!made) {
      made = document.createElement('p')
      node.before(made)
    }
    made.append(node)
  }
}

/** One of two line breaks that stand together. */
function isGap(node: Node): boolean {
  return (
    isBreak(node) &&
    (isBreak(beside(node, 'nextSibling')) || isBreak(beside(node, 'previousSibling')))
  )
}

function beside(node: Node, side: 'nextSibling' | 'previousSibling'): Node | null {
  let found = node[side]
  while (found instanceof Text && found.data.trim() === '') found = found[side]
  return found
}

function isBreak(node: Node | null): boolean {
  return node instanceof Element && node.localName === 'br'
}

function isNothing(node: Node): boolean {
  return isBreak(node) || (node instanceof Text && node.data.trim() === '')
}

/**
 * Spaces as HTML shows them: one between words, none at the edges of blocks and lines. Code keeps
 * its own.
 */
export function tidySpaces(body: Element): void {
  for (const lineBreak of body.querySelectorAll('br')) if (isAtEdge(lineBreak)) lineBreak.remove()
  let last: Text | undefined
  let before: 'edge' | 'space' | 'word' = 'edge'
  function end(): void {
    if (last) last.data = last.data.replace(/[\s\u00a0]+$/, '')
    last = undefined
    before = 'edge'
  }
  function visit(node: Node): void {
    if (node instanceof Text) {
      const text = node.data.replace(/[ \t\r\n\f]+/g, ' ')
      node.data =
        before === 'edge'
          ? text.replace(/^[\s\u00a0]+/, '')
          : before === 'space'
            ? text.replace(/^ /, '')
            : text
      if (node.data === '') return
      before = node.data.endsWith(' ') ? 'space' : 'word'
      last = node
      return
    }
    const isEdge = node instanceof Element && (node.matches(BLOCKS) || node.localName === 'br')
    if (isEdge) end()
    if (node instanceof Element && node.localName === 'img') {
      last = undefined
      before = 'word'
    } else if (!(node instanceof Element && node.localName === 'pre'))
      for (const child of node.childNodes) visit(child)
    if (isEdge) end()
  }
  visit(body)
  end()
  body.normalize()
}

/** A break that ends or begins a block shows nothing. */
function isAtEdge(lineBreak: Element): boolean {
  return (['nextSibling', 'previousSibling'] as const).some((side) => {
    for (
      let node: Element | null = lineBreak;
      node && !(node !== lineBreak && node.matches(`${BLOCKS},body`));
      node = node.parentElement
    ) {
      const next = beside(node, side)
      if (next) return next instanceof Element && next.matches(BLOCKS)
    }
    return true
  })
}

/**
 * Takes out blocks with nothing in them, the innermost first. Cells stay: they keep the others in
 * their columns.
 */
export function dropEmpty(body: Element): void {
  for (const block of [
    ...body.querySelectorAll(
      `p,${HEADINGS},li,ul,ol,dl,dt,dd,blockquote,figure,figcaption,caption`,
    ),
  ].reverse()) {
    if (!block.textContent?.replace(/[\s\u00a0]/g, '') && !block.querySelector('img,hr,table'))
      block.remove()
  }
}
