// Loads something once for each key.
import { useEffect, useEffectEvent, useState } from 'react'

/**
 * @param key what is loaded, and for whom; another key begins anew, undefined loads nothing
 * @param first what is known of it already
 * @returns `value` is undefined while it is asked for
 */
export function useLoaded<Value>(
  key: string | undefined,
  load: () => Promise<Value>,
  first?: Value | (() => Value | undefined),
) {
  const [answer, setAnswer] = useState<{ key: string | undefined; value: Value } | undefined>(
    () => {
      const value = first instanceof Function ? first() : first
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
    /** For what has become of it meanwhile; too late once another key is shown. */
    change: (value: Value) => setAnswer((now) => (now && now.key !== key ? now : { key, value })),
    /** Asks again after a failure. */
    retry() {
      setAnswer(undefined)
      setAttempt(attempt + 1)
    },
  }
}
