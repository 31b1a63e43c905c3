// The list of posts for visitors, where everybody may read it: a page of cards at a time, whole
// from the server, paged through by links.
import { Rss } from 'lucide-react'
import { useMemo } from 'react'
import { Link, Navigate, useSearchParams } from 'react-router'
import { FEED_PAGE_POSTS } from '#web/posts/posts-api.ts'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { PublicHead } from '../posts/public-head.tsx'
import { NarrowSearch } from '../posts/search-field.tsx'
import { blogData } from '../posts/structured-data.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { LoadingText } from '../ui/loading-text.tsx'
import { MessageScreen } from '../ui/message-screen.tsx'
import { CardGrid } from './card-grid.tsx'
import { useShowNew } from './feed-page.tsx'
import { FailedFeed, FeedSkeleton } from './feed-states.tsx'
import { loadOpenFeed, type OpenFeed } from './first-feed.ts'
import { NewPostsPill } from './new-posts-pill.tsx'
import { PageLinks, pageNumber, pagePath } from './page-links.tsx'
import { isCursorGone, type ListState } from './post-lists.ts'
import { useNewPosts } from './use-new-posts.ts'
import { type PageData, usePageData, VISITOR } from './use-page-data.ts'
import { useTitleFocus } from './use-title-focus.ts'

const PATH = '/post'
const FEED_PATH = '/feed.xml'

export function OpenFeedPage() {
  const [search] = useSearchParams()
  const after = search.get('after') || undefined
  return <OpenFeedFrom key={after ?? ''} after={after} />
}

function OpenFeedFrom({ after }: { after: string | undefined }) {
  const api = useApi()
  const data = usePageData<OpenFeed>(VISITOR, () => loadOpenFeed(api, after))
  const page = data.result?.ok ? data.result.value : undefined
  const failure = data.result && !data.result.ok ? data.result.failure : undefined
  const title = useTitleFocus()
  if (failure && after !== undefined && isCursorGone(failure)) return <Navigate to={PATH} replace />
  return (
    <>
      <PublicHead
        screen={texts.places.allPosts}
        description={api.settings.about}
        path={pagePath(PATH, after)}
        isIndexed={after === undefined}
        data={[blogData(api)]}
      />
      {page && <NewPosts page={page} after={after} onChange={data.change} />}
      <div className="page-intro">
        <div>
          <h1 ref={title} tabIndex={-1}>
            {texts.places.allPosts}
          </h1>
          <p className="lead-line">{lineOf(page, { after, about: api.settings.about })}</p>
        </div>
        {after === undefined ? (
          page && page.posts.length > 0 && <FeedFact />
        ) : (
          <p className="page-facts">
            <Link className="link" to={PATH}>
              {texts.pages.newest}
            </Link>
          </p>
        )}
      </div>
      <NarrowSearch />
      <Shown page={page} data={data} after={after} />
    </>
  )
}

/** Under the title: what blog this is, and on later pages which one it is. */
function lineOf(
  page: OpenFeed | undefined,
  { after, about }: { after: string | undefined; about: string },
): string {
  if (after === undefined) return about
  const number = page && pageNumber(page)
  return number === undefined ? texts.pages.older : texts.pages.number(String(number))
}

function FeedFact() {
  return (
    <p className="page-facts">
      <a className="link" href={FEED_PATH}>
        <Rss className="icon icon--small" aria-hidden="true" />
        {texts.pages.feed}
      </a>
    </p>
  )
}

type ShownProps = {
  page: OpenFeed | undefined
  data: Pick<PageData<OpenFeed>, 'result' | 'retry'>
  after: string | undefined
}

function Shown({ page, data, after }: ShownProps) {
  if (!page && data.result) return <FailedFeed onRetry={data.retry} />
  if (!page)
    return (
      <>
        <LoadingText>{texts.waiting.posts}</LoadingText>
        <FeedSkeleton />
      </>
    )
  if (page.posts.length === 0 && after === undefined) return <NothingYet />
  return (
    <>
      {page.posts.length === 0 && <p>{texts.feed.notes.end}</p>}
      <CardGrid posts={page.posts} hasLead={after === undefined} excerpt={page.excerpt} />
      <PageLinks page={page} path={PATH} />
    </>
  )
}

function NothingYet() {
  return (
    <MessageScreen
      art="lit"
      title={texts.emptyFeed.title}
      titleLevel={2}
      actions={
        <a className={buttonClass('secondary')} href={FEED_PATH}>
          <Rss className="icon" aria-hidden="true" />
          {texts.openFeed.follow}
        </a>
      }
    >
      <p>{texts.openFeed.empty}</p>
    </MessageScreen>
  )
}

type NewPostsProps = {
  page: OpenFeed
  after: string | undefined
  onChange: (page: OpenFeed) => void
}

/** Those that came while the first page is open, once the app is loaded. */
function NewPosts({ page, after, onChange }: NewPostsProps) {
  // The same until the page changes: what follows a change waits for it.
  const state = useMemo<ListState>(() => {
    const { posts, total, isLast: isEnd, excerpt } = page
    return { list: 'feed', viewerId: VISITOR, after, posts, total, isEnd, excerpt }
  }, [page, after])
  function setState({ posts: all, total, isEnd, excerpt: text }: ListState) {
    const shown = all.slice(0, FEED_PAGE_POSTS)
    const isLast = isEnd && all.length === shown.length
    onChange({ ...page, posts: shown, total, isLast, ...(text ? { excerpt: text } : {}) })
  }
  const newPosts = useNewPosts(state, setState, after === undefined)
  const show = useShowNew({ state, newPosts })
  return <NewPostsPill count={newPosts.count} onShow={() => void show()} />
}
