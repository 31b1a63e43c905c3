// Protects objects: if one is selected or the caret is next to one, typing, pasting and deleting
// neither replace the object nor lose text in it. Text gets a line of its own after the object;
// Backspace and Delete select the object first.

import type { Editor } from 'hugerte'
import { needsLine } from './editable-lines.ts'
import { caretBehind, caretBeside, endOfRun, insertBlock } from './insert-block.ts'
import {
  blockOf,
  blocksOf,
  closestTo,
  isAtEdge,
  isElement,
  isEmptyLine,
  isImageLine,
  isObject,
  neighbourOf,
  objectOf,
  textOf,
} from './objects.ts'

const SELECTABLE = 'img, video, audio, iframe, [data-mce-object], [contenteditable="false"]'
const NESTING = 'blockquote, div, aside, ul, ol, li, dl, dt, dd'
/** The names of every key of a virtual keyboard, and of keys that an input method (IME) reads. */
const UNNAMED_KEYS = ['Unidentified', 'Process']

export function protectObjects(editor: Editor): void {
  let containersBefore: readonly Node[] = []
  editor.on('keydown', (event) => handleKey(editor, event), true)
  editor.on('compositionstart', () => void leaveObject(editor), true)
  editor.on('beforeinput', (event) => handleInput(editor, event), true)
  editor.on('BeforeExecCommand', (event) => {
    const command = event.command.toLowerCase()
    if (command === 'mceinsertcontent') {
      containersBefore = findTextContainers(editor)
      handleInsertion(editor, event)
    }
    // Cutting runs this command to delete the selection.
    if (/^(?:forward)?delete$/.test(command) && removeSelected(editor, command !== 'delete'))
      event.preventDefault()
  })
  editor.on(
    'ExecCommand',
    ({ command }) => {
      if (command.toLowerCase() !== 'mceinsertcontent') return
      // Compares names, because the editor may rebuild the table around the content.
      const added = findTextContainers(editor).find(
        (container, index) => container.nodeName !== containersBefore[index]?.nodeName,
      )
      if (added) (added.matches('code') ? caretBehind : caretBeside)(editor, added)
      else leaveObject(editor, 'after')
    },
    true,
  )
}

function handleKey(editor: Editor, event: KeyboardEvent): void {
  if (event.isComposing || event.defaultPrevented) return
  const { key } = event
  leaveEditorElements(editor)
  const isJump = (key === 'Home' || key === 'End') && (event.ctrlKey || event.metaKey)
  if (isJump && !event.shiftKey) {
    if (moveFromObject(editor, key === 'End')) event.preventDefault()
  } else if (key === 'Backspace' || key === 'Delete') {
    if (!handleDeletion(editor, key === 'Delete')) return
    event.preventDefault()
    // The package's list plugin would delete the object that has just been selected.
    event.stopImmediatePropagation()
  } else if (key === 'Enter') {
    if (handleEnter(editor)) event.preventDefault()
  } else if (typesCharacter(event)) leaveObject(editor)
}

function typesCharacter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (UNNAMED_KEYS.includes(key)) return true
  // AltGr types characters; some systems report it as Ctrl and Alt.
  return [...key].length === 1 && ctrlKey === altKey && !metaKey
}

/** Handles input without key events: virtual keyboards, dictation, emoji pickers. */
function handleInput(editor: Editor, event: InputEvent): void {
  const { inputType, data } = event
  leaveEditorElements(editor)
  if (inputType.startsWith('delete')) {
    if (!/Backward|Forward/.test(inputType)) return
    if (handleDeletion(editor, inputType.includes('Forward'))) event.preventDefault()
  } else if (inputType === 'insertParagraph') {
    if (handleEnter(editor)) event.preventDefault()
  } else if (/^insert(?:Text|ReplacementText|CompositionText)$/.test(inputType)) {
    if (!leaveObject(editor) || !event.cancelable) return
    event.preventDefault()
    if (data) editor.getDoc().execCommand('insertText', false, data)
  }
}

/**
 * The tables and code elements around the caret, from the outside in. Text typed after a paste must
 * not go into tables and code elements that the paste added.
 */
function findTextContainers(editor: Editor): Element[] {
  const { startContainer, startOffset } = editor.selection.getRng()
  const previousNode = startContainer.childNodes[startOffset - 1]
  // The browser adds text typed right after inline code to the code.
  const node =
    isElement(previousNode) && previousNode.matches('code')
      ? previousNode
      : editor.selection.getNode()
  return editor.dom.getParents(node, 'pre, table, :not(pre) > code').reverse()
}

type Insertion = { value?: unknown; preventDefault: () => void }

/** Handles content that the editor's own dialogs and pastes insert. */
function handleInsertion(editor: Editor, event: Insertion): void {
  const html = contentOf(event.value)
  const object = findLoneObject(editor, html)
  const selected = selectedObject(editor)
  const cell = selected ? null : editor.selection.getNode().closest('td, th')
  if (cell && object?.matches('table') && editor.dom.select('td[data-mce-selected]').length > 0)
    return
  if (object) {
    event.preventDefault()
    insertBlock(editor, html)
  } else leaveObject(editor)
}

function contentOf(value: unknown): string {
  if (typeof value === 'string') return value
  return String((value as { content?: string } | undefined)?.content ?? '')
}

/** The object that the HTML consists of, if the HTML is a single object. */
function findLoneObject(editor: Editor, html: string): Element | undefined {
  const template = editor.getDoc().createElement('template')
  template.innerHTML = html
  const nodes = [...template.content.childNodes].filter(
    (node) => isElement(node) || textOf(node).trim() !== '',
  )
  const [only] = nodes
  if (nodes.length !== 1 || !isElement(only)) return undefined
  if (only.matches('table, hr, figure, video, audio, iframe, img, pre[class*="language-"]'))
    return only
  if (textOf(only).trim() !== '' || !only.matches('p, div, a, span')) return undefined
  return only.querySelector('img, video, audio, iframe') ?? undefined
}

/** The selected object, if nothing else is selected. */
export function selectedObject(editor: Editor): HTMLElement | undefined {
  const { startContainer, startOffset, endContainer, endOffset } = editor.selection.getRng()
  if (startContainer !== endContainer || endOffset !== startOffset + 1) return undefined
  const node = startContainer.childNodes[startOffset]
  return isElement(node) && (node.matches(SELECTABLE) || isObject(node)) ? node : undefined
}

/**
 * Moves the caret from a selected object, or from beside one in the same line, into a text line.
 *
 * @returns false if the caret was in text
 */
function leaveObject(editor: Editor, side?: 'after'): boolean {
  if (editor.mode.isReadOnly()) return false
  const range = editor.selection.getRng()
  const selected = selectedObject(editor)
  if (selected) {
    const object = objectOf(selected)
    if (object) caretBeside(editor, object)
    else {
      const behind = editor.dom.createRng()
      behind.setStartAfter(selected)
      editor.selection.setRng(behind)
    }
    return true
  }
  if (!range.collapsed) return false
  const block = blockOf(range.startContainer)
  const object = isImageLine(block) ? block : side && objectBeforeEditorCaret(range)
  if (!object) return false
  caretBeside(editor, object, side === 'after' || !isAtEdge(range, object, false))
  return true
}

/**
 * The browser may put the caret into the editor's own elements at the end of the text: anything
 * typed there would be lost.
 */
function leaveEditorElements(editor: Editor): void {
  const anchor = editor.selection.getSel()?.anchorNode
  const bogus = anchor && closestTo(anchor, '[data-mce-bogus="all"]')
  if (bogus && !bogus.matches('[data-mce-caret], .mce-offscreen-selection')) goTo(editor, true)
}

/** Moves to the start or end of the text, which the browser does not do from a selected object. */
function moveFromObject(editor: Editor, isEnd: boolean): boolean {
  if (!selectedObject(editor) && !editorCaretAt(editor.selection.getRng())) return false
  goTo(editor, isEnd)
  return true
}

function goTo(editor: Editor, isEnd: boolean): void {
  const block = blocksOf(editor.getBody()).at(isEnd ? -1 : 0)
  if (!block) return
  editor.selection.select(block, true)
  editor.selection.collapse(!isEnd)
}

/** The block that the editor uses as its own caret beside an object. */
function editorCaretAt({ startContainer }: Range): HTMLElement | undefined {
  return closestTo(startContainer, '[data-mce-caret]')
}

function objectBeforeEditorCaret(range: Range): HTMLElement | undefined {
  const caret = editorCaretAt(range)
  const previous = caret && neighbourOf(caret, false)
  return isObject(previous) ? previous : undefined
}

/** Handles Enter if an object is selected, beside an object, and at the end of a caption. */
function handleEnter(editor: Editor): boolean {
  const range = editor.selection.getRng()
  const caption = closestTo(range.startContainer, 'figcaption')
  let hasLeft = false
  editor.undoManager.transact(() => {
    const object = caption && objectOf(caption)
    if (!object) hasLeft = leaveObject(editor)
    else if (range.collapsed && isAtEdge(range, caption, true)) {
      caretBeside(editor, object)
      hasLeft = true
    }
  })
  if (hasLeft) editor.nodeChanged()
  return hasLeft
}

/**
 * Handles Backspace and Delete. Towards an object, the first press selects the object and the
 * second one deletes it. An empty line in between is removed at once.
 *
 * @returns true if the browser must do nothing more
 */
function handleDeletion(editor: Editor, wantsForward: boolean): boolean {
  if (editor.mode.isReadOnly()) return false
  if (removeSelected(editor, wantsForward)) return true
  const range = editor.selection.getRng().cloneRange()
  const isForward = range.collapsed ? wantsForward : isInText(range)
  if (!range.collapsed && hasContent(range)) return false
  range.collapse(isForward)
  const editorCaret = editorCaretAt(range)
  const line = editorCaret ?? blockOf(range.startContainer)
  if (!line || line === editor.getBody()) return false
  if (isImageLine(line) && !isAtEdge(range, line, isForward)) return select(editor, line, isForward)
  const edge = endOfRun(editor, line, isForward)
  if (!isAtEdge(range, edge, isForward)) return false
  const target = blockBeside(edge, isForward)
  // The list of notes goes with the marks.
  if (isElement(target) && target.matches('.footnotes')) return true
  if (isObject(target)) {
    if (isEmptyLine(line) && !editorCaret && line.parentNode === target.parentNode)
      removeLine(editor, line)
    return select(editor, target, isForward)
  }
  if (!isImageLine(line) || !target) return false
  // The browser would join the text with the image's line.
  if (isEmptyLine(target)) removeLine(editor, target)
  else {
    editor.selection.select(target, true)
    editor.selection.collapse(isForward)
  }
  return true
}

function isInText({ startContainer }: Range): boolean {
  const block = blockOf(startContainer)
  return block !== undefined && !isObject(block)
}

/** False for a selection that reaches only from a text to the edge of an object. */
function hasContent(range: Range): boolean {
  const content = range.cloneContents()
  return textOf(content) !== '' || content.querySelector('hr, table, img, video, iframe') !== null
}

/**
 * Finds the block next to a line: leaves the quotes and lists that end there, and enters those that
 * begin there. Does not leave a list at its start, where Backspace ends the list.
 */
function blockBeside(line: Node, isForward: boolean): ChildNode | undefined {
  let block = line
  let next = neighbourOf(block, isForward)
  while (!next && block.parentElement?.matches(isForward ? NESTING : 'blockquote, div, li + li')) {
    block = block.parentElement
    next = neighbourOf(block, isForward)
  }
  while (next && !isObject(next)) {
    const innerNode = isForward ? next.firstChild : next.lastChild
    if (isElement(next) && next.matches(NESTING)) next = innerNode ?? undefined
    else if (isRequiredLine(next)) next = neighbourOf(next, isForward)
    else break
  }
  return next
}

/** An empty line that the editor would add again at once. */
function isRequiredLine(line: ChildNode): boolean {
  return isEmptyLine(line) && needsLine(neighbourOf(line, false), neighbourOf(line, true))
}

function removeLine(editor: Editor, line: HTMLElement): void {
  if (isRequiredLine(line)) return
  editor.undoManager.transact(() => line.remove())
}

function select(editor: Editor, object: HTMLElement, isForward: boolean): true {
  const images = [...object.querySelectorAll<HTMLElement>(SELECTABLE)]
  const image = isForward ? images[0] : images.at(-1)
  editor.selection.select(isImageLine(object) && image ? image : object)
  editor.nodeChanged()
  return true
}

/** The browser alone would leave an image's empty line, and delete only the text of a table. */
function removeSelected(editor: Editor, isForward: boolean): boolean {
  const selected = selectedObject(editor)
  const object = selected && objectOf(selected)
  if (!object || (object !== selected && object.querySelectorAll(SELECTABLE).length > 1))
    return false
  const previous = neighbourOf(object, false)
  const next = neighbourOf(object, true)
  const isAfter = next && (isForward || !previous || isObject(previous))
  editor.undoManager.transact(() => {
    object.remove()
    editor.selection.select(isAfter ? next : (previous ?? editor.getBody()), true)
    editor.selection.collapse(Boolean(isAfter))
  })
  editor.nodeChanged()
  return true
}
