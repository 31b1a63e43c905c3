// Markdown that is typed and that the package's text patterns cannot make: code in backticks,
// links, and fences. Each is a step of its own to undo.

import type { Editor } from 'hugerte'
import { findCodeLanguage, PLAIN_CODE } from '#contract/code-languages.ts'
import { addLine, caretAfter } from './insert-block.ts'
import { neighbourOf } from './objects.ts'
import { parseLink } from './paste-media.ts'

const FENCE = /^(?:`{3,}|~{3,})\s*([\w+#.-]*)\s*$/
/** A sample that is being typed: its lines are written in the text, until the fence is closed. */
const TYPED = 'data-mce-typed-code'
const CODE = /(?<![`\\\w])`([^\s`](?:[^`\n]*[^\s`])?)`$/
const LINK = /(!?)\[([^\]\n]+)\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)\)$/

export function readTypedMarkdown(editor: Editor): void {
  editor.on('PreInit', () => {
    editor.serializer.addAttributeFilter(TYPED, (samples) => {
      for (const sample of samples) sample.attr(TYPED, null)
    })
  })
  editor.on('NodeChange', () => lockLeftSamples(editor))
  editor.on(
    'keydown',
    (event) => {
      if (event.defaultPrevented || event.isComposing || editor.mode.isReadOnly()) return
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
      if (event.key !== 'Enter') return
      if (closeFence(editor) || openFence(editor)) event.preventDefault()
    },
    true,
  )
  editor.on('input', (event) => {
    const { data, inputType } = event as InputEvent
    if (inputType !== 'insertText' || editor.mode.isReadOnly()) return
    if (data === '`') replaceBefore(editor, CODE, ([, code = '']) => makeCode(editor, code))
    if (data === ')') replaceBefore(editor, LINK, (found) => makeLink(editor, found))
  })
}

/** "```js" and Enter: what is typed next is the code. */
function openFence(editor: Editor): boolean {
  const { dom, selection, undoManager } = editor
  const block = dom.getParent(selection.getNode(), 'p')
  const [, name] = FENCE.exec((block?.textContent ?? '').replace(/[\uFEFF\u200B]/g, '')) ?? []
  if (!block || name === undefined || block.querySelector('img') || !selection.isCollapsed())
    return false
  const { id } = findCodeLanguage(name) ?? { id: PLAIN_CODE }
  undoManager.add()
  undoManager.transact(() => {
    const sample = dom.create('pre', { class: `language-${id}`, [TYPED]: '1' }, '<br>')
    block.replaceWith(sample)
    if (!neighbourOf(sample, true)) addLine(sample, true)
    selection.setCursorLocation(sample, 0)
  })
  editor.nodeChanged()
  return true
}

/** A fence on the last line of the sample closes it. */
function closeFence(editor: Editor): boolean {
  const { dom, selection, undoManager } = editor
  const sample = dom.getParent<HTMLElement>(selection.getNode(), `pre[${TYPED}]`)
  if (!sample || !selection.isCollapsed()) return false
  const before = linesBefore(editor, sample)
  const after = linesAfter(editor, sample)
  const [, code] = /^([\s\S]*?)\n?(?:`{3,}|~{3,})[ \t]*$/.exec(before) ?? []
  if (code === undefined || after.trim() !== '' || !/(?:^|\n)(?:`{3,}|~{3,})[ \t]*$/.test(before))
    return false
  undoManager.transact(() => {
    caretAfter(editor, sample)
    lock(editor, sample, code)
  })
  editor.nodeChanged()
  return true
}

/** The sample stands as a whole from now on, like every other; an empty one goes. */
function lock(editor: Editor, sample: HTMLElement, code: string): void {
  sample.removeAttribute(TYPED)
  editor.dom.setHTML(sample, `<code>${editor.dom.encode(code)}</code>`)
  if (code.trim() === '') sample.remove()
  else sample.contentEditable = 'false'
}

/** A sample that the caret has left is done, with a fence at its end or without. */
function lockLeftSamples(editor: Editor): void {
  const at = editor.selection.getNode()
  for (const sample of editor.dom.select<HTMLElement>(`pre[${TYPED}]`)) {
    if (sample.contains(at)) continue
    const all = editor.dom.createRng()
    all.selectNodeContents(sample)
    editor.undoManager.ignore(() => lock(editor, sample, textOf(all).replace(/\n$/, '')))
  }
}

function linesBefore(editor: Editor, sample: HTMLElement): string {
  const range = editor.selection.getRng().cloneRange()
  range.setStart(sample, 0)
  return textOf(range)
}

function linesAfter(editor: Editor, sample: HTMLElement): string {
  const range = editor.selection.getRng().cloneRange()
  range.setEnd(sample, sample.childNodes.length)
  return textOf(range)
}

function textOf(range: Range): string {
  const part = range.cloneContents()
  for (const line of part.querySelectorAll('br')) line.replaceWith('\n')
  return (part.textContent ?? '').replace(/[\uFEFF\u200B]/g, '')
}

function makeCode(editor: Editor, code: string): HTMLElement {
  return editor.dom.create('code', {}, editor.dom.encode(code))
}

function makeLink(editor: Editor, [, isImage, text = '', address = '']: string[]) {
  const href = isImage
    ? undefined
    : parseLink(/^www\./i.test(address) ? `https://${address}` : address)
  return href ? editor.dom.create('a', { href }, editor.dom.encode(text)) : undefined
}

/** Puts an element in place of the signs before the caret, which goes on behind it. */
function replaceBefore(
  editor: Editor,
  pattern: RegExp,
  make: (found: string[]) => HTMLElement | undefined,
): void {
  const { dom, selection, undoManager } = editor
  const { startContainer, startOffset, collapsed } = selection.getRng()
  if (!collapsed || !(startContainer.nodeType === Node.TEXT_NODE)) return
  if (dom.getParent(startContainer, 'pre,code,a')) return
  const node = startContainer as Text
  const found = pattern.exec(node.data.slice(0, startOffset).replace(/\u00a0/g, ' '))
  const element = found && make([...found])
  if (!found || !element) return
  undoManager.add()
  undoManager.transact(() => {
    const rest = node.splitText(startOffset)
    node.splitText(found.index).remove()
    rest.before(element)
    // A place behind the element: what is typed next is not part of it.
    if (rest.data === '') rest.data = '\uFEFF'
    selection.setCursorLocation(rest, rest.data === '\uFEFF' ? 1 : 0)
  })
  editor.nodeChanged()
}
