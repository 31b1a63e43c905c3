// The editor is as tall as its text, so that only the page scrolls: the frame follows the text, the
// page follows the caret, and on phones the toolbar is above the on-screen keyboard.

import type { Editor } from 'hugerte'

/** Smaller changes to the viewport come from the browser's own bars. */
const KEYBOARD_AT_LEAST_PX = 120
/** Free space around the caret. */
const CARET_ROOM_PX = 24
/** At a larger scale the user has zoomed in, which also shrinks the viewport. */
const ZOOM_AT_MOST = 1.05
/** A row of tools of the writing view at the lower edge of a small screen. */
const OVER_KEYBOARD = '[data-over-keyboard]'
const BOTTOM_BAR = '.bottom-bar'
const TOOLS = '.tox-editor-header > :is(.tox-toolbar, .tox-toolbar-overlord)'

export function autoHeight(editor: Editor): void {
  editor.on('init', () => {
    const view = editor.getWin() as Window & typeof globalThis
    const body = editor.getBody()
    const sizes = new view.ResizeObserver(() => fitFrame(editor))
    sizes.observe(body)
    fitFrame(editor)
    reportHeaderEdge(editor)
    editor.on('remove', () => sizes.disconnect())
  })
  editor.on('input keyup SetContent', () => fitFrame(editor))
  editor.on('input keyup', () => revealCaret(editor))
  editor.on('FullscreenStateChanged', ({ state }) => {
    editor.getDoc().documentElement.toggleAttribute('data-full', state)
  })
  stayAboveKeyboard(editor)
}

export function fitFrame(editor: Editor): void {
  const frame = editor.iframeElement
  const body = editor.getBody()
  if (editor.removed || !frame || !body) return
  const height = `${Math.ceil(body.getBoundingClientRect().height)}px`
  frame.style.setProperty('--text-height', height)
}

/** Scrolls the page if the header, the toolbar or the keyboard covers the caret. */
function revealCaret(editor: Editor): void {
  const frame = editor.iframeElement
  const caret = findCaret(editor)
  if (!frame || !caret || !editor.hasFocus()) return
  const shift = frame.getBoundingClientRect().top
  const { top, bottom } = findVisibleBand(editor)
  if (caret.bottom + shift > bottom) scrollBy({ top: caret.bottom + shift - bottom })
  else if (caret.top + shift < top) scrollBy({ top: caret.top + shift - top })
}

export type Band = { top: number; bottom: number }

/** The place of the caret in the frame; undefined while words are selected. */
export function findCaret(editor: Editor): Band | undefined {
  const range = editor.selection.getRng()
  if (!range.collapsed) return undefined
  const [line] = range.getClientRects()
  if (line) return line
  // An empty block has no line of text to measure.
  const { startContainer: container, startOffset } = range
  const element =
    container.nodeType === Node.ELEMENT_NODE ? (container as Element) : container.parentElement
  return (element?.children[startOffset] ?? element)?.getBoundingClientRect()
}

/** The part of the window in which the text can be seen. */
export function findVisibleBand(editor: Editor): Band {
  const viewport = window.visualViewport
  const tools = boxOf(editor.getContainer(), TOOLS)
  const bottom = (viewport?.offsetTop ?? 0) + (viewport?.height ?? innerHeight)
  const below = [OVER_KEYBOARD, BOTTOM_BAR].map((bar) => boxOf(document, bar)?.top ?? bottom)
  if (tools && document.documentElement.dataset.keyboard === 'open')
    return { top: barsEdge() + CARET_ROOM_PX, bottom: tools.top - CARET_ROOM_PX }
  const top = Math.max(tools?.bottom ?? 0, barsEdge())
  return { top: top + CARET_ROOM_PX, bottom: Math.min(bottom, ...below) - CARET_ROOM_PX }
}

/** Undefined for an element that is not visible. */
function boxOf(parent: ParentNode, selector: string): DOMRect | undefined {
  const element = parent.querySelector(selector)
  const isVisible = element?.checkVisibility({ visibilityProperty: true })
  return isVisible ? element?.getBoundingClientRect() : undefined
}

/** Gives a size to the package's header, which has no box to measure (editor-layout.css). */
function reportHeaderEdge(editor: Editor): void {
  const header = editor.getContainer().querySelector('.tox-editor-header')
  if (header)
    header.getBoundingClientRect = () => new DOMRect(0, findVisibleBand(editor).top - CARET_ROOM_PX)
}

/** The lower edge of the page's header and of the choices below it (form-messages.tsx). */
function barsEdge(): number {
  const choices = document.documentElement.style.getPropertyValue('--choices-height')
  const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
  return header + (Number.parseFloat(choices) || 0)
}

/**
 * Sets a CSS property for how much of the window the keyboard covers. Browsers draw it over the
 * page, and only the visual viewport reflects it.
 */
function stayAboveKeyboard(editor: Editor): void {
  const viewport = window.visualViewport
  if (!viewport) return
  const root = document.documentElement
  const clear = () => {
    delete root.dataset.keyboard
    root.style.removeProperty('--keyboard-edge')
  }
  const follow = () => {
    const covered = root.clientHeight - viewport.height
    const isOpen =
      editor.hasFocus() && viewport.scale <= ZOOM_AT_MOST && covered >= KEYBOARD_AT_LEAST_PX
    if (!isOpen) clear()
    else {
      root.dataset.keyboard = 'open'
      const edge = Math.max(0, covered - viewport.offsetTop)
      root.style.setProperty('--keyboard-edge', `${edge}px`)
    }
  }
  viewport.addEventListener('resize', follow)
  viewport.addEventListener('scroll', follow)
  editor.on('focus blur', follow)
  editor.on('remove', () => {
    viewport.removeEventListener('resize', follow)
    viewport.removeEventListener('scroll', follow)
    clear()
  })
}
