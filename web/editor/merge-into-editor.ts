// Merges a version that was saved elsewhere into the text of the editor, as one undo step. What
// came from there is marked, and where both sides changed a paragraph, both stand in the text until
// the writer chooses. The marks are attributes, which are never saved.
import type { Editor } from 'hugerte'
import { texts } from '../locales/texts.ts'
import { createSharedValue } from '../ui/shared-value.ts'
import { addStep, dispatchInserted, parseBlocks } from './insert-block.ts'
import { type Block, type MergeEdit, planMerge, readBlocks } from './merge-texts.ts'

/** `base` is the version from which the text of the editor and `theirs` come. */
export type VersionsToMerge = { base: string; theirs: string }
/** Which text of a conflict remains. */
export type ConflictChoice = 'mine' | 'theirs' | 'both'
/** A side without text has deleted the paragraph. */
export type MergeConflict = { id: string; hasMine: boolean; hasTheirs: boolean }

type MergeState = {
  /** Those that are not decided yet, in the order of the text. */
  conflicts: MergeConflict[]
  /** The writer has undone the merge. */
  isUndone: boolean
}

/** A merge as the writer sees it; its state follows the text. */
export type EditorMerge = {
  subscribe: (listener: () => void) => () => void
  get: () => MergeState
  choose: (id: string, choice: ConflictChoice) => void
  /** Scrolls to a conflict. */
  show: (id: string) => void
  removeMarks: () => void
}

const SIDE = 'data-merge-side'
const LABEL = 'data-merge-label'
const CONFLICT = 'data-merge-conflict'
const MARKS = [SIDE, LABEL, CONFLICT]
/** Names the blocks of the editor while their HTML is read. */
const INDEX = 'data-merge-index'
/** A composed word (IME) ends before the text changes. */
const COMPOSING_MAX_MS = 10_000

/** @returns undefined if too much has changed, or the editor was closed meanwhile */
export async function mergeIntoEditor(
  editor: Editor,
  { base, theirs }: VersionsToMerge,
): Promise<EditorMerge | undefined> {
  const [baseBlocks, theirBlocks] = [readBlocks(base), readBlocks(theirs)]
  await whenComposed(editor)
  if (editor.removed || editor.composing) return undefined
  // From here on nothing can be typed in between.
  const own = readOwnBlocks(editor)
  const edits = planMerge({ base: baseBlocks, mine: own, theirs: theirBlocks })
  if (!edits) return undefined
  hideMarksFromSaving(editor)
  const { undoManager } = editor
  undoManager.add()
  const last = undoManager.data.at(-1)
  keepScroll(editor, () => addStep(editor, () => applyEdits(editor, own, edits)))
  const steps = undoManager.data.at(-1) === last ? [] : undoManager.data.slice(-2)
  return watchMerge(editor, steps)
}

function whenComposed(editor: Editor): Promise<void> {
  return new Promise((resolve) => {
    if (!editor.composing) return resolve()
    // The browser writes the composed word after this event.
    editor.once('compositionend', () => setTimeout(resolve))
    setTimeout(resolve, COMPOSING_MAX_MS)
  })
}

type OwnBlock = Block & { nodes: Element[] }
type UndoLevel = Editor['undoManager']['data'][number]

/** The blocks of the text as they are saved, with their nodes in the editor. */
function readOwnBlocks(editor: Editor): OwnBlock[] {
  const children = [...editor.getBody().children]
  for (const [index, child] of children.entries()) child.setAttribute(INDEX, String(index))
  const html = editor.getContent()
  for (const child of children) child.removeAttribute(INDEX)
  return readBlocks(html).map(({ element, key }) => {
    const isIndexed = element.hasAttribute(INDEX)
    const indexed = isIndexed ? [element] : [...element.querySelectorAll(`[${INDEX}]`)]
    const nodes = indexed.flatMap(
      (found) => children[Number(found.getAttribute(INDEX) ?? -1)] ?? [],
    )
    return { key, html: '', nodes }
  })
}

function applyEdits(editor: Editor, own: OwnBlock[], edits: MergeEdit[]): void {
  const time = Date.now()
  // From the end: blocks before an edit stay where they are.
  for (const [at, edit] of [...edits.entries()].reverse())
    applyEdit(editor, own, { ...edit, id: `${time}-${at}` })
  dispatchInserted(editor, edits.flatMap(({ theirs }) => theirs).join(''))
  if (editor.getBody().childElementCount === 0) editor.setContent('')
}

function applyEdit(editor: Editor, own: OwnBlock[], edit: MergeEdit & { id: string }): void {
  const { start, end, theirs, isConflict, id } = edit
  const mine = own.slice(start, end).flatMap(({ nodes }) => nodes)
  const inserted = theirs.flatMap((html) => parseBlocks(editor, html))
  const before = own.slice(0, end).findLast(({ nodes }) => nodes.length > 0)
  const previous = before?.nodes.at(-1)
  if (previous) previous.after(...inserted)
  else editor.getBody().prepend(...inserted)
  const { labels } = texts.merge
  if (isConflict) {
    mark(mine, { side: 'mine', label: labels.mine, id })
    mark(inserted, { side: 'theirs', label: labels.theirs, id })
    return
  }
  mark(inserted, { side: 'theirs', label: labels.taken, id: '' })
  const offset = caretOffset(editor, mine)
  for (const block of mine) block.remove()
  const next = inserted[0] ?? previous?.nextElementSibling ?? editor.getBody().firstElementChild
  if (offset !== undefined && next) setCaret(editor, next, inserted.length > 0 ? offset : 0)
}

/** The label stands at the first block only. */
function mark(blocks: Element[], { side, label, id }: { side: string; label: string; id: string }) {
  blocks[0]?.setAttribute(LABEL, label)
  for (const block of blocks) {
    block.setAttribute(SIDE, side)
    if (id !== '') block.setAttribute(CONFLICT, id)
  }
}

/** How many characters of these blocks are before the caret, if it is in one of them. */
function caretOffset(editor: Editor, blocks: Element[]): number | undefined {
  const { startContainer, startOffset } = editor.selection.getRng()
  const [first] = blocks
  if (!first || !blocks.some((block) => block.contains(startContainer))) return undefined
  const range = editor.getDoc().createRange()
  range.setStart(first, 0)
  range.setEnd(startContainer, startOffset)
  return range.toString().length
}

function setCaret(editor: Editor, block: Element, offset: number): void {
  const walker = editor.getDoc().createTreeWalker(block, NodeFilter.SHOW_TEXT)
  let rest = offset
  let text: Text | undefined
  while (walker.nextNode() && rest > (text?.length ?? -1)) {
    rest -= text?.length ?? 0
    text = walker.currentNode as Text
  }
  if (text) editor.selection.setCursorLocation(text, Math.min(rest, text.length))
  else editor.selection.setCursorLocation(block, 0)
}

/** The line with the caret stays where the writer sees it. */
function keepScroll(editor: Editor, change: () => void): void {
  const line = editor.selection.getStart()
  const top = line.getBoundingClientRect().top
  change()
  const isShown = editor.hasFocus() && line.isConnected && line !== editor.getBody()
  const moved = isShown ? line.getBoundingClientRect().top - top : 0
  if (moved !== 0) scrollBy({ top: moved, behavior: 'instant' })
}

// The marks, and the conflicts that they show.

const editorsWithMarks = new WeakSet<Editor>()

function hideMarksFromSaving(editor: Editor): void {
  if (editorsWithMarks.has(editor)) return
  editorsWithMarks.add(editor)
  editor.serializer.addAttributeFilter(MARKS.join(), (nodes, name) => {
    for (const node of nodes) node.attr(name, null)
  })
}

function watchMerge(editor: Editor, [before, after]: UndoLevel[]): EditorMerge {
  const state = createSharedValue({ conflicts: findConflicts(editor), isUndone: false })
  const update = () => state.set({ ...state.get(), conflicts: findConflicts(editor) })
  editor.on('change undo redo', update)
  editor.on('undo', ({ level }) => {
    if (level === before) state.set({ ...state.get(), isUndone: true })
  })
  editor.on('redo', ({ level }) => {
    if (level === after) state.set({ ...state.get(), isUndone: false })
  })
  return {
    subscribe: state.subscribe,
    get: state.get,
    choose(id, choice) {
      addStep(editor, () => decide(editor, id, choice))
      update()
      if (state.get().conflicts.length === 0) editor.focus()
    },
    show: (id) => findMarked(editor, id)[0]?.scrollIntoView({ block: 'center' }),
    removeMarks: () => editor.undoManager.ignore(() => unmark(findMarked(editor))),
  }
}

function findMarked(editor: Editor, id?: string): HTMLElement[] {
  if (editor.removed) return []
  return editor.dom.select(id === undefined ? `[${SIDE}]` : `[${CONFLICT}="${id}"]`)
}

function sideOf(block: Element): string | null {
  return block.getAttribute(SIDE)
}

function findConflicts(editor: Editor): MergeConflict[] {
  const ids = findMarked(editor).map((block) => block.getAttribute(CONFLICT))
  return [...new Set(ids)].flatMap((id) => {
    if (id === null) return []
    const sides = findMarked(editor, id).map(sideOf)
    return [{ id, hasMine: sides.includes('mine'), hasTheirs: sides.includes('theirs') }]
  })
}

function decide(editor: Editor, id: string, choice: ConflictChoice): void {
  for (const block of findMarked(editor, id)) {
    if (choice === 'both' || sideOf(block) === choice) unmark([block])
    else block.remove()
  }
  if (editor.getBody().childElementCount === 0) editor.setContent('')
}

function unmark(blocks: Element[]): void {
  for (const block of blocks) for (const name of MARKS) block.removeAttribute(name)
}
