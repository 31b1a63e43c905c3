// Polls the state of something that the server works on: rarely while the page is hidden, and less
// and less often while the server does not answer.
import { useEffect, useEffectEvent } from 'react'

const POLL_MS = 1500
const HIDDEN_POLL_MS = 15_000
const MAX_POLL_MS = 30_000

/**
 * @param id of the import or export; undefined while the server works on none
 * @param read gets whether the previous attempt failed, and returns whether it succeeded
 */
export function usePollingWhile(
  id: string | undefined,
  read: (wasLost: boolean) => Promise<boolean>,
): void {
  const readNow = useEffectEvent(read)
  useEffect(() => {
    if (id === undefined) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let failures = 0
    let isStopped = false
    const schedule = () => {
      clearTimeout(timer)
      const pauseMs = document.hidden ? HIDDEN_POLL_MS : POLL_MS
      timer = setTimeout(() => void run(), Math.min(MAX_POLL_MS, pauseMs * 2 ** failures))
    }
    async function run() {
      const isOk = await readNow(failures > 0)
      failures = isOk ? 0 : failures + 1
      if (!isStopped) schedule()
    }
    const handleShown = () => {
      if (!document.hidden) schedule()
    }
    document.addEventListener('visibilitychange', handleShown)
    schedule()
    return () => {
      isStopped = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', handleShown)
    }
  }, [id])
}
