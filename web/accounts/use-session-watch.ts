// Detects that the session of this page has ended, or that another user has signed in: every
// response from the server names its viewer. Checks again when the tab becomes visible and the last
// check is old, and when another tab signs in or out.
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import type { Account } from '#contract/accounts.ts'
import { viewerFingerprint } from '#contract/ids.ts'
import type { Api } from '../api/client.ts'
import { onResponse, type ResponseMetadata } from '../api/response-metadata.ts'
import { openChannel } from '../head/device-storage.ts'
import { usePageEvent } from '../ui/use-page-event.ts'
import { pingForViewer } from './accounts-api.ts'

const CHANNEL = 'viewer'
/** A tab that becomes visible checks again if its last check is older than this. */
const RECHECK_AFTER_MS = 60_000

type SessionWatchOptions = {
  api: Api
  /** The viewer of the page; undefined for a guest. */
  userId: string | undefined
  isChecking: boolean
  /** The number of calls to `refresh` that are running. */
  runningChecks: RefObject<number>
  refresh: () => Promise<Account | null>
  handleSessionEnded: () => void
}

export function useSessionWatch({
  api,
  userId,
  isChecking,
  runningChecks,
  refresh,
  handleSessionEnded,
}: SessionWatchOptions): void {
  const checkedAtMs = useRef(0)
  async function check(): Promise<void> {
    if (userId === undefined || runningChecks.current > 0) return
    checkedAtMs.current = performance.now()
    await refresh()
  }
  const handleResponse = useEffectEvent(({ status, viewer }: ResponseMetadata) => {
    const isSame = viewer === null ? status !== 401 : viewer === viewerFingerprint(userId)
    if (isSame) return undefined
    if (status >= 400 || viewer !== viewerFingerprint(undefined)) return check()
    // A successful response to a guest proves that the session has ended.
    if (runningChecks.current === 0) handleSessionEnded()
    return undefined
  })
  const handleOtherTab = useEffectEvent((otherId: unknown) => {
    if (otherId === (userId ?? '')) return
    if (otherId === '') void pingForViewer(api)
    else void check()
  })
  usePageEvent('visibilitychange', () => {
    const isDue = performance.now() - checkedAtMs.current > RECHECK_AFTER_MS
    if (document.visibilityState === 'visible' && isDue) void check()
  })
  usePageEvent('pageshow', ({ persisted }) => {
    if (persisted) void check()
  })

  useEffect(() => onResponse((response) => handleResponse(response)), [])
  useEffect(() => {
    checkedAtMs.current = performance.now()
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
