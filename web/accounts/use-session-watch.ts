// Notices that the session of this page has ended, or that another user has signed in: every
// response of the server names its viewer. Asks again when the tab was hidden for long, and when
// another tab signs in or out.
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import type { Account } from '#contract/accounts.ts'
import { viewerFingerprint } from '#contract/ids.ts'
import type { Api } from '../api/client.ts'
import { onResponse, type ResponseMetadata } from '../api/response-metadata.ts'
import { openChannel } from '../head/device-storage.ts'
import { usePageEvent } from '../ui/use-page-event.ts'
import { pingForViewer } from './accounts-api.ts'

const CHANNEL = 'viewer'
/** A tab that comes to the front asks again when the last answer is older. */
const ASKED_FOR_MS = 60_000

type SessionWatchOptions = {
  api: Api
  /** The user whose page it is; undefined for a guest. */
  userId: string | undefined
  isChecking: boolean
  /** How many calls that ask who is signed in are running. */
  asking: RefObject<number>
  refresh: () => Promise<Account | null>
  handleSessionEnded: () => void
}

export function useSessionWatch({
  api,
  userId,
  isChecking,
  asking,
  refresh,
  handleSessionEnded,
}: SessionWatchOptions): void {
  const askedAtMs = useRef(0)
  async function ask(): Promise<void> {
    if (userId === undefined || asking.current > 0) return
    askedAtMs.current = performance.now()
    await refresh()
  }
  const handleResponse = useEffectEvent(({ status, viewer }: ResponseMetadata) => {
    const isSame = viewer === null ? status !== 401 : viewer === viewerFingerprint(userId)
    if (isSame) return undefined
    if (status >= 400 || viewer !== viewerFingerprint(undefined)) return ask()
    // A successful response to a guest is proof enough.
    if (asking.current === 0) handleSessionEnded()
    return undefined
  })
  const handleOtherTab = useEffectEvent((otherId: unknown) => {
    if (otherId === (userId ?? '')) return
    if (otherId === '') void pingForViewer(api)
    else void ask()
  })
  usePageEvent('visibilitychange', () => {
    const isDue = performance.now() - askedAtMs.current > ASKED_FOR_MS
    if (document.visibilityState === 'visible' && isDue) void ask()
  })
  usePageEvent('pageshow', ({ persisted }) => {
    if (persisted) void ask()
  })

  useEffect(() => onResponse((answer) => handleResponse(answer)), [])
  useEffect(() => {
    askedAtMs.current = performance.now()
    const channel = openChannel(CHANNEL)
    channel?.addEventListener('message', ({ data }) => handleOtherTab(data))
    return () => channel?.close()
  }, [])
  useEffect(() => {
    if (isChecking) return
    const channel = openChannel(CHANNEL)
    channel?.postMessage(userId ?? '')
    channel?.close()
  }, [userId, isChecking])
}
