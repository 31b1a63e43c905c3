// All posts as cards, newest first, page by page.
import { useEffect, useEffectEvent, useRef } from 'react'
import { Navigate } from 'react-router'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/client.ts'
import { useInitialData } from '../api/initial-data.ts'
import { LoadFailure } from '../api/load-failure.tsx'
import {
  type PostList,
  useAfter,
  useMoreFocus,
  usePostList,
  useTitleFocus,
} from '../lists/list-state.ts'
import { isCursorGone, totalShown } from '../lists/post-lists.ts'
import { texts } from '../locales/texts.ts'
import { CardGrid } from '../posts/post-card.tsx'
import { FEED_PAGE_POSTS, listFeed } from '../posts/posts-api.ts'
import { NarrowSearch } from '../posts/search-field.tsx'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { LoadingText, PageTitle } from '../ui/screens.tsx'
import { findLeadExcerpt, type InitialFeed } from './feed-loader.ts'
import { EmptyFeed, FeedSkeleton } from './feed-states.tsx'
import { NewPosts } from './new-posts.tsx'

/** The next page is fetched when the button is this close to the window. */
const PREFETCH_MARGIN = '600px'

/** With `?after=` the feed begins after that post, so that older posts have an address, too. */
export function FeedPage() {
  const after = useAfter()
  const viewerId = useViewer().userData?.$id
  const feed = useFeed(viewerId, after)
  const { state, failure } = feed
  const title = useTitleFocus()
  function handleRetry() {
    title.current?.focus({ preventScroll: true }) // the button is removed with the failure
    void feed.load()
  }
  if (!state && failure && after !== undefined && isCursorGone(failure))
    return <Navigate to="/post" replace />
  return (
    <>
      <PageTitle screen={texts.places.allPosts} />
      {state && <NewPosts state={state} setState={feed.setState} isOn={after === undefined} />}
      <div className="apart page-head">
        <h1 ref={title} tabIndex={-1}>
          {texts.places.allPosts}
        </h1>
        {state && after !== undefined ? (
          <p>
            {texts.pages.older} ·{' '}
            <Link className="link" to="/post">
              {texts.pages.newest}
            </Link>
          </p>
        ) : state ? (
          <p>{state.posts.length > 0 ? texts.feed.notes.newestFirst : texts.feed.notes.empty}</p>
        ) : failure ? (
          <p>{texts.feed.notes.failed}</p>
        ) : (
          <LoadingText>{texts.loading.posts}</LoadingText>
        )}
      </div>
      <NarrowSearch />
      {state ? (
        state.posts.length > 0 || after !== undefined ? (
          <FeedList feed={feed} />
        ) : (
          <EmptyFeed />
        )
      ) : failure ? (
        <LoadFailure isInline text={texts.feed.failed} onRetry={handleRetry} />
      ) : (
        <FeedSkeleton />
      )}
    </>
  )
}

function useFeed(viewerId: string | undefined, after: string | undefined) {
  const api = useApi()
  return usePostList(viewerId === undefined ? undefined : { list: 'feed', viewerId, after }, {
    initial: useInitialData<InitialFeed>(viewerId),
    pageSize: FEED_PAGE_POSTS,
    listFrom: (cursor) => listFeed(api, cursor),
    findExcerpt: async (list) =>
      after === undefined ? await findLeadExcerpt(api, list) : undefined,
  })
}

function FeedList({ feed }: { feed: PostList }) {
  const { state } = feed
  const list = useRef<HTMLUListElement>(null)
  const endText = useRef<HTMLParagraphElement>(null)
  const loadMore = useMoreFocus(state, { list, end: endText })
  const posts = state?.posts ?? []
  const hasLead = state?.after === undefined

  return (
    <>
      <CardGrid posts={posts} hasLead={hasLead} excerpt={state?.excerpt} ref={list} />
      <div className="quiet load-more">
        {feed.failure && <Alert kind="error">{texts.failures.titleAgain}</Alert>}
        {state?.isLast ? (
          <p ref={endText} tabIndex={-1}>
            {texts.feed.notes.end}
          </p>
        ) : (
          <>
            <MoreButton feed={feed} onPress={() => void loadMore(feed.load)} />
            <p>
              {hasLead && state && `${texts.feed.showing(posts.length, totalShown(state))} · `}
              <Link className="link" to={`/post?after=${posts.at(-1)?.$id}`}>
                {texts.pages.older}
              </Link>
            </p>
          </>
        )}
      </div>
    </>
  )
}

/** Prefetches the next page when the button is near the window, and shows it when pressed. */
function MoreButton({ feed, onPress }: { feed: PostList; onPress: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  const prefetch = useEffectEvent(feed.prefetch)
  useEffect(() => {
    if (!button.current) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) prefetch()
      },
      { rootMargin: PREFETCH_MARGIN },
    )
    observer.observe(button.current)
    return () => observer.disconnect()
  }, [feed.state?.posts.length])
  return (
    <Button
      ref={button}
      isBusy={feed.isLoading}
      busyLabel={texts.feed.loadingMore}
      onClick={onPress}
    >
      {texts.actions.loadMore}
    </Button>
  )
}
