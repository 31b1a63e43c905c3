// Passes the server's events (live.ts) to a component. The connection is opened when the page is
// idle; the page works without it.
import { useEffect, useEffectEvent, useState } from 'react'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import { type Api, useApi } from './client.ts'
import type { Live, LiveSubscriber } from './live.ts'

/** How long a busy page may delay the connection. */
const IDLE_WITHIN_MS = 2000
/** How long data that was loaded with the page counts as fresh. */
const FRESH_MS = 10_000

let loading: Promise<Live | undefined> | undefined

type Subscriber = Partial<Pick<LiveSubscriber, 'handleEvent' | 'handleConnected'>> & {
  /** Called on connecting when events may have been missed since the page was loaded. */
  handleMissedEvents?: () => void
}

/**
 * @param channels separated by spaces; undefined for none
 * @param userId the connection is reopened if it belongs to another user; undefined accepts any
 * @returns whether the page is connected
 */
export function useLive(
  channels: string | undefined,
  subscriber: Subscriber,
  userId?: string,
): boolean {
  const api = useApi()
  const [isConnected, setConnected] = useState(false)
  const isHydrated = useIsHydrated()
  const [isServerRendered] = useState(!isHydrated)
  const latest = useEffectEvent(() => subscriber)
  useEffect(() => {
    if (channels === undefined) return
    let isUnmounted = false
    let freshUntilMs = (isServerRendered ? 0 : performance.now()) + FRESH_MS
    let unsubscribe: (() => void) | undefined
    void loadLive(api).then((live) => {
      if (isUnmounted || !live) return
      if (userId !== undefined) connectAs(live, userId)
      unsubscribe = live.subscribe({
        channels: channels.split(' '),
        handleEvent: (event) => latest().handleEvent?.(event),
        handleConnected(user) {
          setConnected(true)
          latest().handleConnected?.(user)
          if (performance.now() > freshUntilMs) latest().handleMissedEvents?.()
        },
        handleLost(isReplaced) {
          setConnected(false)
          if (!isReplaced) freshUntilMs = 0
        },
      })
    })
    return () => {
      isUnmounted = true
      unsubscribe?.()
      setConnected(false)
    }
  }, [api, channels, userId, isServerRendered])
  return isConnected
}

let connectedAs: string | undefined

/** A connection belongs to the user whom the cookie named when it was opened. */
function connectAs(live: Live, userId: string): void {
  if (connectedAs !== undefined && connectedAs !== userId) live.reconnect()
  connectedAs = userId
}

/** @returns undefined when the code cannot be loaded; the next call tries again */
function loadLive(api: Api): Promise<Live | undefined> {
  loading ??= untilIdle()
    .then(() => import('./live.ts'))
    .then(({ Live }) => new Live(api))
    .catch(() => {
      loading = undefined
      return undefined
    })
  return loading
}

/** Resolves when the page is loaded and the browser is idle. */
export async function untilIdle(): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise((resolve) => window.addEventListener('load', resolve, { once: true }))
  await new Promise<void>((resolve) => {
    // Safari does not have `requestIdleCallback`.
    if ('requestIdleCallback' in window)
      requestIdleCallback(() => resolve(), { timeout: IDLE_WITHIN_MS })
    else setTimeout(resolve, 0)
  })
}
