// Hands events of the server (live.ts) to a component. The connection is opened when the page is
// idle: the page works the same without it.
import { useEffect, useEffectEvent, useState } from 'react'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import { type Api, useApi } from './client.ts'
import type { Live, LiveListener } from './live.ts'

/** How long a busy page may keep it waiting. */
const CALM_WITHIN_MS = 2000
/** Data loaded with the page counts as fresh for so long. */
const FRESH_MS = 10_000

let live: Promise<Live | undefined> | undefined

type Hearing = Partial<Pick<LiveListener, 'handleEvent' | 'handleConnected'>> & {
  /** It is connected, and something may have been missed since the page was loaded. */
  handleMissed?: () => void
}

/**
 * @param channels separated by blanks; undefined while there are none
 * @param userId the connection must be this user's; undefined where that does not matter
 * @returns whether it is connected
 */
export function useLive(channels: string | undefined, listener: Hearing, userId?: string): boolean {
  const api = useApi()
  const [isConnected, setConnected] = useState(false)
  const isHydrated = useIsHydrated()
  const [isOfDocument] = useState(!isHydrated)
  const latest = useEffectEvent(() => listener)
  useEffect(() => {
    if (channels === undefined) return
    let isGone = false
    let missesFromMs = (isOfDocument ? 0 : performance.now()) + FRESH_MS
    let end: (() => void) | undefined
    void findLive(api).then((found) => {
      if (isGone || !found) return
      if (userId !== undefined) connectAs(found, userId)
      end = found.listen({
        channels: channels.split(' '),
        handleEvent: (event) => latest().handleEvent?.(event),
        handleConnected(user) {
          setConnected(true)
          latest().handleConnected?.(user)
          if (performance.now() > missesFromMs) latest().handleMissed?.()
          missesFromMs = 0
        },
        handleLost: () => setConnected(false),
      })
    })
    return () => {
      isGone = true
      end?.()
      setConnected(false)
    }
  }, [api, channels, userId, isOfDocument])
  return isConnected
}

let connectedAs: string | undefined

/** A connection belongs to the user whom the cookie named when it was opened. */
function connectAs(found: Live, userId: string): void {
  if (connectedAs !== undefined && connectedAs !== userId) found.connectAnew()
  connectedAs = userId
}

/** @returns undefined when its code cannot be loaded; the next call tries again */
function findLive(api: Api): Promise<Live | undefined> {
  live ??= untilCalm()
    .then(() => import('./live.ts'))
    .then(({ Live }) => new Live(api))
    .catch(() => {
      live = undefined
      return undefined
    })
  return live
}

/** Resolves when the page stands and the browser has time. */
export async function untilCalm(): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise((resolve) => window.addEventListener('load', resolve, { once: true }))
  await new Promise<void>((resolve) => {
    // Safari does not have it.
    if ('requestIdleCallback' in window)
      requestIdleCallback(() => resolve(), { timeout: CALM_WITHIN_MS })
    else setTimeout(resolve, 0)
  })
}
