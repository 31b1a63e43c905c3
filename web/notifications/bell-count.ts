// How many notifications are new: the number at the bell, the same for all that show it.
import { useSyncExternalStore } from 'react'
import { createSharedValue } from '../ui/shared-value.ts'

/** Is set in browsers alone: the server never knows it. */
export const bellCount = createSharedValue(0)

export function useBellCount(): number {
  return useSyncExternalStore(bellCount.subscribe, bellCount.get, () => 0)
}
