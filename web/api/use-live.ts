// Lets a component hear what the server tells (live.ts). The connection comes last: the page has
// been read from and pressed on before it is opened, and works the same without it.
import { useEffect, useEffectEvent, useState } from 'react'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import { type Api, useApi } from './client.ts'
import type { Live, LiveListener } from './live.ts'

/** How long a busy page may keep it waiting. */
const CALM_WITHIN_MS = 2000
/** What was loaded with the page is as it is now, for so long. */
const FRESH_MS = 10_000

let live: Promise<Live | undefined> | undefined

type Hearing = Partial<Omit<LiveListener, 'channels'>> & {
  /** It is connected, and something may have been missed since the page was loaded. */
  handleMissed?: () => void
}

/**
 * @param channels separated by blanks; undefined while there is nothing to hear
 * @param person whose connection it must be, if anybody's
 * @returns whether it is connected
 */
export function useLive(channels: string | undefined, listener: Hearing, person?: string): boolean {
  const api = useApi()
  const [isConnected, setConnected] = useState(false)
  const isHydrated = useIsHydrated()
  const [isOfDocument] = useState(!isHydrated)
  const handleEvent = useEffectEvent<LiveListener['handleEvent']>((event) =>
    listener.handleEvent?.(event),
  )
  const handleConnected = useEffectEvent<LiveListener['handleConnected']>((user) => {
    setConnected(true)
    listener.handleConnected?.(user)
  })
  const handleMissed = useEffectEvent(() => listener.handleMissed?.())
  const handleLost = useEffectEvent(() => {
    setConnected(false)
    listener.handleLost?.()
  })
  useEffect(() => {
    if (channels === undefined) return
    let isGone = false
    let missesFromMs = (isOfDocument ? 0 : performance.now()) + FRESH_MS
    let end: (() => void) | undefined
    void findLive(api).then((found) => {
      if (isGone || !found) return
      if (person !== undefined) beConnectedAs(found, person)
      end = found.listen({
        channels: channels.split(' '),
        handleEvent: (event) => handleEvent(event),
        handleConnected(user) {
          handleConnected(user)
          if (performance.now() > missesFromMs) handleMissed()
          missesFromMs = 0
        },
        handleLost: () => handleLost(),
      })
    })
    return () => {
      isGone = true
      end?.()
      setConnected(false)
    }
  }, [api, channels, person, isOfDocument])
  return isConnected
}

let connectedAs: string | undefined

/** A connection belongs to whom the cookie named when it was opened. */
function beConnectedAs(found: Live, person: string): void {
  if (connectedAs !== undefined && connectedAs !== person) found.connectAnew()
  connectedAs = person
}

/** @returns undefined when its code cannot be loaded; whoever asks next tries again */
function findLive(api: Api): Promise<Live | undefined> {
  live ??= untilCalm()
    .then(() => import('./live.ts'))
    .then(({ makeLive }) => makeLive(api))
    .catch(() => {
      live = undefined
      return undefined
    })
  return live
}

async function untilCalm(): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise((resolve) => window.addEventListener('load', resolve, { once: true }))
  await new Promise<void>((resolve) => {
    // Not in every browser.
    if ('requestIdleCallback' in window)
      requestIdleCallback(() => resolve(), { timeout: CALM_WITHIN_MS })
    else setTimeout(resolve, 0)
  })
}
