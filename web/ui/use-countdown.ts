// Whole seconds until something may be done again. Knows nothing of the product.
import { useCallback, useEffect, useState } from 'react'

const TICK_MS = 250

/** @returns the seconds left, 0 when there is nothing to wait for, and how to start over */
export function useCountdown(seconds: number): [secondsLeft: number, start: () => void] {
  const [untilMs, setUntilMs] = useState(0)
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (!untilMs) return
    // By the clock, not by counted ticks: a page in the background gets few of them.
    const timer = setInterval(() => {
      const now = Math.max(0, Math.ceil((untilMs - Date.now()) / 1000))
      setLeft(now)
      if (now === 0) setUntilMs(0)
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [untilMs])
  const start = useCallback(() => {
    setUntilMs(Date.now() + seconds * 1000)
    setLeft(seconds)
  }, [seconds])
  return [left, start]
}
