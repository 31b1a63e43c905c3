// Loads the feed page by page, fetches the next one ahead, and keeps what was loaded for "Back".
// Knows nothing of how it looks.

import { useEffect, useRef, useState } from 'react'
import { FEED_PAGE_POSTS } from '#web/posts/posts-api.ts'
import { useApi } from '../api/api-context.tsx'
import { useFirstData } from '../api/first-data.ts'
import type { Result } from '../api/result.ts'
import { listFeed, type SummaryPage } from '../posts/posts-api.ts'
import { type FirstFeed, findLeadExcerpt } from './first-feed.ts'
import {
  addPage,
  cursorCandidates,
  emptyList,
  isCursorGone as isGone,
  type ListKey,
  type ListState,
  listAfter,
} from './post-lists.ts'
import { useListState } from './use-list-state.ts'
import { type NewPosts, useNewPosts } from './use-new-posts.ts'

export type Feed = {
  /** Those that came while the feed is open. */
  newPosts: NewPosts
  /** undefined until the first page is there */
  state: ListState | undefined
  hasFailed: boolean
  /** The post behind which the feed should begin was deleted. */
  isCursorGone: boolean
  isLoadingMore: boolean
  hasMoreFailed: boolean
  retry: () => void
  /** Adds the next page; answers how many posts came. */
  loadMore: () => Promise<number>
  /** Fetches the next page without showing it, so that `loadMore` is instant. */
  fetchAhead: () => void
}

type Loaded = ReturnType<typeof useListState>

/**
 * @param viewerId nothing is loaded without one (product.md §4)
 * @param from id of the post behind which the feed begins; at the newest one without it
 */
export function useFeed(viewerId: string | undefined, from: string | undefined): Feed {
  const first = useFirstData<FirstFeed>(viewerId)
  const name: ListKey | undefined = viewerId ? { list: 'feed', viewerId, after: from } : undefined
  const loaded = useListState(name, first)
  const [state, setState] = loaded
  const newPosts = useNewPosts(state, setState, from === undefined)
  const firstPage = useFirstPage({ viewerId, from, hasFailedAtFirst: first?.ok === false }, loaded)
  const morePages = useMorePages(loaded)
  return {
    state: state?.viewerId === viewerId ? state : undefined,
    newPosts,
    ...firstPage,
    ...morePages,
  }
}

type FirstPageOf = {
  viewerId: string | undefined
  from: string | undefined
  /** The server has asked already, and got no page. */
  hasFailedAtFirst: boolean
}

function useFirstPage(
  { viewerId, from, hasFailedAtFirst }: FirstPageOf,
  [state, setState, isOpened]: Loaded,
): Pick<Feed, 'hasFailed' | 'isCursorGone' | 'retry'> {
  const api = useApi()
  const [hasFailed, setFailed] = useState(hasFailedAtFirst)
  const [isCursorGone, setCursorGone] = useState(false)
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt, not a new state, is what loads again
  useEffect(() => {
    if (!isOpened || !viewerId || state?.viewerId === viewerId) return
    if (hasFailedAtFirst && attempt === 0) return
    let isCurrent = true
    async function load(userId: string) {
      const page = await listFeed(api, from)
      if (!isCurrent) return
      if (!page.ok)
        return from !== undefined && isGone(page.failure) ? setCursorGone(true) : setFailed(true)
      const first = addPage(emptyList({ list: 'feed', viewerId: userId, after: from }), page.value)
      setState(first)
      const lead = first.posts[0]
      const excerpt = from === undefined ? await findLeadExcerpt(api, first) : undefined
      if (!isCurrent || !lead || !excerpt) return
      setState((now) => (now?.posts[0]?.$id === lead.$id ? { ...now, excerpt } : now))
    }
    setFailed(false)
    void load(viewerId)
    return () => {
      isCurrent = false
    }
  }, [api, viewerId, isOpened, attempt])
  return { hasFailed, isCursorGone, retry: () => setAttempt(attempt + 1) }
}

function useMorePages([state, setState]: Loaded): Pick<
  Feed,
  'isLoadingMore' | 'hasMoreFailed' | 'loadMore' | 'fetchAhead'
> {
  const api = useApi()
  const [isLoadingMore, setLoadingMore] = useState(false)
  const [hasMoreFailed, setMoreFailed] = useState(false)
  const ahead = useRef<{ after: string; page: Promise<Result<SummaryPage>> } | undefined>(undefined)
  const isBusy = useRef(false)

  function nextPage(): Promise<Result<SummaryPage>> {
    const cursors = cursorCandidates(state?.posts ?? [], FEED_PAGE_POSTS)
    const [after = ''] = cursors
    if (ahead.current?.after !== after)
      ahead.current = { after, page: listAfter((cursor) => listFeed(api, cursor), cursors) }
    return ahead.current.page
  }

  async function loadMore(): Promise<number> {
    if (!state || state.isEnd || isBusy.current) return 0
    isBusy.current = true
    setLoadingMore(true)
    setMoreFailed(false)
    const page = await nextPage()
    ahead.current = undefined
    isBusy.current = false
    setLoadingMore(false)
    if (!page.ok) {
      setMoreFailed(true)
      return 0
    }
    const next = addPage(state, page.value)
    setState((now) => (now?.excerpt ? { ...next, excerpt: now.excerpt } : next))
    return next.posts.length - state.posts.length
  }

  function fetchAhead() {
    if (!state || state.isEnd) return
    void nextPage().then((page) => {
      if (!page.ok) ahead.current = undefined // a press on the button tries again
    })
  }
  return { isLoadingMore, hasMoreFailed, loadMore, fetchAhead }
}
