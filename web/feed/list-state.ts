// What a page with posts shows: what came with the document, what was there when this entry of the
// history was left, or what it asks for; keeps it for "Back". And where the focus and the scroll
// position go. Independent of how it looks.
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigationType, useSearchParams } from 'react-router'
import { useViewer } from '../accounts/viewer.tsx'
import { type Result, succeed } from '../api/client.ts'
import { useInitialData } from '../api/initial-data.ts'
import { texts } from '../locales/texts.ts'
import { useLoaded } from '../posts/use-loaded.ts'
import { snapshots } from '../ui/history-snapshots.ts'
import { useAnnounce } from '../ui/live-region.tsx'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import {
  findPage,
  keepList,
  type ListKey,
  type ListState,
  restoreList,
  savePageSnapshot,
} from './post-lists.ts'

/** Of pages that guests see; see `InitialData.userId`. */
export const VISITOR = ''

/** On a page for everybody: who looks. */
export function useViewerId(): string {
  return useViewer().userData?.$id ?? VISITOR
}

/** Id of the post behind which the page of a list begins; undefined on the first page. */
export function useAfter(): string | undefined {
  return useSearchParams()[0].get('after') || undefined
}

export type PageData<Value extends object> = ReturnType<typeof usePageData<Value>>

/**
 * A page that is read as a whole. Another address or another viewer mounts it anew
 * (shell/guard.tsx): it asks once for both.
 *
 * @param load the same call that the server makes for this page
 */
export function usePageData<Value extends object>(
  load: (after: string | undefined) => Promise<Result<Value>>,
) {
  const viewerId = useViewerId()
  const after = useAfter()
  const { key, pathname, search } = useLocation()
  const isHydrated = useIsHydrated()
  const first = useInitialData<Value>(viewerId)
  const name = `${viewerId} ${pathname}${search}`
  const loaded = useLoaded<Result<Value>>(
    viewerId,
    () => load(after),
    () => {
      const kept = first || !isHydrated ? undefined : findPage<Value>(key, name)
      return kept ? succeed(kept) : first
    },
  )
  const { value: result, change, retry } = loaded
  useEffect(() => {
    if (result?.ok) savePageSnapshot(key, name, result.value)
  }, [key, name, result])
  useScrollRestoration({ isThere: result !== undefined, isOpened: true })
  return {
    after,
    result,
    page: result?.ok ? result.value : undefined,
    retry,
    change: (value: Value) => change(succeed(value)),
  }
}

/**
 * The posts of a list that grows page by page.
 *
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
  // The first render repeats the server's, which does not know how far the reader had come, and may
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

type Shown = {
  /** Whether the page shows, as soon as it is opened, what it showed before. */
  isThere: boolean
  /** False as long as more of that is to come before the next paint. */
  isOpened: boolean
}

/**
 * Scrolls back to where a page was left, after another document was open in between. Within one
 * document the router does so; after that it scrolls while the page is still empty.
 */
function useScrollRestoration({ isThere, isOpened }: Shown): void {
  const { key } = useLocation()
  const [firstKey] = useState(key)
  useLayoutEffect(() => {
    if (!isOpened) return
    const y = snapshots.takeScroll(firstKey)
    if (isThere && y !== undefined) window.scrollTo(0, y)
  }, [firstKey, isThere, isOpened])
}

/**
 * The focus after "Load more": it goes to the first new entry, or to the text that there are no more.
 * The button that was pressed may be gone by then.
 *
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

/**
 * Moves the focus to the title. The shell moves the focus when the path changes; from page to page only the query does.
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
