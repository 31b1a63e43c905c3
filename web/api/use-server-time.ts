// The time of the server, for parts that follow it.
import { useEffect, useState } from 'react'
import { serverNowMs } from './server-clock.ts'

/** @returns milliseconds since 1970, read again at this interval */
export function useServerTime(everyMs: number): number {
  const [nowMs, setNowMs] = useState(serverNowMs)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(serverNowMs()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return nowMs
}
