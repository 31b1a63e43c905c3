// The posts that a list shows: at first those that came with the document, or those that were there
// when this entry of the history was left. Keeps them for "Back".
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { useLocation } from 'react-router'
import type { Result } from '../api/result.ts'
import { useScrollRestoration } from '../ui/use-scroll-restoration.ts'
import { keepList, type ListKey, type ListState, restoreList } from './post-lists.ts'

/**
 * @param name undefined while nobody is signed in
 * @param first what the server loaded with the page, if it did
 * @returns the state of React; undefined until something is loaded
 */
export function useListState(
  name: ListKey | undefined,
  first: Result<Omit<ListState, 'viewerId'>> | undefined,
) {
  const { key } = useLocation()
  const loaded = useState(() => {
    if (!name) return undefined
    if (!first) return restoreList(key, name)
    return first.ok ? { ...first.value, viewerId: name.viewerId } : undefined
  })
  const [state, setState] = loaded
  const [isOpened, setOpened] = useState(!first)
  // The first render repeats the server's, which does not know how far somebody had come.
  const restoreMore = useEffectEvent(() => {
    const left = name && first ? restoreList(key, name) : undefined
    if (left && left.posts.length > (state?.posts.length ?? 0)) setState(left)
    setOpened(true)
  })
  useLayoutEffect(() => restoreMore(), [])
  useEffect(() => {
    if (state && isOpened) keepList(key, state)
  }, [key, state, isOpened])
  useScrollRestoration({ isThere: state !== undefined, isOpened })
  return loaded
}
