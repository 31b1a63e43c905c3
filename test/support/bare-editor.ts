// The editor of the post form in jsdom, for tests of its rules for keys, pastes and commands. It
// has no menus and no layout. The default actions of a browser, such as inserting a typed letter,
// are imitated as in Chromium.

import type { Editor } from 'hugerte'
import type { PasteNotice } from '#web/editor/paste-notice.tsx'

const NO_BREAK_SPACE = '\u00a0'

/** Where the caret goes: the start or end of an element, or a word, which is then selected. */
type Place = { inside?: string; isAtEnd?: boolean; word?: string }

export type TestEditor = {
  live: Editor
  /** The notices about pastes that were shown above the text. */
  notices: PasteNotice[]
  /** Replaces the text. */
  setContent: (html: string, place?: Place) => void
  /** Letters, and `\n` for Enter. */
  type: (keys: string) => void
  press: (key: string, held?: { shiftKey?: boolean; ctrlKey?: boolean }) => void
  paste: (items: Record<string, string>) => void
  undo: () => void
  /** The saved HTML in one line; line breaks inside code remain. */
  html: () => string
  close: () => void
}

/** An editor in the current jsdom window. */
export async function openTestEditor(): Promise<TestEditor> {
  const notices: PasteNotice[] = []
  const live = await start((notice) => notices.push(notice))
  return {
    live,
    notices,
    setContent: (html, place) => begin(live, html, place),
    type: (keys) => {
      for (const key of keys)
        if (key === '\n') press(live, 'Enter')
        else typeCharacter(live, key)
    },
    press: (key, held) => void press(live, key, held),
    paste: (items) => paste(live, items),
    undo: () => void live.execCommand('undo'),
    html: () => live.getContent().replace(/(?<=<\/p>)\n|\n(?=<)/g, ''),
    close() {
      live.remove()
      Reflect.deleteProperty(globalThis, 'hugerte')
    },
  }
}

/** The plugins of the package find it in the global `hugerte` when they are imported. */
async function start(onNotice: (notice: PasteNotice) => void): Promise<Editor> {
  const { default: hugerte } = await import('hugerte')
  Object.assign(globalThis, { hugerte })
  const { makeEditorSettings } = await import('#web/editor/editor-settings.ts')
  const settings = makeEditorSettings({
    storeImage: async () => {
      throw new Error('no image is stored here')
    },
    onNotice,
    convertsMarkdown: () => true,
    findPosts: async () => {
      throw new Error('no posts are searched here')
    },
    openDialog: () => {},
    save: () => {},
    preview: () => {},
    publish: () => {},
  })
  const target = document.createElement('div')
  document.body.append(target)
  const bare = { target, inline: true, content_css: false, menubar: false, toolbar: false }
  const [editor] = await hugerte.init({ ...settings, ...bare })
  if (!editor) throw new Error('the editor did not start')
  return editor
}

function begin(live: Editor, html: string, place: Place = {}): void {
  const { inside, isAtEnd = false, word = '' } = place
  live.setContent(html)
  live.undoManager.reset()
  live.focus()
  const body = live.getBody()
  const root = inside === undefined ? body : (body.querySelector(inside) ?? body)
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  const text = isAtEnd ? texts.at(-1) : texts.find(({ data }) => data.includes(word))
  const range = document.createRange()
  const at = text && (isAtEnd ? text.length : text.data.indexOf(word))
  if (text) range.setStart(text, at ?? 0)
  else range.setStart(root === body ? (body.firstElementChild ?? body) : root, 0)
  if (text) range.setEnd(text, (at ?? 0) + word.length)
  live.selection.setRng(range)
  live.nodeChanged()
}

const KEY_CODES: Record<string, number> = { Enter: 13, Backspace: 8, Delete: 46, Tab: 9 }

/** The key code sent for characters that are neither letters, digits nor spaces. */
const OTHER_KEY = 190

function keyCodeOf(key: string): number {
  return /^[a-z0-9 ]$/i.test(key) ? key.toUpperCase().charCodeAt(0) : OTHER_KEY
}

/** @returns whether a handler of the editor has prevented the default action of the key */
function press(live: Editor, key: string, held: KeyboardEventInit = {}): boolean {
  const keyCode = KEY_CODES[key] ?? keyCodeOf(key)
  const init = { key, keyCode, bubbles: true, cancelable: true, ...held }
  const isDone = !live.getBody().dispatchEvent(new KeyboardEvent('keydown', init))
  live.getBody().dispatchEvent(new KeyboardEvent('keyup', init))
  return isDone
}

function typeCharacter(live: Editor, data: string): void {
  if (press(live, data)) return
  const init = { data, inputType: 'insertText', bubbles: true }
  const coming = new InputEvent('beforeinput', { ...init, cancelable: true })
  if (!live.getBody().dispatchEvent(coming)) return
  const range = live.selection.getRng()
  range.deleteContents()
  const { node, at } = textAt(range)
  const before = node.data.slice(0, at)
  const after = node.data.slice(at)
  const isCode = node.parentElement?.closest('pre') != null
  const leading = isCode || data === ' ' ? before : before.replace(/(?<=[\S\uFEFF])\u00a0$/, ' ')
  const keepsSpace = isCode || data !== ' ' || (after !== '' && /\S$/.test(before))
  node.data = leading + (keepsSpace ? data : NO_BREAK_SPACE) + after
  live.selection.setCursorLocation(node, at + 1)
  live.getBody().dispatchEvent(new InputEvent('input', init))
}

/** The text node that receives a letter; a `br` that only held the caret is removed. */
function textAt({ startContainer, startOffset }: Range): { node: Text; at: number } {
  if (startContainer instanceof Text) return { node: startContainer, at: startOffset }
  const node = document.createTextNode('')
  const next = startContainer.childNodes[startOffset] ?? null
  startContainer.insertBefore(node, next)
  const isAlone = (node.previousSibling?.nodeName ?? 'BR') === 'BR'
  if (next?.nodeName === 'BR' && !next.nextSibling && isAlone) next.remove()
  return { node, at: 0 }
}

function paste(live: Editor, items: Record<string, string>): void {
  const clipboardData = new DataTransfer()
  for (const [type, text] of Object.entries(items)) clipboardData.setData(type, text)
  const event = new Event('paste', { bubbles: true, cancelable: true })
  Object.assign(event, { clipboardData })
  live.selection.getNode().dispatchEvent(event)
}
