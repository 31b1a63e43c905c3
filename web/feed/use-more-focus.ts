// Where the focus goes after "Load more": to the first new entry, or to the text that there are no
// more. The button that was pressed may be gone by then.
import { type RefObject, useEffect, useRef } from 'react'
import { texts } from '../locales/texts.ts'
import { useAnnounce } from '../ui/live-region.tsx'
import type { ListState } from './post-lists.ts'

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
