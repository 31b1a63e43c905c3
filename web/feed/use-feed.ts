// Loads the feed page by page, fetches the next one ahead, and keeps what was loaded for the way
// back. Knows nothing of how it looks.

import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { FEED_PAGE_POSTS } from '#contract/limits.ts'
import { useApi } from '../api/api-context.tsx'
import type { Result } from '../api/result.ts'
import { excerptOf } from '../posts/plain-text.ts'
import { findContent, listFeed, type SummaryPage } from '../posts/posts-api.ts'
import { useScrollRestoration } from '../ui/use-scroll-restoration.ts'
import {
  addPage,
  cursorCandidates,
  emptyList,
  isCursorGone as isGone,
  keepList,
  type ListState,
  listAfter,
  restoreList,
} from './post-lists.ts'

const EXCERPT_MAX_CHARS = 360
/** The lead card shows its excerpt from this width on; below, its text is not fetched. */
const EXCERPT_SCREEN = '(min-width: 64em)'

export type Feed = {
  /** undefined until the first page is there */
  state: ListState | undefined
  hasFailed: boolean
  /** The post behind which the feed should begin is not there any more. */
  isCursorGone: boolean
  isLoadingMore: boolean
  hasMoreFailed: boolean
  retry: () => void
  /** Adds the next page; answers how many posts came. */
  loadMore: () => Promise<number>
  /** Fetches the next page without showing it, so that `loadMore` is instant. */
  fetchAhead: () => void
}

/**
 * @param viewerId nothing is loaded without one (product.md §4)
 * @param from id of the post behind which the feed begins; at the newest one without it
 */
export function useFeed(viewerId: string | undefined, from: string | undefined): Feed {
  const api = useApi()
  const { key } = useLocation()
  const [state, setState] = useState(() =>
    viewerId ? restoreList(key, { list: 'feed', viewerId, after: from }) : undefined,
  )
  const [hasFailed, setFailed] = useState(false)
  const [isCursorGone, setMarkerGone] = useState(false)
  const [isLoadingMore, setLoadingMore] = useState(false)
  const [hasMoreFailed, setMoreFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const ahead = useRef<{ after: string; page: Promise<Result<SummaryPage>> } | undefined>(undefined)
  const isBusy = useRef(false)

  useEffect(() => {
    if (state) keepList(key, state)
  }, [key, state])
  useScrollRestoration(state !== undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt, not a new state, is what loads again
  useEffect(() => {
    if (!viewerId || state?.viewerId === viewerId) return
    let isCurrent = true
    setFailed(false)
    void listFeed(api, from).then((page) => {
      if (!isCurrent) return
      if (!page.ok)
        return from !== undefined && isGone(page.failure) ? setMarkerGone(true) : setFailed(true)
      const first = addPage(emptyList({ list: 'feed', viewerId, after: from }), page.value)
      setState(first)
      const lead = first.posts[0]
      if (from !== undefined || !lead || !matchMedia(EXCERPT_SCREEN).matches) return
      void findContent(api, lead.$id).then((html) => {
        if (!isCurrent || !html) return
        setState((now) =>
          now?.posts[0]?.$id === lead.$id
            ? { ...now, excerpt: excerptOf(html, EXCERPT_MAX_CHARS) }
            : now,
        )
      })
    })
    return () => {
      isCurrent = false
    }
  }, [api, viewerId, attempt])

  function nextPage(): Promise<Result<SummaryPage>> {
    const markers = cursorCandidates(state?.posts ?? [], FEED_PAGE_POSTS)
    const [after = ''] = markers
    if (ahead.current?.after !== after)
      ahead.current = { after, page: listAfter((marker) => listFeed(api, marker), markers) }
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

  return {
    state: state?.viewerId === viewerId ? state : undefined,
    hasFailed,
    isCursorGone,
    isLoadingMore,
    hasMoreFailed,
    retry: () => setAttempt(attempt + 1),
    loadMore,
    fetchAhead: () => {
      if (!state || state.isEnd) return
      void nextPage().then((page) => {
        if (!page.ok) ahead.current = undefined // the press asks again
      })
    },
  }
}
