// Polls while the user is active on the page: the longer there is no input, the less often.
import { useEffect, useEffectEvent } from 'react'

const INPUT_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'scroll', 'touchmove']
/** After this time without input, the user counts as away. */
const AWAY_AFTER_MS = 10 * 60_000

/** @param options `everyMs` is the shortest interval, which grows while there is no input */
export function usePolling(
  check: () => void,
  { isOn, everyMs }: { isOn: boolean; everyMs: number },
): void {
  const checkNow = useEffectEvent(check)
  useEffect(() => {
    if (!isOn) return
    let inputAtMs = performance.now()
    let checkedAtMs = inputAtMs
    const recordInput = () => {
      inputAtMs = performance.now()
    }
    const timer = setInterval(() => {
      const nowMs = performance.now()
      const idleMs = nowMs - inputAtMs
      const isDue = nowMs - checkedAtMs >= Math.max(everyMs * 0.9, idleMs / 4)
      if (!isDue || idleMs > AWAY_AFTER_MS || document.hidden || !navigator.onLine) return
      checkedAtMs = nowMs
      checkNow()
    }, everyMs)
    for (const type of INPUT_EVENTS) window.addEventListener(type, recordInput, { passive: true })
    return () => {
      clearInterval(timer)
      for (const type of INPUT_EVENTS) window.removeEventListener(type, recordInput)
    }
  }, [isOn, everyMs])
}
