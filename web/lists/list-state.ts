// Provides the data of a page with posts: from the document, from the snapshot of this history
// entry, or from the server. Stores snapshots for "Back", and moves the focus and the scroll
// position. Independent of how the page looks.
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
  findListSnapshot,
  findPageSnapshot,
  type ListKey,
  type ListState,
  listAfter,
  saveListSnapshot,
  savePageSnapshot,
} from './post-lists.ts'
import { useLoaded } from './use-loaded.ts'

/** The user id of visitors; see `InitialData.userId`. */
export const VISITOR = ''

/** The id of the viewer; {@link VISITOR} if nobody is signed in. */
export function useViewerId(): string {
  return useViewer().userData?.$id ?? VISITOR
}

/** The id of the post after which this page of a list begins; undefined on the first page. */
export function useAfter(): string | undefined {
  return useSearchParams()[0].get('after') || undefined
}

export type PageData<Value extends object> = ReturnType<typeof usePageData<Value>>

/**
 * The data of one page of a list with page links. They are loaded once: for another address or
 * viewer, shell/guard.tsx mounts the page again.
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
  const initial = useInitialData<Value>(viewerId)
  const pageName = `${viewerId} ${pathname}${search}`
  const loaded = useLoaded<Result<Value>>(
    viewerId,
    () => load(after),
    () => {
      const snapshot = initial || !isHydrated ? undefined : findPageSnapshot<Value>(key, pageName)
      return snapshot ? succeed(snapshot) : initial
    },
  )
  const { value: result, change, retry } = loaded
  useEffect(() => {
    if (result?.ok) savePageSnapshot(key, pageName, result.value)
  }, [key, pageName, result])
  useScrollRestoration({ hasContent: result !== undefined, isRestored: true })
  return {
    after,
    result,
    page: result?.ok ? result.value : undefined,
    retry,
    change: (value: Value) => change(succeed(value)),
  }
}

type PostListOptions = {
  /** The first posts or the failure, if the server sent them with the document. */
  initial: Result<Omit<ListState, 'viewerId'>> | undefined
  pageSize: number
  listFrom: (after: string | undefined) => Promise<Result<SummaryPage>>
  /** Loads an excerpt of the first post. Called when the browser itself has loaded the list. */
  findExcerpt?: (list: ListState) => Promise<string | undefined>
}

export type PostList = ReturnType<typeof usePostList>

/**
 * The posts of a list that grows page by page.
 *
 * @param listKey undefined for a visitor: then nothing is loaded (product.md §4)
 * @returns `state` is undefined until the first page is loaded
 */
export function usePostList(listKey: ListKey | undefined, options: PostListOptions) {
  const { initial, pageSize, listFrom, findExcerpt } = options
  const { key } = useLocation()
  const isHydrated = useIsHydrated()
  const [state, setState] = useState(() => {
    if (!listKey) return undefined
    if (!initial) return isHydrated ? findListSnapshot(key, listKey) : undefined
    return initial.ok ? { ...initial.value, viewerId: listKey.viewerId } : undefined
  })
  const [failure, setFailure] = useState(initial?.ok === false ? initial.failure : undefined)
  const [isLoading, setLoading] = useState(false)
  /** Whether the snapshot, if there is one, is in `state`. Nothing is loaded before that. */
  const [isRestored, setRestored] = useState(!initial && isHydrated)
  const prefetched = useRef<{ after: string; page: Promise<Result<SummaryPage>> } | undefined>(
    undefined,
  )
  // The first render has to equal the server's, which has no snapshot and may not have had the list
  // in time.
  const restore = useEffectEvent(() => {
    const snapshot = listKey && !isRestored ? findListSnapshot(key, listKey) : undefined
    if (snapshot && snapshot.posts.length > (state?.posts.length ?? 0)) {
      setState(snapshot)
      setFailure(undefined)
    }
    setRestored(true)
  })
  useLayoutEffect(() => restore(), [])
  const loadFirst = useEffectEvent(() => {
    if (isRestored && !state && !failure) void load()
  })
  useEffect(() => loadFirst(), [isRestored])
  useEffect(() => {
    if (state && isRestored) saveListSnapshot(key, state)
  }, [key, state, isRestored])
  useScrollRestoration({ hasContent: state !== undefined, isRestored })

  function nextPage(): Promise<Result<SummaryPage>> {
    const start = listKey?.after === undefined ? [] : [listKey.after]
    const cursors = state ? cursorCandidates(state.posts, pageSize) : start
    const [after = ''] = cursors
    if (prefetched.current?.after !== after)
      prefetched.current = { after, page: listAfter(listFrom, cursors) }
    return prefetched.current.page
  }
  /** Adds the next page. @returns how many posts were added */
  async function load(): Promise<number> {
    if (!listKey || state?.isLast || isLoading) return 0
    setLoading(true)
    setFailure(undefined)
    const page = await nextPage()
    prefetched.current = undefined
    setLoading(false)
    if (!page.ok) {
      setFailure(page.failure)
      return 0
    }
    const extended = addPage(state ?? emptyList(listKey), page.value)
    setState((current) => (current?.excerpt ? { ...extended, excerpt: current.excerpt } : extended))
    if (!state) void addExcerpt(extended)
    return extended.posts.length - (state?.posts.length ?? 0)
  }
  async function addExcerpt(list: ListState): Promise<void> {
    const excerpt = await findExcerpt?.(list)
    const leadId = list.posts[0]?.$id
    if (excerpt)
      setState((current) =>
        current && current.posts[0]?.$id === leadId ? { ...current, excerpt } : current,
      )
  }
  /** Fetches the next page without showing it, so that `load` is instant. */
  function prefetch(): void {
    if (!state || state.isLast) return
    void nextPage().then((page) => {
      if (!page.ok) prefetched.current = undefined // a press on the button tries again
    })
  }
  return { state, setState, failure, isLoading, load, prefetch }
}

type PageContent = {
  hasContent: boolean
  /** False while a snapshot may still be restored before the next paint. */
  isRestored: boolean
}

/**
 * Restores the scroll position of a page after another document was open in between. Within one
 * document the router does this; in a new document it would scroll while the page is still empty.
 */
function useScrollRestoration({ hasContent, isRestored }: PageContent): void {
  const { key } = useLocation()
  const [firstKey] = useState(key)
  useLayoutEffect(() => {
    if (!isRestored) return
    const y = snapshots.takeScroll(firstKey)
    if (hasContent && y !== undefined) window.scrollTo(0, y)
  }, [firstKey, hasContent, isRestored])
}

/**
 * Moves the focus after "Load more" to the first new entry, or to the text that says that there are
 * no more entries. The button that was pressed may be gone by then.
 *
 * @param refs `list` has the entries, each with a link in its heading; `end` gets the focus when
 *   nothing was added
 * @returns a function to call with `load` when "Load more" is pressed; `load` resolves to the
 *   number of added posts
 */
export function useMoreFocus(
  state: ListState | undefined,
  refs: { list: RefObject<HTMLElement | null>; end: RefObject<HTMLElement | null> },
) {
  const announce = useAnnounce()
  const firstNewIndex = useRef<number | undefined>(undefined)
  const count = state?.posts.length ?? 0
  const isLast = state?.isLast ?? false
  const { list, end } = refs

  // The new entries are on the screen only after the render.
  useEffect(() => {
    if (firstNewIndex.current === undefined) return
    const entry =
      count > firstNewIndex.current ? list.current?.children[firstNewIndex.current] : undefined
    if (!entry && !isLast) return
    firstNewIndex.current = undefined
    const link = entry?.querySelector<HTMLElement>(':is(h2, h3) a') ?? end.current
    link?.focus()
  }, [count, isLast, list, end])

  return async function loadMore(load: () => Promise<number>): Promise<void> {
    firstNewIndex.current = count
    const added = await load()
    if (added > 0) announce(texts.feed.moreLoaded(added))
  }
}

/**
 * Moves the focus to the title. The shell does this only when the path changes; from one page of a
 * list to the next only the query changes.
 *
 * @param isRendered whether the title is rendered already
 * @returns the ref of the title
 */
export function useTitleFocus(isRendered = true): RefObject<HTMLHeadingElement | null> {
  const title = useRef<HTMLHeadingElement>(null)
  const navigationType = useNavigationType()
  const moveFocus = useEffectEvent(() => {
    if (navigationType === 'PUSH' && document.activeElement === document.body)
      title.current?.focus({ preventScroll: true })
  })
  useEffect(() => moveFocus(), [isRendered])
  return title
}
