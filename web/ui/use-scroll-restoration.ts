// Scrolls back to where a page was left when another document has been there meanwhile. The router
// does so by itself as long as the app lives; after that it tries while the page is still empty.
// Knows no product word.
import { useLayoutEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { snapshots } from './history-snapshots.ts'

/** @param isThere what the page showed is there again, with this very first render */
export function useScrollRestoration(isThere: boolean): void {
  const { key } = useLocation()
  const [first] = useState({ key, isThere })
  useLayoutEffect(() => {
    const y = snapshots.takeScroll(first.key)
    if (first.isThere && y !== undefined) window.scrollTo(0, y)
  }, [first])
}
