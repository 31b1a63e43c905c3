// What the previous page put into the history state for this one. The server does not know it, so
// it is null during hydration and there right after it. Knows nothing of the product.
import { useLocation } from 'react-router'
import { useIsHydrated } from './use-is-hydrated.ts'

/** @returns the state of the current location, whatever it holds; null during hydration */
export function useHistoryState(): unknown {
  const { state } = useLocation()
  return useIsHydrated() ? state : null
}
