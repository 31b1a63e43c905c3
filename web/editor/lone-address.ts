// Finds an address that stands alone on its line, pasted or typed and followed by Enter, and loads
// the code that shows what it leads to (embed-address.ts).

import type { Editor } from 'hugerte'
import { loadCode } from '../ui/load-code.ts'
import { selectedObject } from './caret-beside-objects.ts'
import { type PasteOptions, pastePlain } from './editor-paste.ts'
import { blockOf, isElement, isEmptyLine, textOf } from './objects.ts'

const ADDRESS = /^https?:\/\/[^\s/]+\/\S+$/i

/** Pastes an address into an empty line as text, which becomes what the address leads to. */
export function pasteAddress(
  options: PasteOptions,
  editor: Editor,
  event: ClipboardEvent,
): boolean {
  const text = event.clipboardData?.getData('text/plain') ?? ''
  const line = lineAtCaret(editor)
  if (!ADDRESS.test(text.trim()) || !line || !isEmptyLine(line)) return false
  pastePlain(editor, event)
  embedLine(options, editor)
  return true
}

export function embedTypedAddresses(options: PasteOptions, editor: Editor): void {
  editor.on('keydown', ({ key, shiftKey, isComposing }) => {
    if (key === 'Enter' && !shiftKey && !isComposing) embedLine(options, editor)
  })
}

function embedLine(options: PasteOptions, editor: Editor): void {
  const line = lineAtCaret(editor)
  if (!line || !ADDRESS.test(textOf(line).trim())) return
  // Without a connection, the address stays.
  loadCode(() => import('./embed-address.ts')).then(
    (part) => part.embedAddress(options, editor, line),
    () => {},
  )
}

/** The paragraph at the caret, if it is no part of another block. */
function lineAtCaret(editor: Editor): HTMLElement | undefined {
  if (!editor.selection.isCollapsed() || selectedObject(editor)) return undefined
  const block = blockOf(editor.selection.getNode())
  const isLine = isElement(block) && block.matches('p') && block.parentElement === editor.getBody()
  return isLine ? block : undefined
}
