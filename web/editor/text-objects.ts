// Footnotes, callouts, task lists and contents in the editor. Loaded when they are needed
// (load-text-objects.ts); menus and the inserter call the functions named `insert…`.

import type { Editor } from 'hugerte'
import { texts } from '../locales/texts.ts'
import { handleFootnotes, insertFootnote as insertFootnoteAtCaret } from './footnotes.ts'
import { insertBlock } from './insert-block.ts'
import { blockOf, blocksOf, closestTo, textOf } from './objects.ts'
import { handleTaskLists, insertTaskList as insertTaskListAtCaret } from './task-lists.ts'
import contentUrl from './text-objects-content.css?url'

const started = new WeakSet<Editor>()

export function startTextObjects(editor: Editor): void {
  if (started.has(editor)) return
  started.add(editor)
  // Without it the text only looks plainer.
  editor.dom.styleSheetLoader.load(contentUrl).catch(() => {})
  handleFootnotes(editor)
  handleTaskLists(editor)
  fillContents(editor)
  editor.on('input SetContent ExecCommand undo redo', () => fillContents(editor))
}

export function insertFootnote(editor: Editor): void {
  startTextObjects(editor)
  insertFootnoteAtCaret(editor)
}

export function insertTaskList(editor: Editor): void {
  startTextObjects(editor)
  insertTaskListAtCaret(editor)
}

/** Whether the text has contents: one list is enough. */
export function hasContents(editor: Editor): boolean {
  return editor.dom.select('nav.contents').length > 0
}

/** Inserts the contents of the post, unless the text has them. */
export function insertContents(editor: Editor): void {
  startTextObjects(editor)
  if (hasContents(editor)) return
  insertBlock(editor, '<nav class="contents"></nav>')
  fillContents(editor)
}

/** Puts the selected blocks into a callout; in a callout, takes them out again. */
export function insertCallout(editor: Editor): void {
  if (editor.mode.isReadOnly()) return
  editor.focus()
  const { selection } = editor
  editor.undoManager.transact(() => {
    // Its marks in the text must be gone before the step is recorded.
    const bookmark = selection.getBookmark()
    toggleCallout(editor)
    selection.moveToBookmark(bookmark)
  })
  editor.nodeChanged()
}

function toggleCallout({ dom, selection }: Editor): void {
  const callout = closestTo(selection.getNode(), 'aside.callout')
  if (callout) return void dom.remove(callout, true)
  const [first, last] = [selection.getStart(), selection.getEnd()].map(blockOf)
  const isTogether = first && first.parentNode === last?.parentNode
  if (!isTogether || closestTo(first, '.footnotes')) return
  const aside = dom.create('aside', { class: 'callout' })
  first.before(aside)
  for (let block: ChildNode | null = first; block; ) {
    const next: ChildNode | null = block === last ? null : aside.nextSibling
    aside.append(block)
    block = next
  }
}

/** Shows the headings of the text in its contents; they are not saved. */
function fillContents(editor: Editor): void {
  for (const contents of editor.dom.select('nav.contents')) {
    const headings = blocksOf(editor.getBody()).filter((block) => block.matches('h2, h3'))
    const items = headings.map((heading) => `<li>${editor.dom.encode(textOf(heading))}</li>`)
    const list = `<h2>${texts.textObjects.contents}</h2><ol>${items.join('')}</ol>`
    const html = `<div data-mce-bogus="all">${list}</div>`
    if (contents.innerHTML !== html) contents.innerHTML = html
  }
}
