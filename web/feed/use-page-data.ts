// What a page shows that is read as a whole: what the server sent with it, else asked for once, and
// kept for "Back". Knows nothing of how it looks.
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { useViewer } from '../accounts/viewer.tsx'
import { type Result, succeed } from '../api/client.ts'
import { useInitialData } from '../api/initial-data.ts'
import { useLoaded } from '../posts/use-loaded.ts'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import { useScrollRestoration } from '../ui/use-scroll-restoration.ts'
import { findPage, savePageSnapshot } from './post-lists.ts'

/** Of pages that visitors see; see `InitialData.userId`. */
export const VISITOR = ''

/** On a page for everybody: who looks. */
export function useViewerId(): string {
  return useViewer().userData?.$id ?? VISITOR
}

export type PageData<Value extends object> = ReturnType<typeof usePageData<Value>>

/**
 * Use it in a component whose key is the address and the viewer: it asks once for both.
 *
 * @param load is the same call that the server makes for this page
 */
export function usePageData<Value extends object>(load: () => Promise<Result<Value>>) {
  const viewerId = useViewerId()
  const { key, pathname, search } = useLocation()
  const isHydrated = useIsHydrated()
  const first = useInitialData<Value>(viewerId)
  const [name] = useState(`${viewerId} ${pathname}${search}`)
  const loaded = useLoaded<Result<Value>>(viewerId, load, () => {
    const kept = first || !isHydrated ? undefined : findPage<Value>(key, name)
    return kept ? succeed(kept) : first
  })
  const { value: result, change, retry } = loaded
  useEffect(() => {
    if (result?.ok) savePageSnapshot(key, name, result.value)
  }, [key, name, result])
  useScrollRestoration({ isThere: result !== undefined, isOpened: true })
  return { result, retry, change: (value: Value) => change(succeed(value)) }
}

// Moves the focus to the title of a page of a list.

/**
 * The shell moves the focus when the path changes; from page to page only the query does.
 *
 * @param isThere whether the title is there yet
 * @returns for the title
 */
export function useTitleFocus(isThere = true): RefObject<HTMLHeadingElement | null> {
  const title = useRef<HTMLHeadingElement>(null)
  const how = useNavigationType()
  const moveFocus = useEffectEvent(() => {
    if (how === 'PUSH' && document.activeElement === document.body)
      title.current?.focus({ preventScroll: true })
  })
  useEffect(() => moveFocus(), [isThere])
  return title
}
