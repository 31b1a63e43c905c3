// Scrolls back to where a page was left, after another document was open in between. Within one
// document the router does so; after that it scrolls while the page is still empty. Knows nothing
// of the product.
import { useLayoutEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { snapshots } from './history-snapshots.ts'

type Shown = {
  /** Whether the page shows, as soon as it is opened, what it showed before. */
  isThere: boolean
  /** False as long as more of that is to come before the next paint. */
  isOpened: boolean
}

export function useScrollRestoration({ isThere, isOpened }: Shown): void {
  const { key } = useLocation()
  const [firstKey] = useState(key)
  useLayoutEffect(() => {
    if (!isOpened) return
    const y = snapshots.takeScroll(firstKey)
    if (isThere && y !== undefined) window.scrollTo(0, y)
  }, [firstKey, isThere, isOpened])
}
