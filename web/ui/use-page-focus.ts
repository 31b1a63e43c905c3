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
    if (!link) target.tabIndex = -1
    target.focus({ preventScroll: true })
  }, [key, pathname, how])
}
