// Shared by lists of cards: a page of posts, and the screens that replace it while it loads, if it
// is empty, and if loading failed.
import { Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { isOperator, useIsReader, useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/client.ts'
import { LoadFailure } from '../api/load-failure.tsx'
import type { PageData } from '../lists/list-state.ts'
import { PageLinks } from '../lists/page-links.tsx'
import { isCursorGone } from '../lists/post-lists.ts'
import { texts } from '../locales/texts.ts'
import { CardGrid } from '../posts/post-card.tsx'
import type { PostPage } from '../posts/posts-api.ts'
import { ButtonLink } from '../ui/button.tsx'
import { LoadingText, MessageScreen } from '../ui/screens.tsx'

function CardSkeleton() {
  return (
    <div className="box card">
      <div className="card__media skeleton skeleton--square" />
      <div className="card__body">
        <div className="skeleton skeleton--line" style={{ inlineSize: '86%' }} />
        <div className="skeleton skeleton--line" style={{ inlineSize: '52%' }} />
        <div className="quiet byline">
          <div className="skeleton skeleton--circle" />
          <div className="skeleton skeleton--small" style={{ inlineSize: '9rem' }} />
        </div>
        <div className="quiet row card__footer">
          <div className="skeleton skeleton--small" style={{ inlineSize: '8rem' }} />
          <div className="skeleton skeleton--small" style={{ inlineSize: '3rem' }} />
        </div>
      </div>
    </div>
  )
}

/** Four cards without text: the page says beside its title that it is loading. */
export function FeedSkeleton() {
  return (
    <ul className="card-grid" aria-hidden="true">
      {['lead', 'a', 'b', 'c'].map((name) => (
        <li key={name} className={name === 'lead' ? 'lead' : undefined}>
          <CardSkeleton />
        </li>
      ))}
    </ul>
  )
}

/** Shown while the blog has no posts. It tells an operator that the blog is open. */
export function EmptyFeed() {
  const { settings } = useApi()
  const isFounder = isOperator(useViewer().userData)
  const isReader = useIsReader()
  const { done } = texts.setup
  return (
    <MessageScreen
      art="lit"
      title={isFounder ? done.title : texts.emptyFeed.title}
      titleLevel={2}
      actions={
        <>
          {!isReader && (
            <ButtonLink kind="primary" to="/add-post" Icon={Pencil}>
              {isFounder ? done.write : texts.emptyFeed.write}
            </ButtonLink>
          )}
          {isFounder && (
            <>
              <ButtonLink to="/admin/people">{texts.adminPeople.invite}</ButtonLink>
              <ButtonLink to="/admin/settings">{done.look}</ButtonLink>
            </>
          )}
        </>
      }
    >
      <p>
        {isFounder ? done[settings.reading](<bdi>{settings.siteName}</bdi>) : texts.emptyFeed.text}
      </p>
    </MessageScreen>
  )
}

type PageOfPostsProps = {
  data: Pick<PageData<PostPage & { excerpt?: string }>, 'result' | 'after' | 'retry'>
  /** The path of the list, without a query. */
  path: string
  hasLead?: boolean
  titleLevel?: 2 | 3
  /** Shown instead of a list without posts. */
  empty: ReactNode
}

/** A page of posts, with links to the other pages of its list. */
export function PageOfPosts({ data, path, empty, ...grid }: PageOfPostsProps) {
  const { result, after, retry } = data
  if (!result)
    return (
      <>
        <LoadingText>{texts.loading.posts}</LoadingText>
        <FeedSkeleton />
      </>
    )
  if (!result.ok)
    return after !== undefined && isCursorGone(result.failure) ? (
      <Navigate to={path} replace />
    ) : (
      <LoadFailure isInline text={texts.feed.failed} onRetry={retry} />
    )
  const page = result.value
  if (isEmptyList(page, after)) return empty
  return (
    <>
      {page.posts.length === 0 && <p>{texts.feed.notes.end}</p>}
      <CardGrid posts={page.posts} excerpt={page.excerpt} {...grid} />
      <PageLinks page={page} path={path} />
    </>
  )
}

/** Whether the list has no posts. A page after the last post is empty, too, but its list is not. */
export function isEmptyList(
  { posts }: Pick<PostPage, 'posts'>,
  after: string | undefined,
): boolean {
  return posts.length === 0 && after === undefined
}
