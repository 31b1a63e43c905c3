// The viewer's own active posts on the dashboard; inactive ones stand among the drafts.

import { Eye, Pencil, UserRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { ReadNumbers } from '#contract/reads.ts'
import { useApi } from '../api/api-context.tsx'
import { useFirstData } from '../api/first-data.ts'
import { succeed } from '../api/result.ts'
import { totalShown } from '../feed/post-lists.ts'
import { useListState } from '../feed/use-list-state.ts'
import { useMoreFocus } from '../feed/use-more-focus.ts'
import { texts } from '../locales/texts.ts'
import { LikeStat } from '../posts/like-stat.tsx'
import { LocalDate } from '../posts/local-date.tsx'
import type { PostSummary } from '../posts/posts-api.ts'
import { statusText } from '../posts/status-text.ts'
import { authorPath } from '../posts/use-author-path.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { LoadingText } from '../ui/loading-text.tsx'
import { useWhenOnline } from '../ui/use-online.ts'
import { DeletedLink } from './deleted-link.tsx'
import { type FirstDashboard, loadOwnPosts } from './first-dashboard.ts'
import { PostThumbnail } from './post-thumbnail.tsx'
import { ReadsPart } from './reads-part.tsx'

/**
 * Loads the viewer's posts page by page. Going back in the history shows again those that were
 * loaded before.
 */
export function useOwnPosts(userId: string | undefined) {
  const api = useApi()
  const loaded = useFirstData<FirstDashboard>(userId)
  const first = loaded?.ok ? succeed(loaded.value.own) : loaded
  const name = userId ? ({ list: 'own', viewerId: userId } as const) : undefined
  const [own, setOwn, isOpened] = useListState(name, first)
  const [hasFailed, setFailed] = useState(first?.ok === false)
  const [isLoading, setLoading] = useState(false)

  /** @returns how many posts were added */
  async function load(): Promise<number> {
    if (!userId || isLoading) return 0
    setLoading(true)
    setFailed(false)
    const next = await loadOwnPosts(api, userId, own)
    setLoading(false)
    if (!next.ok) {
      setFailed(true)
      return 0
    }
    setOwn(next.value)
    return next.value.posts.length - (own?.posts.length ?? 0)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads once for each person
  useEffect(() => {
    if (isOpened && !own && !hasFailed) void load()
  }, [userId, isOpened])
  return { own, hasFailed, isLoading, load }
}

type OwnPostsListProps = ReturnType<typeof useOwnPosts> & {
  userId: string
  reads: ReadNumbers | undefined
  /** Counts what was deleted on this page. */
  deletions: number
}

export function OwnPostsList({
  userId,
  own,
  hasFailed,
  isLoading,
  load,
  reads,
  deletions,
}: OwnPostsListProps) {
  const list = useRef<HTMLUListElement>(null)
  const end = useRef<HTMLHeadingElement>(null)
  const askMore = useMoreFocus(own, { list, end })
  return (
    <div className="dashboard__posts">
      <div className="section-header">
        <h2 ref={end} tabIndex={-1}>
          {texts.ownPosts.title}
        </h2>
        <Link className={buttonClass('ghost')} to={authorPath(userId)}>
          <UserRound className="icon icon--small" aria-hidden="true" />
          {texts.ownPosts.page}
        </Link>
      </div>
      {own && own.posts.length > 0 && (
        // biome-ignore lint/a11y/noRedundantRoles: without bullets some readers no longer call it a list
        <ul className="post-list" role="list" ref={list}>
          {own.posts.map((post) => (
            <OwnPost
              key={post.$id}
              post={post}
              reads={reads?.posts.find(({ $id }) => $id === post.$id)?.reads}
            />
          ))}
        </ul>
      )}
      {own?.posts.length === 0 && own.isEnd && (
        <p className="empty-box">{texts.ownPosts.nonePublished}</p>
      )}
      {hasFailed && <FailedPosts onOnline={() => void load()} />}
      {!own && !hasFailed && <LoadingText>{texts.waiting.posts}</LoadingText>}
      {(hasFailed || (own && !own.isEnd)) && (
        <div className="load-more">
          <Button
            isBusy={isLoading}
            busyLabel={texts.ownPosts.loading}
            onClick={() => void askMore(load)}
          >
            {hasFailed ? texts.actions.tryAgain : texts.actions.loadMore}
          </Button>
          {own && <p>{texts.feed.showing(own.posts.length, totalShown(own))}</p>}
        </div>
      )}
      {reads && own && own.posts.length > 0 && <ReadsPart reads={reads} />}
      <DeletedLink changes={deletions} />
    </div>
  )
}

/** @param reads of thirty days, where they are known */
function OwnPost({ post, reads }: { post: PostSummary; reads: number | undefined }) {
  const { $id: slug, title, status } = post
  return (
    <li>
      <PostThumbnail post={post} />
      <div>
        <h3 dir="auto">
          <Link to={`/post/${slug}`}>{title}</Link>
        </h3>
        <p className="facts">
          <span className={status === 'active' ? 'chip chip--on' : 'chip'}>
            {statusText(status)}
          </span>
          {post.hidden && <span className="chip">{texts.ownPosts.hidden}</span>}
          <LocalDate time={post.$createdAt} />
          <LikeStat like={post.like} />
          {reads !== undefined && (
            <span className="stat">
              <Eye className="icon icon--small" aria-hidden="true" />
              <span aria-hidden="true">{reads}</span>
              <span className="visually-hidden">{texts.reads.spoken(reads)}</span>
            </span>
          )}
        </p>
      </div>
      <Link
        className={buttonClass('ghost', 'btn--icon')}
        to={`/edit-post/${slug}`}
        aria-label={texts.ownPosts.edit(title)}
      >
        <Pencil className="icon" aria-hidden="true" />
      </Link>
    </li>
  )
}

/** Tries again by itself when the network is back. */
function FailedPosts({ onOnline }: { onOnline: () => void }) {
  useWhenOnline(onOnline)
  return <Alert kind="error">{texts.failures.titleAgain}</Alert>
}
