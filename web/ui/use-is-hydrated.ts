// Whether the page is the browser's own: the server, and the render that takes over what the server
// wrote, know nothing of the device. Knows nothing of the product.
import { useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'

const neverChanges = () => () => {}

/** @returns false on the server and while its page is taken over, true from then on */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
}

// What the previous page put into the history state for this one. The server does not know it, so
// it is null during hydration and there right after it. Knows nothing of the product.

/** @returns the state of the current location, whatever it holds; null during hydration */
export function useHistoryState(): unknown {
  const { state } = useLocation()
  return useIsHydrated() ? state : null
}
