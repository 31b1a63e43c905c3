// The block structure of pasted text: `div`s become paragraphs, loose text is put into paragraphs,
// and white space that HTML does not show is removed. Knows nothing of styles.

import { parseStyle } from './paste-styles.ts'

export const BLOCKS =
  'p,h1,h2,h3,h4,h5,h6,ul,ol,li,dl,dt,dd,table,caption,thead,tbody,tfoot,tr,td,th,blockquote,pre,div,hr,figure,figcaption'
const HEADINGS = 'h1,h2,h3,h4,h5,h6'
/** They hold text and inline elements, no other blocks. */
const TEXT_BLOCKS = `p,${HEADINGS},dt,caption`

/**
 * Wraps the text of a box in an inline element, which can hold no blocks: one inside each block.
 */
export function wrapInline(box: Element, mark: Element): void {
  let wrapper: Element | undefined
  for (const node of [...box.childNodes]) {
    const isBlock =
      node instanceof Element && (node.matches(BLOCKS) || node.querySelector(BLOCKS) !== null)
    if (isBlock) {
      wrapper = undefined
      if (!node.matches('pre')) wrapInline(node, mark)
      continue
    }
    if (!wrapper && isBlank(node)) continue
    if (!wrapper) {
      wrapper = document.createElement(mark.localName)
      for (const { name, value } of mark.attributes) wrapper.setAttribute(name, value)
      node.before(wrapper)
    }
    wrapper.append(node)
  }
}

/** Under `white-space: pre` and the like, the end of a line becomes a `br`. */
export function addLineBreaks(body: Element): void {
  for (const box of body.querySelectorAll('[style*="white-space"]')) {
    if (
      !/^(?:pre|break)/.test(
        parseStyle(box.getAttribute('style') ?? '').get('white-space') ?? '',
      ) ||
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
          ...lines.flatMap((line, at) =>
            at === 0 ? [line] : [document.createElement('br'), line],
          ),
        )
    }
  }
}

/** Replaces `div`s by paragraphs, and puts text beside other blocks into paragraphs of its own. */
export function unwrapBoxes(body: Element): void {
  for (const box of [...body.querySelectorAll('div')].reverse()) {
    if (!box.closest(TEXT_BLOCKS)) makeParagraphs(box)
    const direction = box.getAttribute('dir')
    for (const child of box.children)
      if (direction && child.matches(BLOCKS) && !child.hasAttribute('dir'))
        child.setAttribute('dir', direction)
    box.replaceWith(...box.childNodes)
  }
  for (const inner of body.querySelectorAll(`:is(${TEXT_BLOCKS}) p`))
    inner.replaceWith(...inner.childNodes)
  for (const figure of body.querySelectorAll('figure'))
    if (!figure.querySelector('img,table,pre')) unwrapFigure(figure)
  for (const quote of body.querySelectorAll('blockquote')) makeParagraphs(quote)
  for (const box of body.querySelectorAll('li,td,th,dd')) unwrapOnlyParagraph(box)
  if (
    [...body.children].some((child) => child.matches(BLOCKS)) ||
    [...body.childNodes].some(isEmptyLine)
  )
    makeParagraphs(body)
}

/** A figure without an image, a table or code: its text and its caption become paragraphs. */
function unwrapFigure(figure: Element): void {
  for (const caption of figure.querySelectorAll('figcaption')) {
    makeParagraphs(caption)
    caption.replaceWith(...caption.childNodes)
  }
  makeParagraphs(figure)
  figure.replaceWith(...figure.childNodes)
}

/** The only paragraph of a list item or a cell is replaced by its content. */
function unwrapOnlyParagraph(box: Element): void {
  if (!box.querySelector(':scope > p')) return
  makeParagraphs(box)
  const [first, ...more] = box.querySelectorAll(':scope > p')
  if (first && more.length === 0 && first === box.firstElementChild)
    first.replaceWith(...first.childNodes)
}

function makeParagraphs(box: Element): void {
  let paragraph: Element | undefined
  // Collected before the first one is removed: each is recognised by the other one beside it.
  const emptyLines = new Set([...box.childNodes].filter(isEmptyLine))
  for (const node of [...box.childNodes]) {
    const isRemoved = emptyLines.has(node)
    const isEnd = isRemoved || (node instanceof Element && node.matches(BLOCKS))
    if (isEnd) paragraph = undefined
    if (isRemoved) node.remove()
    if (isEnd || (!paragraph && isBlank(node))) continue
    if (!paragraph) {
      paragraph = document.createElement('p')
      node.before(paragraph)
    }
    paragraph.append(node)
  }
}

/** One of two line breaks in a row. */
function isEmptyLine(node: Node): boolean {
  return (
    isBreak(node) &&
    (isBreak(siblingOf(node, 'nextSibling')) || isBreak(siblingOf(node, 'previousSibling')))
  )
}

function siblingOf(node: Node, side: 'nextSibling' | 'previousSibling'): Node | null {
  let found = node[side]
  while (found instanceof Text && found.data.trim() === '') found = found[side]
  return found
}

function isBreak(node: Node | null): boolean {
  return node instanceof Element && node.localName === 'br'
}

function isBlank(node: Node): boolean {
  return isBreak(node) || (node instanceof Text && node.data.trim() === '')
}

/**
 * Collapses white space as HTML shows it: one space between words, none at the edges of blocks and
 * lines. Code keeps its own.
 */
export function collapseSpaces(body: Element): void {
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

/** A line break at the beginning or end of a block is not shown. */
function isAtEdge(lineBreak: Element): boolean {
  return (['nextSibling', 'previousSibling'] as const).some((side) => {
    for (
      let node: Element | null = lineBreak;
      node && !(node !== lineBreak && node.matches(`${BLOCKS},body`));
      node = node.parentElement
    ) {
      const next = siblingOf(node, side)
      if (next) return next instanceof Element && next.matches(BLOCKS)
    }
    return true
  })
}

/**
 * Removes empty blocks, the innermost first. Empty cells stay: they keep the others in their
 * columns.
 */
export function removeEmptyBlocks(body: Element): void {
  for (const block of [
    ...body.querySelectorAll(
      `p,${HEADINGS},li,ul,ol,dl,dt,dd,blockquote,figure,figcaption,caption`,
    ),
  ].reverse()) {
    if (!block.textContent?.replace(/[\s\u00a0]/g, '') && !block.querySelector('img,hr,table'))
      block.remove()
  }
}
