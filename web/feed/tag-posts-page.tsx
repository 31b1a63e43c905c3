// The posts of one tag: a page of cards at a time, whole from the server, paged through by links.

import { Rss, Search } from 'lucide-react'
import { Link, Navigate } from 'react-router'
import { TOTAL_MAX } from '#contract/limits.ts'
import { tagPath } from '#contract/plain-text.ts'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { FeedAlternates, feedPath } from '../posts/feed-alternates.tsx'
import { PublicHead } from '../posts/public-head.tsx'
import { NarrowSearch } from '../posts/search-field.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { LoadingText } from '../ui/loading-text.tsx'
import { MessageScreen } from '../ui/message-screen.tsx'
import { CardGrid } from './card-grid.tsx'
import { FailedFeed, FeedSkeleton } from './feed-states.tsx'
import { PageLinks, pagePath } from './page-links.tsx'
import { isCursorGone } from './post-lists.ts'
import { isUnusedTag, loadTagPosts, type TagPosts } from './tagged-posts.ts'
import { usePageData } from './use-page-data.ts'
import { useTitleFocus } from './use-title-focus.ts'

const count = new Intl.NumberFormat(texts.language)

type TagPostsPageProps = {
  /** The key of the tag (`tagKey`). */
  tag: string
  /** Id of the last post of the page before. */
  after: string | undefined
  /** `VISITOR` for visitors. */
  viewerId: string
}

export function TagPostsPage(props: TagPostsPageProps) {
  const { tag, after, viewerId } = props
  return <TagPostsFrom key={`${viewerId} ${tag} ${after}`} {...props} />
}

function TagPostsFrom({ tag, after, viewerId }: TagPostsPageProps) {
  const api = useApi()
  const { result, retry } = usePageData<TagPosts>(viewerId, () => loadTagPosts(api, tag, after))
  const page = result?.ok ? result.value : undefined
  const title = useTitleFocus()
  const path = tagPath(tag)
  if (result && !result.ok && after !== undefined && isCursorGone(result.failure))
    return <Navigate to={path} replace />
  const name = page?.name ?? tag
  const isUnused = page !== undefined && isUnusedTag(page, after)
  return (
    <>
      <PublicHead
        screen={texts.tag.title(name)}
        description={texts.tag.description(name, api.settings.siteName)}
        path={pagePath(path, after)}
        isIndexed={page !== undefined && !isUnused && after === undefined}
      />
      {page && !isUnused && (
        <FeedAlternates of={path} title={`${texts.tag.title(name)} · ${api.settings.siteName}`} />
      )}
      <div className="page-intro">
        <div>
          <p className="quiet">{texts.tag.small}</p>
          <h1 ref={title} tabIndex={-1}>
            <bdi>{texts.tag.title(name)}</bdi>
          </h1>
        </div>
        {page && !isUnused && <Facts page={page} path={path} after={after} />}
      </div>
      {!isUnused && <NarrowSearch />}
      {!page && result && <FailedFeed onRetry={retry} />}
      {!page && !result && (
        <>
          <LoadingText>{texts.waiting.posts}</LoadingText>
          <FeedSkeleton />
        </>
      )}
      {isUnused && <NoPosts />}
      {page && !isUnused && (
        <>
          {page.posts.length === 0 && <p>{texts.feed.notes.end}</p>}
          <CardGrid posts={page.posts} />
          <PageLinks page={page} path={path} />
        </>
      )}
    </>
  )
}

type FactsProps = { page: TagPosts; path: string; after: string | undefined }

function Facts({ page: { total, posts, before }, path, after }: FactsProps) {
  const { settings } = useApi()
  const all = Math.max(total, before + posts.length)
  const number = count.format(Math.min(all, TOTAL_MAX))
  return (
    <p className="page-facts">
      <span>{texts.tag.count(all < TOTAL_MAX ? number : texts.pages.many(number), all === 1)}</span>
      {after !== undefined && (
        <Link className="link" to={path}>
          {texts.pages.newest}
        </Link>
      )}
      {settings.reading === 'everyone' && (
        <a className="link" href={feedPath(path)}>
          <Rss className="icon icon--small" aria-hidden="true" />
          {texts.pages.feed}
        </a>
      )}
    </p>
  )
}

function NoPosts() {
  return (
    <MessageScreen
      art="searching"
      title={texts.tag.empty}
      titleLevel={2}
      isPart
      actions={
        <>
          <Link className={buttonClass('primary')} to="/search">
            <Search className="icon" aria-hidden="true" />
            {texts.tag.search}
          </Link>
          <Link className={buttonClass('secondary')} to="/post">
            {texts.places.allPosts}
          </Link>
        </>
      }
    >
      <p>{texts.tag.emptyHint}</p>
    </MessageScreen>
  )
}
