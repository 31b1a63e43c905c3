// Sees to it that the text can be gone on with everywhere: at its start, at its end and behind
// tables there is always a line to write in. Such a line is not saved while it is empty.

import type { AstNode, Editor } from 'hugerte'
import { ADDED_LINE, addLine } from './insert-block.ts'
import { findObjects, isElement, isObject, neighbourOf } from './objects.ts'

/** What can change the text. Heard before the undo manager, which keeps the lines with it. */
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
  // A line that the writer makes by Enter is saved, empty or not.
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

/** Before a step to undo is noted: a line that came later would be a step of its own. */
export function addMissingLines(editor: Editor): void {
  const body = editor.getBody()
  if (editor.removed || !body) return
  for (const block of findObjects(body)) {
    const before = neighbourOf(block, false)
    const after = neighbourOf(block, true)
    if (needsLine(before, block)) addLine(block, false)
    if (needsLine(block, after)) addLine(block, true)
  }
}

/**
 * True where nothing could be written between two neighbours. Between other objects one can: what
 * is typed with one of them selected goes behind it. The pointer cannot select a table.
 */
export function needsLine(before: ChildNode | undefined, after: ChildNode | undefined): boolean {
  if (!before) return isObject(after)
  if (!after) return isObject(before)
  return isElement(before) && before.matches('table') && isObject(after)
}
