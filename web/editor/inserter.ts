// The menu that "/" opens in an empty line, or the plus beside it: what the words typed since then
// find, and what its keys do. The text keeps the focus; inserter-list.tsx shows the menu.

import type { Editor, UndoManager } from 'hugerte'
import { isComposing } from '../ui/is-composing.ts'
import { nextIndex } from '../ui/next-index.ts'
import { createSharedValue } from '../ui/shared-value.ts'
import { emptyLine } from './insert-block.ts'
import { findInsertions, type Insertion } from './insertions.ts'
import { isEmptyLine, textOf } from './objects.ts'

const SIGN = '/'

export type OpenInserter = {
  line: HTMLElement
  /** What the line begins with: nothing if the plus opened the menu. */
  sign: typeof SIGN | ''
  query: string
  entries: readonly Insertion[]
  /** The entry that Enter inserts. */
  active: number
}

type Listener = (event: KeyboardEvent & InputEvent) => void

export class Inserter {
  readonly shown = createSharedValue<OpenInserter | undefined>(undefined)
  readonly #editor: Editor

  constructor(editor: Editor) {
    this.#editor = editor
  }

  /** @returns a function that stops listening */
  listen(): () => void {
    const close = () => this.close()
    const listeners = {
      keydown: (event: KeyboardEvent) => {
        if (!isComposing(event) && this.#handleKey(event)) stop(event)
      },
      // From keyboards on the screen, which report no key.
      beforeinput: (event: InputEvent) => {
        if (event.inputType === 'insertParagraph' && this.#chooseActive()) stop(event)
      },
      input: ({ data }: InputEvent) => {
        const line = lineAt(this.#editor)
        if (!this.shown.get() && data === SIGN && line && readLine(line).trim() === SIGN)
          this.#show(line, SIGN, '')
        else this.#follow()
      },
      NodeChange: () => this.#follow(),
      blur: close,
      undo: close,
      redo: close,
    }
    for (const [name, handle] of Object.entries<Listener>(listeners))
      this.#editor.on(name, handle, true)
    return () => {
      for (const [name, handle] of Object.entries<Listener>(listeners))
        this.#editor.off(name, handle)
    }
  }

  /** Opens the menu without a sign in the text. */
  open(): void {
    this.#editor.focus()
    const line = lineAt(this.#editor)
    if (isEmptyLine(line)) this.#show(line, '', '')
  }

  close(): void {
    if (this.shown.get()) this.shown.set(undefined)
  }

  activate(active: number): void {
    const open = this.shown.get()
    if (open && open.active !== active) this.shown.set({ ...open, active })
  }

  choose(entry: Insertion): void {
    const open = this.shown.get()
    this.close()
    if (open) insertInstead(this.#editor, open.line, entry)
  }

  #chooseActive(): boolean {
    const open = this.shown.get()
    const entry = open?.entries[open.active]
    if (entry) this.choose(entry)
    return entry !== undefined
  }

  #show(line: HTMLElement, sign: OpenInserter['sign'], query: string): void {
    const entries = findInsertions(this.#editor, query)
    // Several words that find nothing are a sentence.
    if (entries.length === 0 && /\s/.test(query.trim())) this.close()
    else this.shown.set({ line, sign, query, entries, active: 0 })
  }

  /** Reads what is typed; closes the menu when the caret has left the line or the sign is gone. */
  #follow(): void {
    const open = this.shown.get()
    if (!open) return
    const { line, sign, query } = open
    const text = readLine(line)
    if (lineAt(this.#editor) !== line || !text.startsWith(sign)) this.close()
    else if (text !== sign + query) this.#show(line, sign, text.slice(sign.length))
  }

  /** @returns true if the text must not get the key */
  #handleKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
    const open = this.shown.get()
    if (!open || ctrlKey || metaKey || altKey || shiftKey) return false
    const target = nextIndex(key, open.active, open.entries.length)
    if (key === 'Enter') return this.#chooseActive()
    const isEmptied = key === 'Backspace' && open.sign + open.query === ''
    if (key === 'Escape' || key === 'Tab' || isEmptied) this.close()
    else if (target !== undefined) this.activate(target)
    else return false
    return key !== 'Tab'
  }
}

type UndoLevel = UndoManager['data'][number]

/** Neither the text nor the package's other handlers see the event. */
function stop(event: Event): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}

/** The paragraph around the caret that a block can replace. */
export function lineAt(editor: Editor): HTMLElement | undefined {
  const { dom, selection } = editor
  if (!selection.isCollapsed() || editor.mode.isReadOnly()) return undefined
  const line = dom.getParent<HTMLElement>(selection.getNode(), 'p')
  const isPlain =
    line?.parentNode === editor.getBody() && !line.querySelector('img, [contenteditable]')
  return isPlain && !line.matches('[data-mce-bogus], [data-mce-caret]') ? line : undefined
}

function readLine(line: HTMLElement): string {
  return textOf(line).replaceAll('\u00a0', ' ')
}

/**
 * Inserts a block in place of the typed words. Both are one undo step, also if the block comes from
 * a dialog: until then no step may be added. If the dialog is cancelled, only the words are gone.
 */
function insertInstead(editor: Editor, line: HTMLElement, { insert }: Insertion): void {
  const { undoManager } = editor
  const readRaw = () => editor.getContent({ format: 'raw' })
  // Ends the step of the typed words.
  undoManager.transact(() => {})
  undoManager.ignore(() => emptyLine(editor, line))
  const emptied = readRaw()
  const holdBack = (event: { preventDefault: () => void }) => {
    if (readRaw() === emptied) event.preventDefault()
  }
  const release = () => {
    editor.off('BeforeAddUndo', holdBack)
    editor.off('AddUndo', finish)
    editor.off('focus', releaseLater)
    editor.off('BeforeExecCommand', releaseForUndo)
    undoManager.add()
  }
  const finish = ({ lastLevel }: { lastLevel: UndoLevel | undefined }) => {
    // Undo puts the caret behind the words, where it was.
    if (lastLevel) lastLevel.beforeBookmark = lastLevel.bookmark
    release()
  }
  const releaseForUndo = ({ command }: { command: string }) => {
    if (command.toLowerCase() === 'undo') release()
  }
  // A dialog inserts right after it has focused the text.
  const releaseLater = () => setTimeout(release)
  editor.on('BeforeAddUndo', holdBack)
  editor.on('AddUndo', finish)
  editor.on('focus', releaseLater)
  editor.on('BeforeExecCommand', releaseForUndo, true)
  insert(editor)
}
