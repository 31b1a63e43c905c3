// Loads the feed page by page, fetches the next one ahead, and keeps what was loaded for the way back. Knows nothing of how it looks.

import { useEffect, useRef, useState } from 'react'
import { useNavigationType } from 'react-router'
import { FEED_PAGE_POSTS } from '#contract/limits.ts'
import { useApi } from '../api/api-context.tsx'
import type { Api } from '../api/client.ts'
import type { Report } from '../api/outcomes.ts'
import { addPage, type FeedState, keepFeed, recallFeed } from './feed-pages.ts'
import { findContent, listFeed, type SummaryPage } from './posts-api.ts'
import { excerptOf } from './reading.ts'

/** A card on screen may have been deleted since: then the one before it marks the place. */
const MARKERS_TRIED = 3
const EXCERPT_MAX_CHARS = 360
/** The lead card shows its excerpt from this width on; below, its text is not fetched. */
const EXCERPT_SCREEN = '(min-width: 64em)'

/** The page behind the first of these posts that is still there. */
async function listBehind(api: Api, [after, ...others]: string[]): Promise<SummaryPage | undefined> {
  let isGone = false
  const page = await listFeed(api, {
    after,
    report: ({ type }) => {
      isGone = type === 'general_cursor_not_found'
    },
  })
  return page ?? (isGone && others.length > 0 ? listBehind(api, others) : undefined)
}

export type Feed = {
  /** undefined until the first page is there */
  state: FeedState | undefined
  hasFailed: boolean
  /** The post behind which the feed should begin is not there any more. */
  isMarkerGone: boolean
  isLoadingMore: boolean
  hasMoreFailed: boolean
  retry: () => void
  /** Adds the next page; answers how many posts came. */
  loadMore: () => Promise<number>
  /** Fetches the next page without showing it, so that `loadMore` is instant. */
  fetchAhead: () => void
}

/**
 * @param viewerId nothing is loaded without one (spec §4)
 * @param from id of the post behind which the feed begins; at the newest one without it
 */
export function useFeed(viewerId: string | undefined, from: string | undefined): Feed {
  const api = useApi()
  const isReturn = useNavigationType() === 'POP'
  const [state, setState] = useState(() => (isReturn && viewerId ? recallFeed(viewerId, from) : undefined))
  const [hasFailed, setFailed] = useState(false)
  const [isMarkerGone, setMarkerGone] = useState(false)
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
    let isMarkerGone = false
    const report: Report = ({ type }) => {
      isMarkerGone = type === 'general_cursor_not_found'
    }
    void listFeed(api, { after: from, report }).then((page) => {
      if (!isCurrent) return
      if (!page) return isMarkerGone ? setMarkerGone(true) : setFailed(true)
      const first = addPage({ viewerId, after: from, posts: [], total: 0, isEnd: false }, page, FEED_PAGE_POSTS)
      setState(first)
      const lead = first.posts[0]
      if (from !== undefined || !lead || !matchMedia(EXCERPT_SCREEN).matches) return
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
    const markers = state?.posts.slice(-MARKERS_TRIED).map(({ $id }) => $id) ?? []
    const after = markers.at(-1) ?? ''
    if (ahead.current?.after !== after) ahead.current = { after, page: listBehind(api, markers.toReversed()) }
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
    isMarkerGone,
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
