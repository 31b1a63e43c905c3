// Writes a cleaned paste as the editor would: lines of text in paragraphs, marks around words,
// white space as HTML shows it. Never writes empty blocks.

/** The block for lines of text. Two text blocks never share a line. */
export type TextBlock = {
  name: string
  attributes?: Record<string, string>
  /** Text directly in a cell, an item or the body, which may not need a paragraph. */
  isImplicit?: boolean
  /** Two line breaks in a row begin a new paragraph. */
  canBeSplit?: boolean
}
/** An inline element without content. */
export type Mark = Element

/** Elements that contain a single paragraph, or text between blocks, without `p`. */
const UNWRAPPED = 'li,td,th,dd,figure,body'
const REMOVED_WHEN_EMPTY = 'ul,ol,li,dl,dd,blockquote,figure'

export function makeElement(
  name: string,
  attributes: Record<string, string> = {},
  page: Document = document,
): Element {
  const element = page.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  return element
}

type OpenLine = {
  line: TextBlock
  element: Element
  /** The elements around the last text, from the outside in. */
  marks: Element[]
  breaks: number
  endsInSpace: boolean
}

export class PasteWriter {
  private container: Element = document.createElement('body')
  private open: OpenLine | undefined
  private readonly implicit = new Set<Element>()

  write(text: string, line: TextBlock, marks: readonly Mark[]): void {
    const open = this.open?.line === line ? this.open : undefined
    const isAtEdge = !open || open.breaks > 0
    const hiddenSpace = isAtEdge ? /^[\s\u00a0]+/ : open.endsInSpace ? /^ / : ''
    const visible = text.replace(/[ \t\r\n\f]+/g, ' ').replace(hiddenSpace, '')
    if (visible === '') return
    const openLine = this.begin(line, marks)
    // A lone space gets only the marks that the words on both sides of it share.
    const textMarks = visible === ' ' ? marks.slice(0, countShared(openLine.marks, marks)) : marks
    openMarks(openLine, textMarks).append(visible)
    openLine.endsInSpace = visible.endsWith(' ')
  }

  putInline(element: Element, line: TextBlock, marks: readonly Mark[]): void {
    const openLine = this.begin(line, marks)
    openMarks(openLine, marks).append(element)
    openLine.endsInSpace = false
  }

  /** Adds a line break, which is written only once something follows it in the same block. */
  breakLine(line: TextBlock): void {
    if (this.open?.line !== line) this.endLine()
    if (!this.open) return
    const { element, marks } = this.open
    trimEnd(element)
    this.open.marks = marks.filter((mark) => element.contains(mark))
    this.open.breaks += 1
  }

  endLine(): void {
    if (this.open) trimEnd(this.open.element)
    this.open = undefined
  }

  putBlock(element: Element): void {
    this.endLine()
    this.container.append(element)
  }

  openContainer(element: Element): void {
    this.putBlock(element)
    this.container = element
  }

  closeContainer(): void {
    this.endLine()
    const closed = this.container
    this.container = closed.parentElement ?? closed
    unwrapImplicit(closed, this.implicit)
    if (!closed.hasChildNodes() && closed.matches(REMOVED_WHEN_EMPTY)) closed.remove()
  }

  finish(): string {
    this.endLine()
    unwrapImplicit(this.container, this.implicit)
    for (const mark of this.container.querySelectorAll('u,strong'))
      if (isRedundant(mark)) mark.replaceWith(...mark.childNodes)
    return this.container.innerHTML.trim()
  }

  private begin(line: TextBlock, marks: readonly Mark[]): OpenLine {
    if (this.open?.line !== line || (line.canBeSplit && this.open.breaks > 1)) this.endLine()
    if (!this.open) {
      const element = makeElement(line.name, line.attributes)
      if (line.isImplicit) this.implicit.add(element)
      this.container.append(element)
      this.open = { line, element, marks: [], breaks: 0, endsInSpace: false }
    }
    addBreaks(this.open, marks)
    return this.open
  }
}

/** The element for text with these marks; marks that are already open are reused. */
function openMarks(openLine: OpenLine, marks: readonly Mark[]): Element {
  const shared = countShared(openLine.marks, marks)
  openLine.marks.length = shared
  for (const mark of marks.slice(shared)) {
    const element = mark.cloneNode(false) as Element
    ;(openLine.marks.at(-1) ?? openLine.element).append(element)
    openLine.marks.push(element)
  }
  return openLine.marks.at(-1) ?? openLine.element
}

function addBreaks(openLine: OpenLine, marks: readonly Mark[]): void {
  if (openLine.breaks === 0) return
  const parent = openMarks(openLine, marks.slice(0, countShared(openLine.marks, marks)))
  for (; openLine.breaks > 0; openLine.breaks--) parent.append(document.createElement('br'))
}

function countShared(first: readonly Mark[], second: readonly Mark[]): number {
  const end = first.findIndex((mark, index) => !second[index]?.isEqualNode(mark.cloneNode(false)))
  return end < 0 ? first.length : end
}

/** Removes white space at the end of a line, and marks that contain nothing else. */
function trimEnd(line: Element): void {
  for (let node: Node = line; line.lastChild; node = line) {
    while (node.lastChild) node = node.lastChild
    if (!(node instanceof Text)) return
    node.data = node.data.replace(/[\s\u00a0]+$/, '')
    if (node.data !== '') return
    while (node.parentNode !== line && node.parentNode?.childNodes.length === 1)
      node = node.parentNode
    node.parentNode?.removeChild(node)
  }
}

function unwrapImplicit(container: Element, implicit: ReadonlySet<Element>): void {
  if (!container.matches(UNWRAPPED)) return
  const lines = [...container.children].filter(({ localName }) => localName === 'p')
  const areImplicit = lines.every((line) => implicit.has(line))
  const isAlone = lines.length === 1 && lines[0] === container.firstElementChild
  const isUnwrapped =
    container.localName === 'body'
      ? areImplicit && container.children.length === 1
      : areImplicit || isAlone
  if (isUnwrapped) for (const line of lines) line.replaceWith(...line.childNodes)
}

/** Whether a mark changes nothing: links are already underlined, and headings are already bold. */
function isRedundant(mark: Element): boolean {
  const whole = mark.localName === 'u' ? mark.querySelector('a') : mark.closest('h2,h3,h4,h5,h6,th')
  return whole !== null && whole.textContent?.trim() === mark.textContent?.trim()
}
