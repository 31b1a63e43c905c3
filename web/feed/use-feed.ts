// Loads the feed page by page, fetches the next one ahead, and keeps what was loaded for "Back".
// Knows nothing of how it looks.
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { FEED_PAGE_POSTS } from '#web/posts/posts-api.ts'
import { type Result, useApi } from '../api/client.ts'
import { useInitialData } from '../api/initial-data.ts'
import { listFeed, type SummaryPage } from '../posts/posts-api.ts'
import { type FirstFeed, findLeadExcerpt } from './feed-loader.ts'
import { useListState } from './list-state.ts'
import {
  addPage,
  cursorCandidates,
  emptyList,
  isCursorGone as isGone,
  type ListKey,
  listAfter,
} from './post-lists.ts'

export type Feed = ReturnType<typeof useFeed>
type Loaded = ReturnType<typeof useListState>

/**
 * @param viewerId nothing is loaded without one (product.md §4)
 * @param from id of the post behind which the feed begins; at the newest one without it
 * @returns `state` is undefined until the first page is there
 */
export function useFeed(viewerId: string | undefined, from: string | undefined) {
  const first = useInitialData<FirstFeed>(viewerId)
  const name: ListKey | undefined = viewerId ? { list: 'feed', viewerId, after: from } : undefined
  const loaded = useListState(name, first)
  const [state, setState] = loaded
  const firstPage = useFirstPage({ viewerId, from, hasFailedAtFirst: first?.ok === false }, loaded)
  const morePages = useMorePages(loaded)
  return {
    state: state?.viewerId === viewerId ? state : undefined,
    setState,
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
) {
  const api = useApi()
  const [hasFailed, setFailed] = useState(hasFailedAtFirst)
  const [isCursorGone, setCursorGone] = useState(false)
  const [attempt, setAttempt] = useState(0)

  const loadFirst = useEffectEvent(() => {
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
  })
  useEffect(() => loadFirst(), [api, viewerId, isOpened, attempt])
  return { hasFailed, isCursorGone, retry: () => setAttempt(attempt + 1) }
}

function useMorePages([state, setState]: Loaded) {
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

  /** Adds the next page; answers how many posts came. */
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

  /** Fetches the next page without showing it, so that `loadMore` is instant. */
  function fetchAhead() {
    if (!state || state.isEnd) return
    void nextPage().then((page) => {
      if (!page.ok) ahead.current = undefined // a press on the button tries again
    })
  }
  return { isLoadingMore, hasMoreFailed, loadMore, fetchAhead }
}
