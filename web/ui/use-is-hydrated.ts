// Whether the page is hydrated. On the server, and in the render that hydrates its HTML, components
// cannot use data of the device.
import { useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'

const neverChanges = () => () => {}

/** @returns false on the server and during hydration, true from then on */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
}

/**
 * The history state, which the previous page has set for this one. The server does not know it.
 *
 * @returns a value of any shape; null during hydration
 */
export function useHistoryState(): unknown {
  const { state } = useLocation()
  return useIsHydrated() ? state : null
}
