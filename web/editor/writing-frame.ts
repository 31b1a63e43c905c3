// What the writing view does inside the editor's frame: focus mode and smart quotes.

import type { Editor } from 'hugerte'
import { texts } from '../locales/texts.ts'
import { findCaret } from './auto-height.ts'
import { addStep } from './insert-block.ts'
import { textOf } from './objects.ts'

/** Where the line with the caret stays, as a share of the window's height. */
const LINE_AT = 0.4
/** Smaller differences do not move the page. */
const SHIFT_MIN_PX = 3

/**
 * Only the selected blocks keep their colour, and the line with the caret stays where it is while
 * the page moves.
 *
 * @returns a function that ends the mode
 */
export function startFocusMode(editor: Editor): () => void {
  const document = editor.getDoc()
  const view = editor.getWin() as Window & typeof globalThis
  // A sheet, because an attribute of a block would be a change of the text.
  const sheet = new view.CSSStyleSheet()
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  const follow = () => {
    dimOtherBlocks(editor, sheet)
    keepLine(editor)
  }
  follow()
  editor.on('input keyup NodeChange', follow)
  return () => {
    editor.off('input keyup NodeChange', follow)
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
  }
}

function dimOtherBlocks(editor: Editor, sheet: CSSStyleSheet): void {
  const { selection } = editor
  const first = positionOf(editor, selection.getStart())
  const last = positionOf(editor, selection.getEnd())
  const others = `body > :not(:nth-child(n + ${first}):nth-child(-n + ${last}))`
  sheet.replaceSync(`${others}, ${others} * { color: var(--text-3) }`)
}

/** The position of an element's block among the children of the body, from 1. */
function positionOf(editor: Editor, element: Element): number {
  const blocks = [...editor.getBody().children]
  return blocks.findIndex((block) => block.contains(element)) + 1
}

function keepLine(editor: Editor): void {
  const caret = findCaret(editor)
  if (!caret || !editor.iframeElement) return
  const { height, offsetTop } = window.visualViewport ?? { height: innerHeight, offsetTop: 0 }
  const line = editor.iframeElement.getBoundingClientRect().top + caret.top
  const shift = line - offsetTop - LINE_AT * height
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  if (Math.abs(shift) >= SHIFT_MIN_PX)
    scrollBy({ top: shift, behavior: isStill ? 'instant' : 'smooth' })
}

const { double, single } = texts.smartQuotes
const QUOTES: Record<string, { opening: string; closing: string }> = { '"': double, "'": single }
/** What an opening quote follows: nothing, a space, a bracket, a dash or another opening quote. */
const BEFORE_OPENING = /(?:^|[\s([{–—/-]|[“‘„‚«‹])$/u

/**
 * Typed quotes become those of the page's language. Each is a step of its own, so that one undo
 * gives the typed sign back.
 *
 * @returns a function that ends it
 */
export function startSmartQuotes(editor: Editor): () => void {
  const handle = ({ data, inputType, isComposing }: InputEvent) => {
    const quotes = QUOTES[data ?? '']
    if (!quotes || inputType !== 'insertText' || isComposing || editor.mode.isReadOnly()) return
    const { dom, selection } = editor
    const { startContainer: node, startOffset: end } = selection.getRng()
    if (node.nodeType !== Node.TEXT_NODE || dom.getParent(node, 'pre,code')) return
    const text = node as Text
    if (text.data[end - 1] !== data) return
    const quote = BEFORE_OPENING.test(textBefore(editor, text, end - 1))
      ? quotes.opening
      : quotes.closing
    addStep(editor, () => {
      text.replaceData(end - 1, 1, quote)
      selection.setCursorLocation(text, end)
    })
  }
  editor.on('input', handle)
  return () => editor.off('input', handle)
}

function textBefore(editor: Editor, node: Text, offset: number): string {
  const range = editor.getDoc().createRange()
  range.setStart(editor.dom.getParent(node, editor.dom.isBlock) ?? node, 0)
  range.setEnd(node, offset)
  // Without the zero-width characters at which the editor puts the caret.
  return textOf(range.cloneContents()).replace(/[\uFEFF\u200B]/g, '')
}
