// Inserts images, code samples, players, tables and rules: always between blocks, never replacing
// the selection, and with a line for text after them. Every dialog, command and paste that adds
// such an object uses `insertBlock`.

import type { Editor, HugeRTE } from 'hugerte'
import { blockOf, isAtEdge, isElement, isEmptyLine, isObject, neighbourOf } from './objects.ts'

/** Marks a line for text that the editor added; it is not saved while it is empty. */
export const ADDED_LINE = 'data-mce-place'
/** Gives an empty line its height. */
export const FILLER = '<br data-mce-bogus="1">'

/**
 * The HugeRTE package, read from the editor. If this file imported it, so would parts that are
 * loaded later, and the build would split the package into files that compress worse.
 */
export function packageOf({ editorManager }: Editor): HugeRTE {
  return editorManager as HugeRTE
}

/**
 * Inserts the HTML of one object after the caret's block; before the block if the caret is at its
 * very start; in place of the block if it is empty.
 *
 * @returns the object in the text
 */
export function insertBlock(editor: Editor, html: string): HTMLElement | undefined {
  if (editor.mode.isReadOnly()) return undefined
  editor.focus()
  let last: HTMLElement | undefined
  editor.undoManager.transact(() => {
    const line = openLine(editor)
    last = replaceLine(editor, line, html)
    if (last) caretBeside(editor, last)
  })
  editor.nodeChanged()
  return last
}

/** Moves the caret into the empty line beside an object, and adds that line if there is none. */
export function caretBeside(editor: Editor, object: Node, isAfter = true): void {
  const next = neighbourOf(object, isAfter)
  const line = isEmptyLine(next) ? next : addLine(object, isAfter)
  editor.selection.setCursorLocation(line, 0)
}

/** Moves the caret after an inline element, so that text typed next is not part of it. */
export function caretBehind(editor: Editor, element: ChildNode): void {
  const caretText = editor.getDoc().createTextNode('\uFEFF')
  element.after(caretText)
  editor.selection.setCursorLocation(caretText, 1)
}

/** Adds an empty line for text beside a block. */
export function addLine(block: Node, isAfter: boolean): HTMLElement {
  const line = makeLine(block.ownerDocument as Document)
  block.parentNode?.insertBefore(line, isAfter ? block.nextSibling : block)
  return line
}

function makeLine(document: Document): HTMLElement {
  const line = document.createElement('p')
  line.setAttribute(ADDED_LINE, '1')
  line.innerHTML = FILLER
  return line
}

/** Makes a change that one undo reverts to the typed text. */
export function addStep(editor: Editor, change: () => void): true {
  editor.undoManager.add()
  editor.undoManager.transact(change)
  editor.nodeChanged()
  return true
}

/** Empties a line, and moves the caret into it. */
export function emptyLine(editor: Editor, line: HTMLElement): void {
  line.innerHTML = FILLER
  editor.selection.setCursorLocation(line, 0)
}

/** The empty line, added if necessary, that an object inserted at the caret replaces. */
function openLine(editor: Editor): HTMLElement {
  const range = editor.selection.getRng()
  const body = editor.getBody()
  const node = nodeAt(range)
  const block = node === body ? (body.lastChild ?? undefined) : blockOf(node)
  if (!block || block === body) return body.appendChild(makeLine(editor.getDoc()))
  if (isEmptyLine(block)) return block
  if (range.collapsed && isAtEdge(range, block, false)) return addLine(block, false)
  return addLine(endOfRun(editor, block), true)
}

/** The node in which, or directly after which, a selection ends. */
function nodeAt({ endContainer, endOffset }: Range): Node {
  if (!isElement(endContainer)) return endContainer
  return endContainer.childNodes[Math.max(0, endOffset - 1)] ?? endContainer
}

/** The last node of a run of text without a block around it, as in cells and list items. */
export function endOfRun(editor: Editor, block: ChildNode, isForward = true): ChildNode {
  const isInline = (node: Node | null): node is ChildNode =>
    node !== null && !editor.dom.isBlock(node) && !isObject(node)
  const next = (node: ChildNode) => (isForward ? node.nextSibling : node.previousSibling)
  let end = block
  for (let node: ChildNode | null = block; isInline(node); node = next(node)) end = node
  return end
}

function replaceLine(editor: Editor, line: HTMLElement, html: string): HTMLElement | undefined {
  const nodes = parseBlocks(editor, html)
  line.replaceWith(...nodes)
  dispatchInserted(editor, html)
  return nodes.findLast((node) => node.isConnected)
}

const EVENT_DATA = { format: 'html', selection: true, set: true, load: false } as const

/** Parses HTML as `setContent` does: cleaned, and with the editor's own form of objects. */
export function parseBlocks(editor: Editor, html: string): HTMLElement[] {
  const { content } = editor.dispatch('BeforeSetContent', { ...EVENT_DATA, content: html })
  const parsed = editor.parser.parse(content, { isRootContent: true, insert: true })
  const template = editor.getDoc().createElement('template')
  template.innerHTML = packageOf(editor)
    .html.Serializer({ validate: false }, editor.schema)
    .serialize(parsed)
  return [...template.content.children] as HTMLElement[]
}

/** Call it after inserting parsed blocks: uploads and lines for text see the new content. */
export function dispatchInserted(editor: Editor, content: string): void {
  editor.dispatch('SetContent', { ...EVENT_DATA, content })
  editor.addVisual()
}
