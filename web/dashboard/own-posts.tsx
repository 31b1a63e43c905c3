// The viewer's own posts on the dashboard, inactive ones too.

import { FilePenLine, Pencil } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useApi } from '../api/api-context.tsx'
import { useFirstData } from '../api/first-data.ts'
import { succeed } from '../api/result.ts'
import { type ListState, totalShown } from '../feed/post-lists.ts'
import { useListState } from '../feed/use-list-state.ts'
import { useMoreFocus } from '../feed/use-more-focus.ts'
import { previewOf } from '../files/files-api.ts'
import { texts } from '../locales/texts.ts'
import { FeaturedImage } from '../posts/featured-image.tsx'
import { placeholderStyle } from '../posts/image-color.ts'
import { LikeStat } from '../posts/like-stat.tsx'
import { LocalDate } from '../posts/local-date.tsx'
import type { PostSummary } from '../posts/posts-api.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { LoadingText } from '../ui/loading-text.tsx'
import { useWhenOnline } from '../ui/use-online.ts'
import { DeletedLink } from './deleted-link.tsx'
import { type FirstDashboard, loadOwnPosts } from './first-own-posts.ts'

const THUMB = { width: 104, height: 58 }

/**
 * Loads the viewer's posts page by page. Going back in the history shows again those that were
 * loaded before.
 */
export function useOwnPosts(userId: string | undefined) {
  const api = useApi()
  const loaded = useFirstData<FirstDashboard>(userId)
  const first = loaded?.ok ? succeed(loaded.value.own) : loaded
  const [own, setOwn] = useListState(userId ? { list: 'own', viewerId: userId } : undefined, first)
  const [hasFailed, setFailed] = useState(first?.ok === false)
  const [isLoading, setLoading] = useState(false)
  const [deletions, setDeletions] = useState(0)

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
    if (!own && !hasFailed) void load()
  }, [userId])
  /** A post was deleted on this page. */
  function forget(slug: string): void {
    setDeletions(deletions + 1)
    const gone = own?.posts.find(({ $id }) => $id === slug)
    if (!own || !gone) return
    const posts = own.posts.filter((post) => post !== gone)
    const active = own.active && own.active - Number(gone.status === 'active')
    setOwn({ ...own, posts, active, total: Math.max(0, own.total - 1) })
  }
  return { own, hasFailed, isLoading, load, forget, deletions }
}

/** "4 posts, 3 of them active." */
export function ownPostsText({ total, active }: ListState): string {
  return texts.ownPosts.count(total, active)
}

export function OwnPostsList({
  own,
  hasFailed,
  isLoading,
  load,
  deletions,
}: ReturnType<typeof useOwnPosts>) {
  const list = useRef<HTMLUListElement>(null)
  const end = useRef<HTMLHeadingElement>(null)
  const askMore = useMoreFocus(own, { list, end })
  return (
    <div className="dashboard__posts">
      <div className="section-header">
        <h2 ref={end} tabIndex={-1}>
          {texts.ownPosts.title}
        </h2>
      </div>
      {own && own.posts.length > 0 && (
        // biome-ignore lint/a11y/noRedundantRoles: without bullets some readers no longer call it a list
        <ul className="post-list" role="list" ref={list}>
          {own.posts.map((post) => (
            <OwnPost key={post.$id} post={post} />
          ))}
        </ul>
      )}
      {own?.total === 0 && <NoPosts />}
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
      <DeletedLink changes={deletions} />
    </div>
  )
}

function OwnPost({ post }: { post: PostSummary }) {
  const api = useApi()
  const { $id: slug, title, featuredImage: fileId, status } = post
  return (
    <li>
      <div className="thumbnail" style={placeholderStyle(post.imageColor)}>
        <FeaturedImage
          image={
            fileId ? previewOf(api, api.settings.contentBucketId, { fileId, ...THUMB }) : undefined
          }
          title={title}
          slug={slug}
        />
      </div>
      <div>
        <h3 dir="auto">
          <Link to={`/post/${slug}`}>{title}</Link>
        </h3>
        <p className="facts">
          <span className={status === 'active' ? 'chip chip--on' : 'chip'}>
            {texts.statuses[status]}
          </span>
          {post.hidden && <span className="chip">{texts.ownPosts.hidden}</span>}
          <LocalDate time={post.$createdAt} />
          <LikeStat like={post.like} />
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

function NoPosts() {
  return (
    <div className="panel panel--centred">
      <FilePenLine className="icon" aria-hidden="true" />
      <p>
        {texts.ownPosts.empty}
        <br />
        <span className="subtitle">{texts.ownPosts.emptyHint}</span>
      </p>
      <Link className={buttonClass('primary')} to="/add-post">
        {texts.ownPosts.writeFirst}
      </Link>
    </div>
  )
}
