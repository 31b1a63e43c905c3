// Loads a value once for each key.
import { useEffect, useEffectEvent, useState } from 'react'

/**
 * @param key identifies the value and its viewer; a new key loads again, undefined loads nothing
 * @param initial the value, if it is known already
 * @returns `value` is undefined until it is loaded
 */
export function useLoaded<Value>(
  key: string | undefined,
  load: () => Promise<Value>,
  initial?: Value | (() => Value | undefined),
) {
  const [answer, setAnswer] = useState<{ key: string | undefined; value: Value } | undefined>(
    () => {
      const value = initial instanceof Function ? initial() : initial
      return value === undefined ? undefined : { key, value }
    },
  )
  const [attempt, setAttempt] = useState(0)
  const loadMissing = useEffectEvent(() => {
    if (key === undefined || answer?.key === key) return
    let isCurrent = true
    void load().then((value) => {
      if (isCurrent) setAnswer({ key, value })
    })
    return () => {
      isCurrent = false
    }
  })
  useEffect(() => loadMissing(), [key, attempt])
  return {
    value: answer?.key === key ? answer?.value : undefined,
    /** Replaces the value, unless the value of another key has been loaded since. */
    change: (value: Value) =>
      setAnswer((current) => (current && current.key !== key ? current : { key, value })),
    /** Loads again after a failure. */
    retry() {
      setAnswer(undefined)
      setAttempt(attempt + 1)
    },
  }
}
