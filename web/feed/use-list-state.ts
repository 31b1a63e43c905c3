// The posts that a list shows: at first those that came with the document, or those that were there
// when this entry of the history was left. Keeps them for "Back".
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import type { Result } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { useAnnounce } from '../ui/live-region.tsx'
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

// Where the focus goes after "Load more": to the first new entry, or to the text that there are no
// more. The button that was pressed may be gone by then.

/**
 * @param refs `list` holds the entries, each with a link in its heading; `end` takes the focus when
 *   nothing came
 * @returns a function for a press on "Load more"; its `load` answers how many posts were added
 */
export function useMoreFocus(
  state: ListState | undefined,
  refs: { list: RefObject<HTMLElement | null>; end: RefObject<HTMLElement | null> },
) {
  const announce = useAnnounce()
  const firstNew = useRef<number | undefined>(undefined)
  const count = state?.posts.length ?? 0
  const isEnd = state?.isEnd ?? false
  const { list, end } = refs

  // The entries are on screen only after the render: the focus follows then.
  useEffect(() => {
    if (firstNew.current === undefined) return
    const entry = count > firstNew.current ? list.current?.children[firstNew.current] : undefined
    if (!entry && !isEnd) return
    firstNew.current = undefined
    const link = entry?.querySelector<HTMLElement>(':is(h2, h3) a') ?? end.current
    link?.focus()
  }, [count, isEnd, list, end])

  return async function askMore(load: () => Promise<number>): Promise<void> {
    firstNew.current = count
    const added = await load()
    if (added > 0) announce(texts.feed.moreLoaded(added))
  }
}
