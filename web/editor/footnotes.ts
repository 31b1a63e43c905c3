// Keeps the footnotes of a text in order while it changes: numbers follow the marks, a note goes
// with its mark, and a mark that comes back (paste, undo) finds its note again.

import type { Editor } from 'hugerte'
import { selectedObject } from './caret-beside-objects.ts'
import { makeFootnoteKey } from './footnote-key.ts'
import { addStep, caretBehind, FILLER } from './insert-block.ts'
import { blockOf, blocksOf, closestTo, isAtEdge, textOf } from './objects.ts'

const BOGUS = '[data-mce-bogus="all"]'
const EMPTY_NOTE = `<p>${FILLER}</p>`
const LABEL = String.raw`\[\^([^\s\[\]]{1,40})\]`
const TYPED_MARK = new RegExp(`(?<=\\S)${LABEL}$`)
const TYPED_NOTE = new RegExp(`^${LABEL}:[ \\u00a0]*`)

/**
 * The words of notes whose mark was removed, by key. For all editors of the page: text moves from
 * one to another, too.
 */
const removedNotes = new Map<string, string>()

type Footnotes = {
  /** The notes that had a mark. */
  marked: Set<string>
  /** The keys of typed labels. */
  labels: Map<string, string>
}
const stateOf = new WeakMap<Editor, Footnotes>()

export function handleFootnotes(editor: Editor): void {
  stateOf.set(editor, { marked: new Set(), labels: new Map() })
  arrangeFootnotes(editor)
  const forget = () => stateOf.get(editor)?.marked.clear()
  // What is put into the editor as a whole may have notes without marks.
  editor.on('SetContent', ({ selection }) => {
    if (!selection) forget()
  })
  editor.on('input SetContent ExecCommand undo redo', () => void arrangeFootnotes(editor), true)
  // The step must contain the notes in order, too.
  let isAdding = false
  editor.on('BeforeAddUndo', (event) => {
    if (isAdding || !arrangeFootnotes(editor)) return
    event.preventDefault()
    isAdding = true
    editor.undoManager.add()
    isAdding = false
  })
  editor.on('input', (event) => readTypedMark(editor, event as InputEvent))
  editor.on('keydown', (event) => handleKey(editor, event), true)
  editor.on('keydown beforeinput NodeChange', () => leaveMark(editor), true)
  editor.on('click', ({ target, clientX }) => {
    const mark = closestTo(target as Node, 'sup.footnote')
    const note = closestTo(target as Node, '.footnotes li')
    if (mark) goToNote(editor, keyOf(mark))
    else if (note && note === target && isOnBackSign(note, clientX)) leaveNote(editor, note)
  })
}

/** Adds a footnote at the caret, and moves the caret into its empty note. */
export function insertFootnote(editor: Editor): void {
  const { selection } = editor
  if (editor.mode.isReadOnly()) return
  editor.focus()
  if (closestTo(selection.getNode(), 'pre, code, .footnotes, [contenteditable="false"]')) return
  const key = makeFootnoteKey()
  addStep(editor, () => {
    selection.collapse()
    selection.getRng().insertNode(makeMark(editor, key))
    arrangeFootnotes(editor)
  })
  goToNote(editor, key)
}

/** Makes numbers, notes and their order follow the marks. @returns whether anything changed */
export function arrangeFootnotes(editor: Editor): boolean {
  const body = editor.getBody()
  const state = stateOf.get(editor)
  if (editor.removed || !state || !body.querySelector('.footnote, .footnotes')) return false
  const marks = findMarks(body)
  const notes = new Map<string, HTMLElement>()
  for (const note of findNotes(body)) {
    if (notes.has(keyOfNote(note))) note.id = `fn-${makeFootnoteKey()}`
    notes.set(keyOfNote(note), note)
  }
  const numbers = new Map<string, number>()
  let hasChanged = false
  for (const mark of marks) {
    const key = keyOf(mark)
    const isFirst = !numbers.has(key)
    if (isFirst) numbers.set(key, numbers.size + 1)
    if (!notes.has(key)) notes.set(key, makeNote(editor, key))
    if (writeMark(mark, key, { number: numbers.get(key) ?? 0, isFirst })) hasChanged = true
  }
  for (const [key, note] of notes) {
    if (numbers.has(key) || !state.marked.has(key)) continue
    removedNotes.set(key, note.innerHTML)
    note.remove()
    notes.delete(key)
    hasChanged = true
  }
  state.marked = new Set(numbers.keys())
  const ordered = [...notes.values()].toSorted(
    (first, second) => position(numbers, first) - position(numbers, second),
  )
  return listNotes(editor, ordered) || hasChanged
}

/** Notes of other programs may have no key yet. */
function keyOfNote(note: HTMLElement): string {
  if (!note.id.startsWith('fn-')) note.id = `fn-${makeFootnoteKey()}`
  return note.id.slice('fn-'.length)
}

function position(numbers: Map<string, number>, note: HTMLElement): number {
  return numbers.get(keyOfNote(note)) ?? numbers.size + 1
}

function findMarks(body: HTMLElement): HTMLElement[] {
  return [...body.querySelectorAll<HTMLElement>('sup.footnote')].filter(
    (mark) => keyOf(mark) !== '' && !mark.closest(`${BOGUS}, .footnotes`),
  )
}

function findNotes(body: HTMLElement): HTMLElement[] {
  return [...body.querySelectorAll<HTMLElement>('section.footnotes > ol > li')].filter(
    (note) => !note.closest(BOGUS),
  )
}

function keyOf(mark: Element): string {
  const link = mark.querySelector('a')
  const address = link?.getAttribute('data-mce-href') ?? link?.getAttribute('href') ?? ''
  return address.startsWith('#fn-') ? address.slice('#fn-'.length) : ''
}

function makeMark({ dom }: Editor, key: string): HTMLElement {
  const link = dom.createHTML('a', { href: `#fn-${key}` }, '1')
  return dom.create('sup', { class: 'footnote', contenteditable: 'false' }, link)
}

function makeNote({ dom }: Editor, key: string): HTMLElement {
  return dom.create(
    'li',
    { id: `fn-${key}`, contenteditable: 'true' },
    removedNotes.get(key) ?? EMPTY_NOTE,
  )
}

function writeMark(
  mark: HTMLElement,
  key: string,
  { number, isFirst }: { number: number; isFirst: boolean },
): boolean {
  const link = mark.querySelector('a')
  if (!link) return false
  mark.setAttribute('contenteditable', 'false')
  const id = isFirst ? `fnref-${key}` : ''
  if (link.id !== id) {
    if (isFirst) link.id = id
    else link.removeAttribute('id')
  }
  if (textOf(link) === String(number)) return false
  link.textContent = String(number)
  return true
}

/** Lists the notes at the end of the text. @returns whether anything changed */
function listNotes(editor: Editor, notes: HTMLElement[]): boolean {
  const body = editor.getBody()
  const [first, ...others] = body.querySelectorAll<HTMLElement>('section.footnotes')
  for (const section of others) section.remove()
  if (notes.length === 0) {
    first?.remove()
    return first !== undefined
  }
  const { dom } = editor
  const section =
    first ?? dom.create('section', { class: 'footnotes', contenteditable: 'false' }, '<ol></ol>')
  const list = section.querySelector('ol') ?? section.appendChild(dom.create('ol'))
  const isInOrder = notes.every((note, index) => list.children[index] === note)
  if (!isInOrder) list.append(...notes)
  const isLast = blocksOf(body).at(-1) === section
  if (!isLast) body.append(section)
  return !isInOrder || !isLast
}

function goToNote(editor: Editor, key: string): void {
  const note = editor.dom.get(`fn-${key}`)
  if (!note) return
  note.focus()
  editor.selection.select(note, true)
  editor.selection.collapse(false)
  editor.selection.scrollIntoView(note)
  editor.nodeChanged()
}

/** Whether the editor's own caret is between the text and the list of notes. */
function isBeforeNotes({ startContainer }: Range): boolean {
  const caret = closestTo(startContainer, '[data-mce-caret]')
  return caret?.nextElementSibling?.matches('.footnotes') ?? false
}

/** Moves the caret behind the mark of a note. */
function leaveNote(editor: Editor, note: HTMLElement): void {
  const key = keyOfNote(note)
  const mark = findMarks(editor.getBody()).find((candidate) => keyOf(candidate) === key)
  if (!mark) return
  editor.getBody().focus()
  caretBehind(editor, mark)
  editor.selection.scrollIntoView(mark)
  editor.nodeChanged()
}

/** The sign at the end of a note's line is drawn by text-objects-content.css. */
function isOnBackSign(note: HTMLElement, clientX: number): boolean {
  const { left, right } = note.getBoundingClientRect()
  const width = Number.parseFloat(getComputedStyle(note).paddingInlineEnd)
  return note.matches(':dir(rtl)') ? clientX < left + width : clientX > right - width
}

function handleKey(editor: Editor, event: KeyboardEvent): void {
  if (event.isComposing || event.defaultPrevented || editor.mode.isReadOnly()) return
  const range = editor.selection.getRng()
  const note = closestTo(range.startContainer, '.footnotes li[id]')
  const { key } = event
  if (note && key === 'Escape') leaveNote(editor, note)
  else if (key === 'Enter' && selectedObject(editor)?.matches('sup.footnote'))
    goToNote(editor, keyOf(editor.selection.getNode()))
  else if (key === 'ArrowDown' && isBeforeNotes(range))
    goToNote(editor, keyOfNote(editor.dom.select('.footnotes li')[0] as HTMLElement))
  // A note ends where it ends: the browser would join it with another one.
  else if (
    note &&
    /^(?:Backspace|Delete)$/.test(key) &&
    range.collapsed &&
    isAtEdge(range, note, key === 'Delete')
  )
    event.preventDefault()
  else if (key !== 'Enter' || event.shiftKey || event.ctrlKey || event.metaKey) return
  else if (note) splitParagraph(editor, range)
  else if (!readTypedNote(editor)) return
  event.preventDefault()
  event.stopImmediatePropagation()
}

/** Moves the caret out of a mark, where Enter may put it and typed words would be lost. */
function leaveMark(editor: Editor): void {
  const range = editor.selection.getRng()
  const mark = range.collapsed ? closestTo(range.startContainer, 'sup.footnote') : undefined
  if (!mark || editor.mode.isReadOnly()) return
  if (!isAtEdge(range, mark, false)) {
    caretBehind(editor, mark)
    return
  }
  const caretText = editor.getDoc().createTextNode('\uFEFF')
  mark.before(caretText)
  editor.selection.setCursorLocation(caretText, 1)
}

/** Enter in a note begins a paragraph of it; the package leaves the items of this list whole. */
function splitParagraph(editor: Editor, range: Range): void {
  const { dom } = editor
  const block = closestTo(range.startContainer, '.footnotes p')
  if (!block) {
    editor.execCommand('InsertLineBreak')
    return
  }
  editor.undoManager.transact(() => {
    range.deleteContents()
    const rest = range.cloneRange()
    rest.setEnd(block, block.childNodes.length)
    const next = dom.create('p')
    next.append(rest.extractContents())
    for (const line of [block, next]) if (dom.isEmpty(line)) line.innerHTML = FILLER
    block.after(next)
    editor.selection.setCursorLocation(next, 0)
  })
  editor.nodeChanged()
}

/** Turns a typed `[^1]` into a mark. */
function readTypedMark(editor: Editor, { data, inputType, isComposing }: InputEvent): void {
  const range = editor.selection.getRng()
  const { startContainer: node, startOffset } = range
  if (data !== ']' || inputType !== 'insertText' || isComposing) return
  if (node.nodeType !== Node.TEXT_NODE || closestTo(node, 'pre, code, a, .footnotes')) return
  const [typed = '', label] = TYPED_MARK.exec((node as Text).data.slice(0, startOffset)) ?? []
  if (label === undefined) return
  const { labels } = stateOf.get(editor) ?? { labels: new Map<string, string>() }
  const known = labels.get(label)
  const key = known && editor.dom.get(`fn-${known}`) ? known : makeFootnoteKey()
  labels.set(label, key)
  addStep(editor, () => {
    range.setStart(node, startOffset - typed.length)
    range.deleteContents()
    const mark = makeMark(editor, key)
    range.insertNode(mark)
    arrangeFootnotes(editor)
    for (const line of editor.getBody().children)
      if (TYPED_NOTE.exec(textOf(line))?.[1] === label) moveToNote(editor, line, key)
    caretBehind(editor, mark)
  })
}

/** Enter after a typed `[^1]: words`: the words become the note of a mark that was typed before. */
function readTypedNote(editor: Editor): boolean {
  const line = blockOf(editor.selection.getRng().startContainer)
  if (line?.nodeName !== 'P' || line.parentNode !== editor.getBody()) return false
  const label = TYPED_NOTE.exec(textOf(line))?.[1]
  const key = label === undefined ? undefined : stateOf.get(editor)?.labels.get(label)
  if (key === undefined || !editor.dom.get(`fn-${key}`)) return false
  return addStep(editor, () => {
    const next = editor.dom.create('p', {}, FILLER)
    ;(line as Element).after(next)
    moveToNote(editor, line as Element, key)
    editor.selection.setCursorLocation(next, 0)
  })
}

/** Moves the words of a line into a note: instead of its empty line, or after its words. */
function moveToNote(editor: Editor, line: Element, key: string): void {
  const note = editor.dom.get(`fn-${key}`)
  const marker = TYPED_NOTE.exec(textOf(line))?.[0] ?? ''
  if (!note) return
  const words = editor.dom.create('p')
  words.append(...line.childNodes)
  removeStart(words, marker.length)
  if (textOf(note).trim() === '') note.replaceChildren(words)
  else note.append(words)
  line.remove()
}

function removeStart(line: Element, length: number): void {
  let rest = length
  const walker = line.ownerDocument.createTreeWalker(line, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode() as Text | null; node && rest > 0; ) {
    const cut = Math.min(rest, node.length)
    node.deleteData(0, cut)
    rest -= cut
    node = walker.nextNode() as Text | null
  }
}
