// Scrolls back to where a page was left, after another document was open in between. Within one
// document the router does so; after that it scrolls while the page is still empty. Knows nothing
// of the product.
import { useLayoutEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { snapshots } from './history-snapshots.ts'

/** @param isThere whether the first render shows what the page showed before */
export function useScrollRestoration(isThere: boolean): void {
  const { key } = useLocation()
  const [first] = useState({ key, isThere })
  useLayoutEffect(() => {
    const y = snapshots.takeScroll(first.key)
    if (first.isThere && y !== undefined) window.scrollTo(0, y)
  }, [first])
}
