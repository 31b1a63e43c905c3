// What a page with posts shows: what came with the document, what was there when this entry of the
// history was left, or what it asks for; keeps it for "Back". And where the focus and the scroll
// position go. Independent of how it looks.
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigationType, useSearchParams } from 'react-router'
import { useViewer } from '../accounts/viewer.tsx'
import { type Result, succeed } from '../api/client.ts'
import { snapshots } from '../api/history-snapshots.ts'
import { useInitialData } from '../api/initial-data.ts'
import { texts } from '../locales/texts.ts'
import type { SummaryPage } from '../posts/posts-api.ts'
import { useAnnounce } from '../ui/live-region.tsx'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import {
  addPage,
  cursorCandidates,
  emptyList,
  findPage,
  keepList,
  type ListKey,
  type ListState,
  listAfter,
  restoreList,
  savePageSnapshot,
} from './post-lists.ts'
import { useLoaded } from './use-loaded.ts'

/** The user id of guests; see `InitialData.userId`. */
export const VISITOR = ''

/** The viewer of a page for everybody. */
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

type PostListOptions = {
  /** What the server loaded with the page, if it did. */
  first: Result<Omit<ListState, 'viewerId'>> | undefined
  pageSize: number
  listFrom: (after: string | undefined) => Promise<Result<SummaryPage>>
  /** The beginning of the text of the first post, when the list was asked for here. */
  findExcerpt?: (list: ListState) => Promise<string | undefined>
}

export type PostList = ReturnType<typeof usePostList>

/**
 * The posts of a list that grows page by page.
 *
 * @param name undefined for a guest: then nothing is loaded (product.md §4)
 * @returns `state` is undefined until the first page is there
 */
export function usePostList(name: ListKey | undefined, needs: PostListOptions) {
  const { first, pageSize, listFrom, findExcerpt } = needs
  const { key } = useLocation()
  const isHydrated = useIsHydrated()
  const [state, setState] = useState(() => {
    if (!name) return undefined
    if (!first) return isHydrated ? restoreList(key, name) : undefined
    return first.ok ? { ...first.value, viewerId: name.viewerId } : undefined
  })
  const [failure, setFailure] = useState(first?.ok === false ? first.failure : undefined)
  const [isLoading, setLoading] = useState(false)
  /** Whether what was kept is in `state`: nothing is asked for before. */
  const [isOpened, setOpened] = useState(!first && isHydrated)
  const ahead = useRef<{ after: string; page: Promise<Result<SummaryPage>> } | undefined>(undefined)
  // The first render repeats the server's, which does not know how far the reader had come, and may
  // not have had the list in time.
  const restoreMore = useEffectEvent(() => {
    const left = name && !isOpened ? restoreList(key, name) : undefined
    if (left && left.posts.length > (state?.posts.length ?? 0)) {
      setState(left)
      setFailure(undefined)
    }
    setOpened(true)
  })
  useLayoutEffect(() => restoreMore(), [])
  const loadFirst = useEffectEvent(() => {
    if (isOpened && !state && !failure) void load()
  })
  useEffect(() => loadFirst(), [isOpened])
  useEffect(() => {
    if (state && isOpened) keepList(key, state)
  }, [key, state, isOpened])
  useScrollRestoration({ isThere: state !== undefined, isOpened })

  function nextPage(): Promise<Result<SummaryPage>> {
    const start = name?.after === undefined ? [] : [name.after]
    const cursors = state ? cursorCandidates(state.posts, pageSize) : start
    const [after = ''] = cursors
    if (ahead.current?.after !== after)
      ahead.current = { after, page: listAfter(listFrom, cursors) }
    return ahead.current.page
  }
  /** Adds the next page. @returns how many posts were added */
  async function load(): Promise<number> {
    if (!name || state?.isLast || isLoading) return 0
    setLoading(true)
    setFailure(undefined)
    const page = await nextPage()
    ahead.current = undefined
    setLoading(false)
    if (!page.ok) {
      setFailure(page.failure)
      return 0
    }
    const next = addPage(state ?? emptyList(name), page.value)
    setState((now) => (now?.excerpt ? { ...next, excerpt: now.excerpt } : next))
    if (!state) void addExcerpt(next)
    return next.posts.length - (state?.posts.length ?? 0)
  }
  async function addExcerpt(list: ListState): Promise<void> {
    const excerpt = await findExcerpt?.(list)
    const lead = list.posts[0]?.$id
    if (excerpt) setState((now) => (now && now.posts[0]?.$id === lead ? { ...now, excerpt } : now))
  }
  /** Fetches the next page without showing it, so that `load` is instant. */
  function prefetch(): void {
    if (!state || state.isLast) return
    void nextPage().then((page) => {
      if (!page.ok) ahead.current = undefined // a press on the button tries again
    })
  }
  return { state, setState, failure, isLoading, load, prefetch }
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
 * The focus after "Load more": it goes to the first new entry, or to the text that there are no
 * more. The button that was pressed may be gone by then.
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
  const isLast = state?.isLast ?? false
  const { list, end } = refs

  // The entries are on screen only after the render: the focus follows then.
  useEffect(() => {
    if (firstNew.current === undefined) return
    const entry = count > firstNew.current ? list.current?.children[firstNew.current] : undefined
    if (!entry && !isLast) return
    firstNew.current = undefined
    const link = entry?.querySelector<HTMLElement>(':is(h2, h3) a') ?? end.current
    link?.focus()
  }, [count, isLast, list, end])

  return async function askMore(load: () => Promise<number>): Promise<void> {
    firstNew.current = count
    const added = await load()
    if (added > 0) announce(texts.feed.moreLoaded(added))
  }
}

/**
 * Moves the focus to the title. The shell does so when the path changes; from page to page only the
 * query does.
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
