// Tells lines for text from objects, which are atomic: code samples, images with or without a
// caption, players, tables, rules.

/** Elements that may contain blocks as well as text. */
const CONTAINERS = 'body, td, th, li, dd, dt, blockquote, div, aside'
/** A block that cannot be edited; not the mark of a footnote, and not the list of notes. */
const LOCKED = '[contenteditable="false"]:not(.footnote, .footnotes)'
const WHOLE = `table, pre, hr, figure, video, audio, iframe, ${LOCKED}`
/** Blocks of text, which may contain only an image. */
const LINES = 'p, h1, h2, h3, h4, h5, h6, div'
const SHOWN = 'img, video, audio, iframe, [data-mce-object]'
/** The editor's own elements: carets, copies of the selection. */
const BOGUS = '[data-mce-bogus="all"]'
/** Zero-width characters with which the editor marks positions of the caret. */
const INVISIBLE = /[\uFEFF\u200B]/g

export function isElement(node: Node | null | undefined): node is HTMLElement {
  return node?.nodeType === Node.ELEMENT_NODE
}

/** The nearest element around a node, itself included, that a selector matches. */
export function closestTo(node: Node, selector: string): HTMLElement | undefined {
  return (isElement(node) ? node : node.parentElement)?.closest<HTMLElement>(selector) ?? undefined
}

export function textOf(node: Node): string {
  return (node.textContent ?? '').replace(INVISIBLE, '')
}

/** True if no text can be typed into the node: the writer needs a line beside it. */
export function isObject(node: Node | null | undefined): node is HTMLElement {
  if (!isElement(node) || node.matches(BOGUS)) return false
  return node.matches(WHOLE) || isImageLine(node)
}

/** Whether the node is a block that contains images or players, but no text. */
export function isImageLine(node: Node | null | undefined): node is HTMLElement {
  return (
    isElement(node) &&
    node.matches(LINES) &&
    textOf(node).trim() === '' &&
    node.querySelector(SHOWN) !== null &&
    node.querySelector('p, h1, h2, h3, h4, h5, h6, div, table, ul, ol, pre, hr') === null
  )
}

/** Whether the node is an empty block for text. */
export function isEmptyLine(node: Node | null | undefined): node is HTMLElement {
  return (
    isElement(node) &&
    node.matches(LINES) &&
    !node.matches(BOGUS) &&
    textOf(node).trim() === '' &&
    node.querySelector(`${SHOWN}, hr, table, [contenteditable]`) === null
  )
}

function isContainer(node: Node | null): node is HTMLElement {
  return isElement(node) && node.matches(CONTAINERS)
}

/**
 * The block that contains a node: a child of the body, of a cell or of another container. For a
 * node inside an object, such as a caption, it is the object.
 */
export function blockOf(node: Node): ChildNode | undefined {
  let block: Node | null = closestTo(node, LOCKED) ?? node
  while (block && !isContainer(block.parentNode)) block = block.parentNode
  return (block as ChildNode | null) ?? undefined
}

/** The object that is or contains a node, as a block; undefined if the node is in text. */
export function objectOf(node: Node): HTMLElement | undefined {
  const block = blockOf(node)
  return isObject(block) ? block : undefined
}

/** The neighbour of a block, skipping the editor's own elements and white space. */
export function neighbourOf(block: Node, isForward: boolean): ChildNode | undefined {
  let node = isForward ? block.nextSibling : block.previousSibling
  while (node && isSkipped(node)) node = isForward ? node.nextSibling : node.previousSibling
  return node ?? undefined
}

function isSkipped(node: Node): boolean {
  return isElement(node) ? node.matches(BOGUS) : textOf(node).trim() === ''
}

/** The blocks of a text, without the editor's own elements. */
export function blocksOf(body: HTMLElement): Element[] {
  return [...body.children].filter((block) => !block.matches(BOGUS))
}

/** True if there is no content between the caret and the start or end of a block or text run. */
export function isAtEdge(range: Range, edge: Node, isEnd: boolean): boolean {
  const rest = range.cloneRange()
  if (isEnd) rest.setEnd(edge, isElement(edge) ? edge.childNodes.length : textLength(edge))
  else rest.setStart(edge, 0)
  const content = rest.cloneContents()
  const hasObject = content.querySelector('img, hr, table, [contenteditable]') !== null
  return textOf(content) === '' && !hasObject
}

function textLength(node: Node): number {
  return node.nodeValue?.length ?? 0
}

/** The text of a node with its line breaks. */
export function linesOf(node: Node): string {
  const copy = node.cloneNode(true) as ParentNode & Node
  for (const line of copy.querySelectorAll('br')) line.replaceWith('\n')
  return textOf(copy)
}

/** All objects of a text, as blocks, in their order. */
export function findObjects(body: HTMLElement): HTMLElement[] {
  const objects = [...body.querySelectorAll(`${WHOLE}, ${SHOWN}`)]
    .filter((element) => !element.closest(BOGUS))
    .map((element) => objectOf(element))
  return [...new Set(objects)].filter((object) => object !== undefined)
}
