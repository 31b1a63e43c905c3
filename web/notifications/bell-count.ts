// The number of new notifications, shared by all components that show it.
import { useSyncExternalStore } from 'react'
import { createSharedValue } from '../ui/shared-value.ts'

/** Set only in the browser: the server never knows the number. */
export const bellCount = createSharedValue(0)

export function useBellCount(): number {
  return useSyncExternalStore(bellCount.subscribe, bellCount.get, () => 0)
}
