// Listens to events of the page for as long as a component is mounted.
import { useEffect, useEffectEvent } from 'react'

type PageEvents = DocumentEventMap & WindowEventMap

/**
 * @param handle may be another function in each render
 * @param isCapturing listens in the capturing phase, before other listeners
 */
export function usePageEvent<Type extends keyof PageEvents>(
  type: Type,
  handle: (event: PageEvents[Type]) => void,
  isCapturing = false,
): void {
  const latest = useEffectEvent(handle)
  useEffect(() => {
    const listener = (event: Event) => latest(event as PageEvents[Type])
    window.addEventListener(type, listener, isCapturing)
    return () => window.removeEventListener(type, listener, isCapturing)
  }, [type, isCapturing])
}
