// The posts that a list shows: at first those that came with the document, or those that were there
// when this entry of the history was left. Keeps them for "Back".
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { useLocation } from 'react-router'
import type { Result } from '../api/result.ts'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import { useScrollRestoration } from '../ui/use-scroll-restoration.ts'
import { keepList, type ListKey, type ListState, restoreList } from './post-lists.ts'

/**
 * @param name undefined while nobody is signed in
 * @param first what the server loaded with the page, if it did
 * @returns the state of React, undefined until something is loaded; and whether what was kept is in
 *   it: nothing is asked for before
 */
export function useListState(
  name: ListKey | undefined,
  first: Result<Omit<ListState, 'viewerId'>> | undefined,
) {
  const { key } = useLocation()
  const isHydrated = useIsHydrated()
  const [state, setState] = useState(() => {
    if (!name) return undefined
    if (!first) return isHydrated ? restoreList(key, name) : undefined
    return first.ok ? { ...first.value, viewerId: name.viewerId } : undefined
  })
  const [isOpened, setOpened] = useState(!first && isHydrated)
  // The first render repeats the server's, which does not know how far somebody had come, and may
  // not have had the list in time.
  const restoreMore = useEffectEvent(() => {
    const left = name && !isOpened ? restoreList(key, name) : undefined
    if (left && left.posts.length > (state?.posts.length ?? 0)) setState(left)
    setOpened(true)
  })
  useLayoutEffect(() => restoreMore(), [])
  useEffect(() => {
    if (state && isOpened) keepList(key, state)
  }, [key, state, isOpened])
  useScrollRestoration({ isThere: state !== undefined, isOpened })
  return [state, setState, isOpened] as const
}
