// An author: who it is, and a page of their posts. Whole from the server, paged through by links.

import { Pencil, Rss } from 'lucide-react'
import type { Ref } from 'react'
import { Link, Navigate, useLocation, useParams, useSearchParams } from 'react-router'
import type { Author } from '#contract/authors.ts'
import { FACE_SIDES } from '#contract/image-sizes.ts'
import { TOTAL_MAX } from '#contract/limits.ts'
import { NotFound } from '../accounts/not-found.tsx'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { AuthorAvatar } from '../posts/author-avatar.tsx'
import { feedPath } from '../posts/feed-alternates.tsx'
import { authorPath } from '../posts/use-author-path.ts'
import { buttonClass } from '../ui/button-class.ts'
import { LoadingText } from '../ui/loading-text.tsx'
import { MessageScreen } from '../ui/message-screen.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { AuthorHead } from './author-head.tsx'
import { CardGrid } from './card-grid.tsx'
import { FailedFeed, FeedSkeleton } from './feed-states.tsx'
import { type AuthorPosts, loadAuthor } from './first-author.ts'
import { PageLinks } from './page-links.tsx'
import { isCursorGone } from './post-lists.ts'
import { usePageData } from './use-page-data.ts'
import { useTitleFocus } from './use-title-focus.ts'

type AuthorFromProps = {
  /** See `FirstData.userId`. */
  viewerId: string | undefined
  userId: string
  after: string | undefined
}

/** @param props `viewerId` is `VISITOR` for visitors, undefined while it is not known who looks */
export function AuthorPage({ viewerId }: Pick<AuthorFromProps, 'viewerId'>) {
  const { userId = '' } = useParams()
  const [search] = useSearchParams()
  const after = search.get('after') || undefined
  const key = JSON.stringify([viewerId, userId, after])
  return <AuthorFrom key={key} viewerId={viewerId} userId={userId} after={after} />
}

function AuthorFrom({ viewerId, userId, after }: AuthorFromProps) {
  const api = useApi()
  const { pathname } = useLocation()
  const { result, retry } = usePageData<AuthorPosts>(viewerId, () => loadAuthor(api, userId, after))
  const title = useTitleFocus(result?.ok === true)
  if (result?.ok) {
    const { author, ...page } = result.value
    const isOwn = viewerId === author.$id
    return (
      <>
        <AuthorHead author={author} after={after} />
        <AuthorIntro author={author} isOwn={isOwn} ref={title} />
        {page.posts.length === 0 && after === undefined ? (
          <NothingYet name={author.name} isOwn={isOwn} />
        ) : (
          <>
            <h2 className="visually-hidden">{texts.author.posts(author.name)}</h2>
            {page.posts.length === 0 && <p>{texts.feed.notes.end}</p>}
            <CardGrid posts={page.posts} titleLevel={3} />
            <PageLinks page={page} path={authorPath(userId)} />
          </>
        )}
      </>
    )
  }
  if (result?.failure.code === 404) return <NotFound path={pathname} />
  if (result && after !== undefined && isCursorGone(result.failure))
    return <Navigate to={authorPath(userId)} replace />
  return (
    <>
      <PageTitle screen={texts.author.screen} />
      {result ? (
        <FailedFeed onRetry={retry} />
      ) : (
        <>
          <LoadingText>{texts.waiting.posts}</LoadingText>
          <FeedSkeleton />
        </>
      )}
    </>
  )
}

type AuthorIntroProps = {
  author: Author
  isOwn: boolean
  ref: Ref<HTMLHeadingElement>
}

function AuthorIntro({ author, isOwn, ref }: AuthorIntroProps) {
  const { settings } = useApi()
  const { $id, name, about, avatar, posts } = author
  const { author: words } = texts
  const since = monthOf(author.$createdAt)
  const count =
    posts < TOTAL_MAX ? words.count(posts) : words.many(TOTAL_MAX.toLocaleString(texts.language))
  return (
    <header className="author-intro">
      <AuthorAvatar name={name} avatarId={avatar} sidePixels={FACE_SIDES.author} isEager />
      <h1 ref={ref} tabIndex={-1}>
        <bdi>{name}</bdi>
      </h1>
      <div className="author-intro__about">
        {about && (
          <p className="lead-line" dir="auto">
            {about}
          </p>
        )}
        <p className="page-facts">
          <span>{count}</span>
          <span>{posts > 0 ? words.since(since) : words.hereSince(since)}</span>
          {posts > 0 && settings.reading === 'everyone' && (
            <a className="link" href={feedPath(authorPath($id))}>
              <Rss className="icon icon--small" aria-hidden="true" />
              {texts.pages.feed}
            </a>
          )}
          {isOwn && (
            <Link className="link" to="/settings">
              <Pencil className="icon icon--small" aria-hidden="true" />
              {about ? words.edit : words.writeLine}
            </Link>
          )}
        </p>
      </div>
    </header>
  )
}

function NothingYet({ name, isOwn }: { name: string; isOwn: boolean }) {
  const { empty, ownEmpty } = texts.author
  return (
    <MessageScreen
      art="lit"
      title={isOwn ? ownEmpty.title : empty.title}
      titleLevel={2}
      isPart
      actions={
        isOwn ? (
          <Link className={buttonClass('primary')} to="/add-post">
            <Pencil className="icon" aria-hidden="true" />
            {ownEmpty.write}
          </Link>
        ) : (
          <Link className={buttonClass('secondary')} to="/post">
            {texts.places.allPosts}
          </Link>
        )
      }
    >
      <p>{isOwn ? ownEmpty.text : empty.text(<bdi>{name}</bdi>)}</p>
    </MessageScreen>
  )
}

/** The same for everybody, whatever machine writes it. */
function monthOf(isoTime: string): string {
  const date = new Date(isoTime)
  return texts.month(date.getUTCMonth(), date.getUTCFullYear())
}
