// Whether the page is the browser's own: the server, and the render that takes over what the server
// wrote, know nothing of the device. Knows nothing of the product.
import { useSyncExternalStore } from 'react'

const neverChanges = () => () => {}

/** @returns false on the server and while its page is taken over, true from then on */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
}
