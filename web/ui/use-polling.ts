// Polls while the user is at the page, the more seldom the longer there was no input.
import { useEffect, useEffectEvent } from 'react'

const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'scroll', 'touchmove']
/** Without input for so long the user is taken to be away. */
const GONE_MS = 10 * 60_000

/** @param options `everyMs`: at most so often; the longer there was no input, the more seldom */
export function useRechecks(
  check: () => void,
  { isOn, everyMs }: { isOn: boolean; everyMs: number },
): void {
  const checkNow = useEffectEvent(check)
  useEffect(() => {
    if (!isOn) return
    let signAtMs = performance.now()
    let checkedAtMs = signAtMs
    const noteSign = () => {
      signAtMs = performance.now()
    }
    const timer = setInterval(() => {
      const nowMs = performance.now()
      const idleMs = nowMs - signAtMs
      const isDue = nowMs - checkedAtMs >= Math.max(everyMs * 0.9, idleMs / 4)
      if (!isDue || idleMs > GONE_MS || document.hidden || !navigator.onLine) return
      checkedAtMs = nowMs
      checkNow()
    }, everyMs)
    for (const sign of SIGNS) window.addEventListener(sign, noteSign, { passive: true })
    return () => {
      clearInterval(timer)
      for (const sign of SIGNS) window.removeEventListener(sign, noteSign)
    }
  }, [isOn, everyMs])
}
