// Ensures that text can be typed everywhere: at the start and end of the text and after tables
// there is always a line for it. Such a line is not saved while it is empty.

import type { AstNode, Editor } from 'hugerte'
import { ADDED_LINE, addLine } from './insert-block.ts'
import { findObjects, isElement, isObject, neighbourOf } from './objects.ts'

/** Events that change the text, handled before the undo manager records a step. */
const CHANGES = 'input SetContent ExecCommand'

export function ensureEditableLines(editor: Editor): void {
  editor.on('PreInit', () => {
    editor.serializer.addAttributeFilter(ADDED_LINE, (lines) => {
      for (const line of lines) {
        if (line.name === 'p' && !hasContent(line)) line.remove()
        else line.attr(ADDED_LINE, null)
      }
    })
  })
  editor.on(CHANGES, () => addMissingLines(editor), true)
  // A line that the writer adds with Enter is saved even if it is empty.
  editor.on('NewBlock', ({ newBlock }) => newBlock.removeAttribute(ADDED_LINE))
}

function hasContent(node: AstNode): boolean {
  for (let child = node.firstChild; child; child = child.next) {
    const isWritten =
      child.type === Node.TEXT_NODE
        ? (child.value ?? '').replace(/[\u00a0\uFEFF\s]/g, '') !== ''
        : child.name !== 'br' && (child.firstChild == null || hasContent(child))
    if (isWritten) return true
  }
  return false
}

/** Call this before an undo step is recorded: a line added later would be a step of its own. */
export function addMissingLines(editor: Editor): void {
  const body = editor.getBody()
  if (editor.removed || !body) return
  for (const block of findObjects(body)) {
    const previous = neighbourOf(block, false)
    const next = neighbourOf(block, true)
    if (needsLine(previous, block)) addLine(block, false)
    if (needsLine(block, next)) addLine(block, true)
  }
}

/**
 * True if no text could be typed between two neighbours. Text typed with an object selected goes
 * after the object, but the pointer cannot select a table.
 */
export function needsLine(previous: ChildNode | undefined, next: ChildNode | undefined): boolean {
  if (!previous) return isObject(next)
  if (!next || isNotes(next)) return isObject(previous)
  return isElement(previous) && previous.matches('table') && isObject(next)
}

function isNotes(node: ChildNode): boolean {
  return isElement(node) && node.matches('.footnotes')
}
