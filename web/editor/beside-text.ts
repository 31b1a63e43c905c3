// Places a part of the page beside words of the editor's text, which is in a frame: where the words
// can be seen, and never over them.

import type { Editor } from 'hugerte'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect } from 'react'
import { type Band, findVisibleBand } from './auto-height.ts'

const GAP_PX = 6
const EDGE_PX = 8
/** A menu that is shorter stays on the side that it prefers. */
const ENOUGH_PX = 260

export type Place = {
  words: Band
  /** The line with the caret, at one end of the words. */
  caret: Band
  /** The visible part of the window. */
  view: Band
  height: number
  prefers: 'above' | 'below'
}

/** @returns the upper edge of the part, and how tall it may be */
export function findPlace({ words, caret, view, height, prefers }: Place): {
  top: number
  room: number
} {
  const roomAbove = words.top - GAP_PX - view.top
  const roomBelow = view.bottom - words.bottom - GAP_PX
  const isFirstTight = (prefers === 'above' ? roomAbove : roomBelow) < Math.min(height, ENOUGH_PX)
  const isOtherBetter = prefers === 'above' ? roomBelow > roomAbove : roomAbove > roomBelow
  const isAbove = (prefers === 'above') !== (isFirstTight && isOtherBetter)
  const room = isAbove ? roomAbove : roomBelow
  if (room > 0) {
    const shown = Math.min(height, room)
    return { top: isAbove ? words.top - GAP_PX - shown : words.bottom + GAP_PX, room }
  }
  // Words fill the window: the part is at the edge without the caret.
  const isCaretUp = caret.top < view.top + height + GAP_PX
  return { top: isCaretUp ? view.bottom - height : view.top, room: height }
}

export type Words = { box: DOMRect; caret: DOMRect }

/** The boxes of a range of the text in the window's coordinates. */
export function boxesOf(editor: Editor, range: Range): Words {
  const frame = editor.iframeElement?.getBoundingClientRect() ?? new DOMRect()
  const inWindow = ({ x, y, width, height }: DOMRect) =>
    new DOMRect(x + frame.x, y + frame.y, width, height)
  const caret = editor.getDoc().createRange()
  const { focusNode, focusOffset } = editor.selection.getSel() ?? {}
  if (focusNode) caret.setStart(focusNode, focusOffset ?? 0)
  const box = inWindow(range.getBoundingClientRect())
  const caretBox = caret.getBoundingClientRect()
  return { box, caret: caretBox.height > 0 ? inWindow(caretBox) : box }
}

/** The place of a part above or below words, in the window's coordinates. */
export function placeBeside(
  editor: Editor,
  part: HTMLElement,
  { box, caret }: Words,
  prefers: Place['prefers'],
): Position {
  part.style.removeProperty('--room')
  const { offsetWidth: width, offsetHeight: height } = part
  const view = findVisibleBand(editor)
  const { top, room } = findPlace({ words: box, caret, view, height, prefers })
  const wanted = prefers === 'above' ? box.left + (box.width - width) / 2 : box.left
  const last = document.documentElement.clientWidth - EDGE_PX - width
  return { left: Math.max(EDGE_PX, Math.min(wanted, last)), top, room }
}

type Position = { left: number; top: number; room?: number }

/**
 * Keeps a part at its place while the page scrolls and changes. The style sheet reads the place
 * from custom properties, relative to the part's containing block.
 */
export function useFollowingPlace(
  editor: Editor,
  part: RefObject<HTMLElement | null>,
  findPosition: (part: HTMLElement) => Position,
): void {
  const place = useEffectEvent(() => {
    const element = part.current
    const origin = element?.offsetParent?.getBoundingClientRect()
    if (!element || !origin) return
    const { left, top, room } = findPosition(element)
    element.style.setProperty('--left', `${left - origin.left}px`)
    element.style.setProperty('--top', `${top - origin.top}px`)
    if (room !== undefined) element.style.setProperty('--room', `${room}px`)
  })
  useLayoutEffect(() => place())
  useEffect(() => {
    const follow = () => place()
    const sizes = new ResizeObserver(follow)
    sizes.observe(editor.getContainer())
    const page = new AbortController()
    const { signal } = page
    addEventListener('scroll', follow, { passive: true, signal })
    addEventListener('resize', follow, { signal })
    visualViewport?.addEventListener('resize', follow, { signal })
    return () => {
      sizes.disconnect()
      page.abort()
    }
  }, [editor])
}
