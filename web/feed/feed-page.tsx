// All posts: cards, newest first, page by page.
import { useEffect, useEffectEvent, useRef } from 'react'
import { Link, Navigate } from 'react-router'
import { useViewer } from '../accounts/viewer.tsx'
import { LoadFailure } from '../api/load-failure.tsx'
import { texts } from '../locales/texts.ts'
import { CardGrid } from '../posts/post-card.tsx'
import { NarrowSearch } from '../posts/search-field.tsx'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { LoadingText, PageTitle } from '../ui/screens.tsx'
import { EmptyFeed, FeedSkeleton } from './feed-states.tsx'
import { useAfter, useMoreFocus, useTitleFocus } from './list-state.ts'
import { NewPosts } from './new-posts.tsx'
import { totalShown } from './post-lists.ts'
import { type Feed, useFeed } from './use-feed.ts'

const AHEAD_MARGIN = '600px'

/** `?after=` begins the feed behind that post: older posts have an address, too. */
export function FeedPage() {
  const after = useAfter()
  const viewerId = useViewer().userData?.$id
  const feed = useFeed(viewerId, after)
  const { state, hasFailed } = feed
  const title = useTitleFocus()
  function handleRetry() {
    title.current?.focus({ preventScroll: true }) // the button is removed with the failure
    feed.retry()
  }
  if (feed.isCursorGone) return <Navigate to="/post" replace />
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
            {texts.feed.older} ·{' '}
            <Link className="link" to="/post">
              {texts.feed.newest}
            </Link>
          </p>
        ) : state ? (
          <p>{state.posts.length > 0 ? texts.feed.notes.newestFirst : texts.feed.notes.empty}</p>
        ) : hasFailed ? (
          <p>{texts.feed.notes.failed}</p>
        ) : (
          <LoadingText>{texts.waiting.posts}</LoadingText>
        )}
      </div>
      <NarrowSearch />
      {state ? (
        state.posts.length > 0 || after !== undefined ? (
          <FeedList feed={feed} />
        ) : (
          <EmptyFeed />
        )
      ) : hasFailed ? (
        <LoadFailure isPart text={texts.feed.failed} onRetry={handleRetry} />
      ) : (
        <FeedSkeleton />
      )}
    </>
  )
}

function FeedList({ feed }: { feed: Feed }) {
  const { state } = feed
  const list = useRef<HTMLUListElement>(null)
  const end = useRef<HTMLParagraphElement>(null)
  const askMore = useMoreFocus(state, { list, end })
  const posts = state?.posts ?? []
  const hasLead = state?.after === undefined

  return (
    <>
      <CardGrid posts={posts} hasLead={hasLead} excerpt={state?.excerpt} ref={list} />
      <div className="quiet load-more">
        {feed.hasMoreFailed && <Alert kind="error">{texts.failures.titleAgain}</Alert>}
        {state?.isEnd ? (
          <p ref={end} tabIndex={-1}>
            {texts.feed.notes.end}
          </p>
        ) : (
          <>
            <MoreButton feed={feed} onPress={() => void askMore(feed.loadMore)} />
            <p>
              {hasLead && state && `${texts.feed.showing(posts.length, totalShown(state))} · `}
              <Link className="link" to={`/post?after=${posts.at(-1)?.$id}`}>
                {texts.feed.older}
              </Link>
            </p>
          </>
        )}
      </div>
    </>
  )
}

/** Fetches the next page when it is scrolled near, and shows it when pressed. */
function MoreButton({ feed, onPress }: { feed: Feed; onPress: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  const fetchAhead = useEffectEvent(feed.fetchAhead)
  useEffect(() => {
    if (!button.current) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) fetchAhead()
      },
      { rootMargin: AHEAD_MARGIN },
    )
    observer.observe(button.current)
    return () => observer.disconnect()
  }, [feed.state?.posts.length])
  return (
    <Button
      ref={button}
      isBusy={feed.isLoadingMore}
      busyLabel={texts.feed.loadingMore}
      onClick={onPress}
    >
      {texts.actions.loadMore}
    </Button>
  )
}
