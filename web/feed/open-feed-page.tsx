// The list of posts for visitors, if everybody may read the blog: pages of cards, rendered by the
// server, with links between them.
import { Rss } from 'lucide-react'
import { useMemo } from 'react'
import { FEED_PAGE_POSTS } from '#web/posts/posts-api.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/client.ts'
import { usePageData, useTitleFocus, VISITOR } from '../lists/list-state.ts'
import { pageNumber, pagePath } from '../lists/page-links.tsx'
import type { ListState } from '../lists/post-lists.ts'
import { texts } from '../locales/texts.ts'
import { blogData, FeedLink, feedPath, PublicHead } from '../posts/public-head.tsx'
import { NarrowSearch } from '../posts/search-field.tsx'
import { buttonClass } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { MessageScreen } from '../ui/screens.tsx'
import { loadOpenFeed, type OpenFeed } from './feed-loader.ts'
import { FeedPage } from './feed-page.tsx'
import { PageOfPosts } from './feed-states.tsx'
import { NewPosts } from './new-posts.tsx'

const PATH = '/post'

/** /post if everybody may read the blog. Signed-in users see the members' feed. */
export function AllPostsPage() {
  return useViewer().status ? <FeedPage /> : <OpenFeedPage />
}

function OpenFeedPage() {
  const api = useApi()
  const data = usePageData<OpenFeed>((cursor) => loadOpenFeed(api, cursor))
  const { page, after } = data
  const title = useTitleFocus()
  return (
    <>
      <PublicHead
        screenTitle={texts.places.allPosts}
        description={api.settings.about}
        path={pagePath(PATH, after)}
        isIndexed={after === undefined}
        data={[blogData(api)]}
      />
      {page && <NewOpenPosts page={page} after={after} onChange={data.change} />}
      <div className="row page-intro">
        <div>
          <h1 ref={title} tabIndex={-1}>
            {texts.places.allPosts}
          </h1>
          <p className="lead-line">{leadLineOf(page, { after, about: api.settings.about })}</p>
        </div>
        {(after !== undefined || (page && page.posts.length > 0)) && (
          <p className="quiet row page-facts">
            {after === undefined ? (
              <FeedLink pagePath="" />
            ) : (
              <Link className="link" to={PATH}>
                {texts.pages.newest}
              </Link>
            )}
          </p>
        )}
      </div>
      <NarrowSearch />
      <PageOfPosts data={data} path={PATH} hasLead={after === undefined} empty={<NothingYet />} />
    </>
  )
}

/** The line under the title: the blog's description or, on later pages, the page number. */
function leadLineOf(
  page: OpenFeed | undefined,
  { after, about }: { after: string | undefined; about: string },
): string {
  if (after === undefined) return about
  const number = page && pageNumber(page)
  return number === undefined ? texts.pages.older : texts.pages.number(String(number))
}

function NothingYet() {
  return (
    <MessageScreen
      art="lit"
      title={texts.emptyFeed.title}
      titleLevel={2}
      actions={
        <a className={buttonClass('secondary')} href={feedPath('')}>
          <Rss className="icon" aria-hidden="true" />
          {texts.openFeed.follow}
        </a>
      }
    >
      <p>{texts.openFeed.empty}</p>
    </MessageScreen>
  )
}

type NewOpenPostsProps = {
  page: OpenFeed
  after: string | undefined
  onChange: (page: OpenFeed) => void
}

/** Offers the posts that are published while the first page is open. */
function NewOpenPosts({ page, after, onChange }: NewOpenPostsProps) {
  // Stays the same object until the page changes, because an effect of `NewPosts` depends on it.
  const state = useMemo<ListState>(
    () => ({ ...page, list: 'feed', viewerId: VISITOR, after }),
    [page, after],
  )
  function setState({ posts: all, total, excerpt, ...list }: ListState) {
    const posts = all.slice(0, FEED_PAGE_POSTS)
    const isLast = list.isLast && all.length === posts.length
    onChange({ ...page, posts, total, isLast, ...(excerpt && { excerpt }) })
  }
  return <NewPosts state={state} setState={setState} isOn={after === undefined} />
}
