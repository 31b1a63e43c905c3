// Moves the focus to the heading of the new page on a navigation inside the app, and back to the
// link that was followed on "Back".
import { useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** Call once, in the layout around all pages. */
export function usePageFocus(): void {
  const { key, pathname } = useLocation()
  const how = useNavigationType()
  const before = useRef<string | undefined>(undefined)
  const leftFrom = useRef(new Map<string, string>())

  useEffect(() => {
    function handleFocus(event: FocusEvent) {
      const href =
        event.target instanceof HTMLAnchorElement ? event.target.getAttribute('href') : null
      if (href) leftFrom.current.set(key, href)
    }
    document.addEventListener('focusin', handleFocus)
    return () => document.removeEventListener('focusin', handleFocus)
  }, [key])

  useEffect(() => {
    const isMove = before.current !== undefined && before.current !== pathname
    before.current = pathname
    if (!isMove) return
    const href = how === 'POP' ? leftFrom.current.get(key) : undefined
    const link = href
      ? document.querySelector<HTMLElement>(`main a[href="${CSS.escape(href)}"]`)
      : null
    const target =
      link ??
      document.querySelector<HTMLElement>('main h1') ??
      document.querySelector<HTMLElement>('main')
    if (!target) return
    if (link) return link.focus({ preventScroll: true })
    focusTitle(target)
    return followTitle()
  }, [key, pathname, how])
}

function focusTitle(title: HTMLElement): void {
  title.tabIndex = -1
  title.focus({ preventScroll: true })
}

/**
 * What stands there while a page loads goes, and the focus with it: the title that comes instead
 * gets it, unless somebody has done something meanwhile.
 */
function followTitle(): () => void {
  const main = document.querySelector('main')
  const observer = new MutationObserver(() => {
    const { activeElement, body } = document
    const title = main?.querySelector('h1')
    if (title && (activeElement === body || activeElement === main)) focusTitle(title)
  })
  if (main) observer.observe(main, { childList: true, subtree: true })
  const stop = new AbortController()
  stop.signal.addEventListener('abort', () => observer.disconnect())
  for (const type of ['keydown', 'pointerdown'])
    document.addEventListener(type, () => stop.abort(), { signal: stop.signal, capture: true })
  return () => stop.abort()
}
