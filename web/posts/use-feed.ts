// Loads the feed page by page, fetches the next one ahead, and keeps what was loaded for the way back. Knows nothing of how it looks.

import { useEffect, useRef, useState } from 'react'
import { useNavigationType } from 'react-router'
import { FEED_PAGE_POSTS } from '#contract/limits.ts'
import { useApi } from '../api/api-context.tsx'
import { addPage, type FeedState, keepFeed, recallFeed } from './feed-pages.ts'
import { findContent, listFeed, type SummaryPage } from './posts-api.ts'
import { excerptOf } from './reading.ts'

const EXCERPT_MAX_CHARS = 360
/** The lead card shows its excerpt from this width on; below, its text is not fetched. */
const EXCERPT_SCREEN = '(min-width: 64em)'

export type Feed = {
  /** undefined until the first page is there */
  state: FeedState | undefined
  hasFailed: boolean
  isLoadingMore: boolean
  hasMoreFailed: boolean
  retry: () => void
  /** Adds the next page; answers how many posts came. */
  loadMore: () => Promise<number>
  /** Fetches the next page without showing it, so that `loadMore` is instant. */
  fetchAhead: () => void
}

/** @param viewerId nothing is loaded without one (spec §4) */
export function useFeed(viewerId: string | undefined): Feed {
  const api = useApi()
  const isReturn = useNavigationType() === 'POP'
  const [state, setState] = useState(() => (isReturn && viewerId ? recallFeed(viewerId) : undefined))
  const [hasFailed, setFailed] = useState(false)
  const [isLoadingMore, setLoadingMore] = useState(false)
  const [hasMoreFailed, setMoreFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const ahead = useRef<{ after: string; page: Promise<SummaryPage | undefined> } | undefined>(undefined)
  const isBusy = useRef(false)

  useEffect(() => {
    if (state) keepFeed(state)
  }, [state])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt, not a new state, is what loads again
  useEffect(() => {
    if (!viewerId || state?.viewerId === viewerId) return
    let isCurrent = true
    setFailed(false)
    void listFeed(api, {}).then((page) => {
      if (!isCurrent) return
      if (!page) return setFailed(true)
      const first = addPage({ viewerId, posts: [], total: 0, isEnd: false }, page, FEED_PAGE_POSTS)
      setState(first)
      const lead = first.posts[0]
      if (!lead || !matchMedia(EXCERPT_SCREEN).matches) return
      void findContent(api, lead.$id).then((html) => {
        if (!isCurrent || !html) return
        setState((now) => (now?.posts[0]?.$id === lead.$id ? { ...now, excerpt: excerptOf(html, EXCERPT_MAX_CHARS) } : now))
      })
    })
    return () => {
      isCurrent = false
    }
  }, [api, viewerId, attempt])

  function nextPage(): Promise<SummaryPage | undefined> {
    const after = state?.posts.at(-1)?.$id ?? ''
    if (ahead.current?.after !== after) ahead.current = { after, page: listFeed(api, { after }) }
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
    if (!page) {
      setMoreFailed(true)
      return 0
    }
    const next = addPage(state, page, FEED_PAGE_POSTS)
    setState((now) => (now?.excerpt ? { ...next, excerpt: now.excerpt } : next))
    return next.posts.length - state.posts.length
  }

  return {
    state: state?.viewerId === viewerId ? state : undefined,
    hasFailed,
    isLoadingMore,
    hasMoreFailed,
    retry: () => setAttempt(attempt + 1),
    loadMore,
    fetchAhead: () => {
      if (!state || state.isEnd) return
      void nextPage().then((page) => {
        if (!page) ahead.current = undefined // the press asks again
      })
    },
  }
}
