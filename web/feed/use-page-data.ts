// What a page shows that is read as a whole: what the server sent with it, else asked for once, and
// kept for "Back". Knows nothing of how it looks.
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { useFirstData } from '../api/first-data.ts'
import type { Result } from '../api/result.ts'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import { useScrollRestoration } from '../ui/use-scroll-restoration.ts'
import { findPage, keepPage } from './kept-pages.ts'

/** Of pages that visitors see; see `FirstData.userId`. */
export const VISITOR = ''

export type PageData<Value> = {
  /** undefined while it is asked for */
  result: Result<Value> | undefined
  /** Asks again after a failure. */
  retry: () => void
  /** For what has become of it meanwhile. */
  change: (value: Value) => void
}

/**
 * Use it in a component whose key is the address and the viewer: it asks once for both.
 *
 * @param viewerId `VISITOR` for visitors; undefined while it is not known who is looking
 * @param load is the same call that the server makes for this page
 */
export function usePageData<Value extends object>(
  viewerId: string | undefined,
  load: () => Promise<Result<Value>>,
): PageData<Value> {
  const { key, pathname, search } = useLocation()
  const isHydrated = useIsHydrated()
  const first = useFirstData<Value>(viewerId)
  const [name] = useState(`${viewerId} ${pathname}${search}`)
  const [result, setResult] = useState<Result<Value> | undefined>(() => {
    if (first) return first
    const kept = isHydrated ? findPage<Value>(key, name) : undefined
    return kept && { ok: true, value: kept }
  })
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each attempt
  useEffect(() => {
    if (result || viewerId === undefined) return
    let isCurrent = true
    void load().then((found) => {
      if (isCurrent) setResult(found)
    })
    return () => {
      isCurrent = false
    }
  }, [attempt, viewerId])
  useEffect(() => {
    if (result?.ok) keepPage(key, name, result.value)
  }, [key, name, result])
  useScrollRestoration({ isThere: result !== undefined, isOpened: true })
  return {
    result,
    retry() {
      setResult(undefined)
      setAttempt(attempt + 1)
    },
    change: (value) => setResult({ ok: true, value }),
  }
}
