// Formats typed Markdown (typed-markdown.ts): emphasised words, starts of lines, thematic breaks.
// Each is an undo step of its own, back to the characters as typed.

import type { Editor } from 'hugerte'
import { parseLink } from './external-media.ts'
import { addStep, caretBehind, emptyLine, insertBlock } from './insert-block.ts'
import { textOf } from './objects.ts'
import { closeFence, handleTypedFences, openFence } from './typed-fences.ts'
import { findCompletedSpan, isThematicBreak, LINE_STARTS, type Span } from './typed-markdown.ts'

/** Longer emphasis is not detected, because the detection runs at every keystroke. */
const MAX_CHARS = 2000
const LISTS: Record<string, string> = { ol: 'InsertOrderedList', ul: 'InsertUnorderedList' }
/** The marker that turned a line into this list item: it may be the first of "* * *". */
const markerOfItem = new WeakMap<Element, string>()

export function addMarkdownShortcuts(editor: Editor): void {
  handleTypedFences(editor)
  editor.on(
    'keydown',
    (event) => {
      if (event.defaultPrevented || event.isComposing || editor.mode.isReadOnly()) return
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key !== 'Enter' || !editor.selection.isCollapsed()) return
      const isBlockDone = !event.shiftKey
      if (isBlockDone && (closeFence(editor) || openFence(editor) || insertBreak(editor)))
        event.preventDefault()
      else formatWords(editor, { typed: 0, isLineDone: true })
    },
    true,
  )
  editor.on('input', (event) => {
    const { data, inputType, isComposing } = event as InputEvent
    if (inputType !== 'insertText' || !data || isComposing || editor.mode.isReadOnly()) return
    if (!/^\s$/.test(data) || !beginLine(editor)) formatWords(editor, { typed: data.length })
  })
}

/** Formats a paragraph that begins with "## " or another marker. */
function beginLine(editor: Editor): boolean {
  const { dom, selection, formatter } = editor
  const block = dom.getParent(selection.getNode(), 'p')
  const range = selection.getRng().cloneRange()
  if (!block || block.closest('li')) return false
  range.setStart(block, 0)
  const marker = textOf(range.cloneContents()).replaceAll('\u00a0', ' ')
  const format = LINE_STARTS[marker]
  if (!format || (format === 'blockquote' && block.closest('blockquote'))) return false
  return addStep(editor, () => {
    range.deleteContents()
    if (dom.isEmpty(block)) emptyLine(editor, block)
    if (!LISTS[format]) return formatter.apply(format)
    editor.execCommand(LISTS[format])
    const item = dom.getParent(selection.getNode(), 'li')
    if (item) markerOfItem.set(item, marker)
  })
}

/** Handles "* * *" and Enter. Its first "* " has already turned the line into a list item. */
function insertBreak(editor: Editor): boolean {
  const { dom, selection } = editor
  const line = dom.getParent<HTMLElement>(selection.getNode(), 'p,li')
  if (!line || line.querySelector('img,br:not([data-mce-bogus]),p,ul,ol,[contenteditable]'))
    return false
  const text = textOf(line).replaceAll('\u00a0', ' ')
  const isItem = line.matches('li')
  if (!isThematicBreak(text) && !isThematicBreak(`${markerOfItem.get(line) ?? ''}${text}`))
    return false
  if (line.parentElement?.closest('li')) return false
  return addStep(editor, () => {
    emptyLine(editor, line)
    if (isItem) editor.execCommand('Outdent')
    insertBlock(editor, '<hr>')
  })
}

type Line = { text: string; pieces: { node: Text; from: number }[] }

function formatWords(editor: Editor, completed: { typed: number; isLineDone?: boolean }): void {
  if (!editor.selection.isCollapsed()) return
  let words = findWords(editor, completed)
  if (!words) return
  addStep(editor, () => {
    for (; words; words = findWords(editor, completed)) wrap(editor, words)
  })
}

type Words = { line: Line; span: Span; element: HTMLElement }

function findWords(editor: Editor, completed: { typed: number; isLineDone?: boolean }) {
  const line = readLine(editor)
  const span = line && findCompletedSpan(line.text, completed)
  const { format, address } = span ?? {}
  const href =
    address && parseLink(/^www\./i.test(address) ? `https://${address}` : address)?.toString()
  if (!line || !span || !format || (format === 'a' && !href)) return undefined
  const element = editor.dom.create(format, href ? { href } : {})
  return { line, span, element }
}

/** The paragraph up to the caret. Code, links and objects in it cannot contain Markdown. */
function readLine(editor: Editor): Line | undefined {
  const { dom, selection } = editor
  const { startContainer, startOffset } = selection.getRng()
  const block = dom.getParent(startContainer, dom.isBlock)
  if (!block || startContainer.nodeType !== Node.TEXT_NODE) return undefined
  if (dom.getParent(startContainer, 'pre,code,a')) return undefined
  const line: Line = { text: '', pieces: [] }
  const shown = NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT
  const walker = editor.getDoc().createTreeWalker(block, shown)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeType !== Node.TEXT_NODE) {
      // A nested block, such as a list in an item, is not part of the line.
      if (dom.isBlock(node)) Object.assign(line, { text: '', pieces: [] })
      else if (/^(?:BR|IMG)$/.test(node.nodeName)) line.text += '\n'
      continue
    }
    const { data, parentElement } = node as Text
    const isOpaque = parentElement?.closest('code,a') || !parentElement?.isContentEditable
    line.pieces.push({ node: node as Text, from: line.text.length })
    line.text += isOpaque ? data.replace(/[^\s\uFEFF]/g, 'x') : data
    if (node === startContainer) break
  }
  const end = (line.pieces.at(-1)?.from ?? 0) + startOffset
  const cut = Math.max(0, end - MAX_CHARS)
  return {
    text: line.text.slice(cut, end),
    pieces: line.pieces.map(({ node, from }) => ({ node, from: from - cut })),
  }
}

/** Removes the markers and wraps the words between them in an element; the caret stays after it. */
function wrap(editor: Editor, { line, span, element }: Words): void {
  const { selection } = editor
  const caret = selection.getRng().cloneRange()
  const openingRange = rangeOf(editor, line, span.open)
  const closingRange = rangeOf(editor, line, span.close)
  const words = editor.dom.createRng()
  words.setStart(openingRange.endContainer, openingRange.endOffset)
  words.setEnd(closingRange.startContainer, closingRange.startOffset)
  closingRange.deleteContents()
  openingRange.deleteContents()
  const content = words.extractContents()
  element.append(span.format === 'code' ? (content.textContent ?? '') : content)
  words.insertNode(element)
  caret.setStartAfter(element)
  const isRightAfter = textOf(caret.cloneContents()) === ''
  caret.collapse(false)
  if (isRightAfter) caretBehind(editor, element)
  else selection.setRng(caret)
}

function rangeOf(editor: Editor, { pieces }: Line, [from, to]: Span['open']): Range {
  const pieceAt = (at: number) => pieces.findLast((piece) => piece.from <= at) ?? pieces[0]
  const first = pieceAt(from)
  const last = pieceAt(to - 1)
  const range = editor.dom.createRng()
  if (first) range.setStart(first.node, from - first.from)
  if (last) range.setEnd(last.node, to - last.from)
  return range
}
