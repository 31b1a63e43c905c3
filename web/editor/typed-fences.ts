// Handles typed fences: after "```js" and Enter the lines are code, in a sample that can be edited
// until the fence is closed or the caret leaves it. Then the sample is atomic.

import type { Editor } from 'hugerte'
import { findCodeLanguage, PLAIN_CODE } from '#contract/code-languages.ts'
import { addMissingLines } from './editable-lines.ts'
import { makePlainCode } from './editor-formats.ts'
import { TYPED_SAMPLE } from './editor-objects.ts'
import { addStep, caretBeside } from './insert-block.ts'
import { isAtEdge, linesOf, textOf } from './objects.ts'
import { parsePaste } from './paste-cleaning.ts'
import { readLines } from './paste-code.ts'
import { readFence, readFencedCode } from './typed-markdown.ts'

/** A break at the end only makes room for the caret. */
const LAST_LINE = /\n$/

export function handleTypedFences(editor: Editor): void {
  let open: HTMLElement | undefined
  // After an undo the sample stays unchanged, wherever the caret is.
  const forget = (): void => {
    open = undefined
  }
  editor.on('undo redo', forget, true)
  editor.on('NodeChange', () => {
    const previous = open
    const range = editor.selection.getRng()
    // A sample is locked only once no selection reaches into it: otherwise text typed over the
    // selection would be lost.
    if (previous?.isConnected && !range.collapsed && range.intersectsNode(previous)) return
    open = sampleAt(editor)
    if (
      previous &&
      previous !== open &&
      previous.isConnected &&
      previous.hasAttribute(TYPED_SAMPLE)
    )
      editor.undoManager.transact(() =>
        lock(editor, previous, linesOf(previous).replace(LAST_LINE, '')),
      )
  })
  editor.on('PreInit', () => {
    editor.serializer.addAttributeFilter(TYPED_SAMPLE, (samples) => {
      for (const sample of samples) {
        sample.attr(TYPED_SAMPLE, null)
        // An open sample is saved like a finished one.
        makePlainCode(sample)
      }
    })
  })
  // Drops, and pastes from the editor itself, become lines of code.
  editor.on('PastePreProcess', (event) => {
    if (!linesAt(editor)) return
    event.preventDefault()
    insertLines(editor, linesOfHtml(event.content))
  })
}

function sampleAt(editor: Editor): HTMLElement | undefined {
  return (
    editor.dom.getParent<HTMLElement>(editor.selection.getNode(), `pre[${TYPED_SAMPLE}]`) ??
    undefined
  )
}

/** The block of code lines around the caret; a finished sample cannot contain it. */
function linesAt(editor: Editor): HTMLElement | undefined {
  const block = editor.dom.getParent<HTMLElement>(editor.selection.getNode(), 'pre')
  return block?.isContentEditable ? block : undefined
}

/** Handles "```js" and Enter: the text typed next is the code. */
export function openFence(editor: Editor): boolean {
  const { dom, selection } = editor
  const block = dom.getParent(selection.getNode(), 'p')
  const opening = readFence(block ? textOf(block) : '')
  if (!block || !opening || block.querySelector('img')) return false
  // Text after the caret is not the name of a language.
  if (!isAtEdge(selection.getRng(), block, true)) return false
  const { id } = findCodeLanguage(opening.name) ?? { id: PLAIN_CODE }
  return addStep(editor, () => {
    const attributes = { class: `language-${id}`, [TYPED_SAMPLE]: opening.fence }
    const sample = dom.create('pre', attributes, '<br>')
    block.replaceWith(sample)
    addMissingLines(editor)
    selection.setCursorLocation(sample, 0)
  })
}

/** Closes the sample if its last line is a fence. */
export function closeFence(editor: Editor): boolean {
  const sample = sampleAt(editor)
  if (!sample) return false
  const precedingRange = editor.selection.getRng().cloneRange()
  if (!isAtEdge(precedingRange, sample, true)) return false
  precedingRange.setStart(sample, 0)
  const fence = sample.getAttribute(TYPED_SAMPLE) ?? ''
  const code = readFencedCode(linesOf(precedingRange.cloneContents()), fence)
  if (code === undefined) return false
  return addStep(editor, () => {
    caretBeside(editor, sample)
    lock(editor, sample, code)
  })
}

/** Makes a finished sample atomic; an empty one is removed. */
function lock(editor: Editor, sample: HTMLElement, code: string): void {
  sample.removeAttribute(TYPED_SAMPLE)
  editor.dom.setHTML(sample, `<code>${editor.dom.encode(code)}</code>`)
  if (code.trim() === '') sample.remove()
  else sample.contentEditable = 'false'
  addMissingLines(editor)
}

/**
 * Pastes into code as code: the plain text or, if there is none, the lines of the HTML.
 *
 * @returns false if the caret is elsewhere, or only images are pasted
 */
export function pasteLines(editor: Editor, { clipboardData }: ClipboardEvent): boolean {
  if (!linesAt(editor)) return false
  const read = (type: string): string => clipboardData?.getData(type) ?? ''
  const text = read('text/plain') || linesOfHtml(read('text/html'))
  if (text !== '') editor.undoManager.transact(() => insertLines(editor, text))
  return text !== ''
}

function linesOfHtml(html: string): string {
  return readLines(parsePaste(html))
}

function insertLines(editor: Editor, text: string): void {
  const range = editor.selection.getRng()
  const block = linesAt(editor)
  if (!block) return
  range.deleteContents()
  const added = editor.getDoc().createDocumentFragment()
  for (const [index, line] of text.replace(/\r\n?/g, '\n').split('\n').entries())
    added.append(...(index === 0 ? [] : [editor.dom.create('br')]), line)
  const last = added.lastChild
  range.insertNode(added)
  range.collapse(false)
  const rest = range.cloneRange()
  rest.setEnd(block, block.childNodes.length)
  // An empty line at the end of the block has no room for the caret.
  if (linesOf(rest.cloneContents()) === '' && last?.textContent === '')
    block.append(editor.dom.create('br'))
  editor.selection.setRng(range)
  editor.nodeChanged()
}
