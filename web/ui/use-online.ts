// Whether the browser has a network, and callbacks for when the network is back.
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

/**
 * When to try again after the network came back: it may not work at once, and a listener may have
 * been added after the event.
 */
const RETRY_AFTER_MS = [500, 2000, 5000, 15_000, 40_000]

let onlineAtMs = Number.NEGATIVE_INFINITY
if (typeof window !== 'undefined')
  window.addEventListener('online', () => {
    onlineAtMs = performance.now()
  })

export function useIsOnline(): boolean {
  return useSyncExternalStore(
    onNetwork,
    () => navigator.onLine,
    () => true,
  )
}

/** @param handle as in {@link whenOnline}; only for retrying a call whose failure is shown */
export function useWhenOnline(handle: () => void): void {
  const latest = useEffectEvent(handle)
  useEffect(() => whenOnline(() => latest()), [])
}

/**
 * @param handle is called each time the network comes back, and a few times soon after that
 * @returns a function that stops the calls
 */
export function whenOnline(handle: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const schedule = () => {
    clearTimeout(timer)
    const nowMs = performance.now()
    const due = RETRY_AFTER_MS.map((ms) => onlineAtMs + ms).find((ms) => ms > nowMs)
    if (due !== undefined) timer = setTimeout(run, due - nowMs)
  }
  const run = () => {
    schedule()
    if (navigator.onLine) handle()
  }
  schedule()
  window.addEventListener('online', run)
  return () => {
    clearTimeout(timer)
    window.removeEventListener('online', run)
  }
}

/**
 * Waits for this long, or until the network comes back or the signal aborts.
 *
 * @param onWait gets a function that ends the pause at once
 */
export async function pauseUntilOnline(
  ms: number,
  signal: AbortSignal,
  onWait?: (end: () => void) => void,
): Promise<void> {
  const listening = new AbortController()
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    listening.signal.addEventListener('abort', () => clearTimeout(timer))
    window.addEventListener('online', () => resolve(), { signal: listening.signal })
    signal.addEventListener('abort', () => resolve(), { signal: listening.signal })
    onWait?.(resolve)
  })
  listening.abort()
}

function onNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
