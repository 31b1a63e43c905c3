// Whether the browser has a network, and what is to be done when it is back. Knows nothing of the
// product.
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

export function useIsOnline(): boolean {
  return useSyncExternalStore(
    onNetwork,
    () => navigator.onLine,
    () => true,
  )
}

/** @param handle is called each time the network comes back */
export function useWhenOnline(handle: () => void): void {
  const latest = useEffectEvent(handle)
  useEffect(() => {
    const handleOnline = () => latest()
    window.addEventListener('online', handleOnline)
    return () => window.removeEventListener('online', handleOnline)
  }, [])
}

function onNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
