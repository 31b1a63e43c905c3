// Whether the page is the browser's own. The server, and the render that hydrates what the server
// wrote, have no data of the device.
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

/**
 * What the previous page put into the history state for this one. The server does not know it.
 *
 * @returns of any shape; null during hydration
 */
export function useHistoryState(): unknown {
  const { state } = useLocation()
  return useIsHydrated() ? state : null
}
