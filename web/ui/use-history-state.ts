// What the page before left for this one in the history. The server knows nothing of it, so while a
// page that it rendered is taken over there is nothing; right after it is there. Knows no product
// word.
import { useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'

const neverChanges = () => () => {}

/**
 * @returns the state of the current location, whatever it holds; null while the page is taken over
 *   from the server
 */
export function useHistoryState(): unknown {
  const { state } = useLocation()
  const isTakenOver = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
  return isTakenOver ? state : null
}
