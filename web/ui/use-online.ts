// Whether the browser has a network, and what is to be done when it is back.
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

/**
 * When to try again after the network came back: the first try may come before it works, and a
 * listener may be added after the event.
 */
const TRIES_AFTER_MS = [500, 2000, 5000, 15_000, 40_000]

let backAtMs = Number.NEGATIVE_INFINITY
if (typeof window !== 'undefined')
  window.addEventListener('online', () => {
    backAtMs = performance.now()
  })

export function useIsOnline(): boolean {
  return useSyncExternalStore(
    onNetwork,
    () => navigator.onLine,
    () => true,
  )
}

/** @param handle as in {@link whenOnline}; what it does must be for a failure that is shown */
export function useWhenOnline(handle: () => void): void {
  const latest = useEffectEvent(handle)
  useEffect(() => whenOnline(() => latest()), [])
}

/**
 * @param handle is called each time the network comes back, and a few times soon after that
 * @returns stops it
 */
export function whenOnline(handle: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const plan = () => {
    clearTimeout(timer)
    const nowMs = performance.now()
    const due = TRIES_AFTER_MS.map((ms) => backAtMs + ms).find((ms) => ms > nowMs)
    if (due !== undefined) timer = setTimeout(go, due - nowMs)
  }
  const go = () => {
    plan()
    if (navigator.onLine) handle()
  }
  plan()
  window.addEventListener('online', go)
  return () => {
    clearTimeout(timer)
    window.removeEventListener('online', go)
  }
}

/**
 * Waits for this long, or until the network comes back or the signal aborts.
 *
 * @param onWait is given what ends the pause at once
 */
export async function pauseUntilOnline(
  ms: number,
  signal: AbortSignal,
  onWait?: (end: () => void) => void,
): Promise<void> {
  const over = new AbortController()
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    over.signal.addEventListener('abort', () => clearTimeout(timer))
    window.addEventListener('online', () => resolve(), { signal: over.signal })
    signal.addEventListener('abort', () => resolve(), { signal: over.signal })
    onWait?.(resolve)
  })
  over.abort()
}

function onNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
