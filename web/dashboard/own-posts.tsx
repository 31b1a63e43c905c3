// The viewer's own active posts on the dashboard; inactive ones are listed with the drafts.
import { ChevronRight, Eye, Pencil, Trash2, UserRound } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ReadNumbers } from '#contract/reads.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { succeed, useApi } from '../api/client.ts'
import { useInitialData } from '../api/initial-data.ts'
import { LocalDate } from '../dates/dates.tsx'
import { GrowingList, PostThumbnail } from '../lists/list-parts.tsx'
import { type PostList, useMoreFocus, usePostList } from '../lists/list-state.ts'
import { totalShown } from '../lists/post-lists.ts'
import { texts } from '../locales/texts.ts'
import { listDeleted } from '../posts/history-api.ts'
import { LikeStat, Stat, statusText } from '../posts/like-stat.tsx'
import { authorPath } from '../posts/post-paths.ts'
import { listOwn, OWN_PAGE_POSTS, type PostSummary } from '../posts/posts-api.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { MessageScreen } from '../ui/screens.tsx'
import type { InitialDashboard } from './dashboard-loader.ts'
import { ReadsPart } from './reads-part.tsx'

/** Going back in the history shows all posts that were loaded before. */
export function useOwnPosts(userId: string) {
  const api = useApi()
  const initial = useInitialData<InitialDashboard>(userId)
  return usePostList(
    { list: 'own', viewerId: userId },
    {
      initial: initial?.ok ? succeed(initial.value.own) : initial,
      pageSize: OWN_PAGE_POSTS,
      listFrom: (after) => listOwn(api, userId, after),
    },
  )
}

type OwnPostsListProps = {
  list: PostList
  userId: string
  reads: ReadNumbers | undefined
  /** The number of posts that were deleted on this page. */
  deletions: number
}

export function OwnPostsList({ list: posts, userId, reads, deletions }: OwnPostsListProps) {
  const { state, failure, isLoading, load } = posts
  const list = useRef<HTMLUListElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const loadMore = useMoreFocus(state, { list, end: heading })
  return (
    <div className="dashboard__posts">
      <div className="apart section-header">
        <h2 ref={heading} tabIndex={-1}>
          {texts.ownPosts.title}
        </h2>
        <ButtonLink kind="ghost" to={authorPath(userId)}>
          <UserRound className="icon icon--small" aria-hidden="true" />
          {texts.ownPosts.page}
        </ButtonLink>
      </div>
      <GrowingList
        rows={state?.posts}
        empty={<p className="empty-box">{texts.ownPosts.nonePublished}</p>}
        loadingText={texts.loading.posts}
        failureText={failure && texts.failures.titleAgain}
        hasMore={state && !state.isLast}
        isLoading={isLoading}
        onLoad={() => void loadMore(load)}
        note={state && <p>{texts.feed.showing(state.posts.length, totalShown(state))}</p>}
      >
        <ul className="box box-list lines post-list" ref={list}>
          {state?.posts.map((post) => (
            <OwnPost
              key={post.$id}
              post={post}
              reads={reads?.posts.find(({ $id }) => $id === post.$id)?.reads}
            />
          ))}
        </ul>
      </GrowingList>
      {reads && state && state.posts.length > 0 && <ReadsPart reads={reads} />}
      <DeletedPostsLink deletions={deletions} />
    </div>
  )
}

/** @param props.reads the number of reads in thirty days, if it is known */
function OwnPost({ post, reads }: { post: PostSummary; reads: number | undefined }) {
  const { $id: slug, title, status } = post
  return (
    <li className="hoverable">
      <PostThumbnail post={post} />
      <div>
        <h3 dir="auto">
          <Link className="clamp" to={`/post/${slug}`}>
            {title}
          </Link>
        </h3>
        <p className="hint row facts">
          <span className={status === 'active' ? 'chip chip--on' : 'chip'}>
            {statusText(status)}
          </span>
          {post.hidden && <span className="chip">{texts.ownPosts.hidden}</span>}
          <LocalDate time={post.$createdAt} />
          <LikeStat like={post.like} />
          {reads !== undefined && (
            <Stat Icon={Eye} value={reads} spoken={texts.reads.label(reads)} />
          )}
        </p>
      </div>
      <ButtonLink
        kind="ghost"
        className="btn--icon"
        to={`/edit-post/${slug}`}
        aria-label={texts.ownPosts.edit(title)}
        Icon={Pencil}
      />
    </li>
  )
}

type DeletedPostsLinkProps = {
  /** The number of posts that were deleted on this page. When it changes, the total is reloaded. */
  deletions: number
  /** Shows the link only when there are deleted posts. */
  hidesWhenEmpty?: boolean
}

/** Leads to the deleted posts, and says how many there are. */
function DeletedPostsLink({ deletions, hidesWhenEmpty = false }: DeletedPostsLinkProps) {
  const api = useApi()
  const initial = useInitialData<InitialDashboard>(useViewer().userData?.$id)
  const initialTotal = initial?.ok ? initial.value.deleted : undefined
  const [total, setTotal] = useState(initialTotal)
  const count = useEffectEvent(() => {
    if (initialTotal !== undefined && deletions === 0) return
    let isCurrent = true
    // Without an answer the link shows no number.
    void listDeleted(api, { limit: 1 }).then((page) => {
      if (isCurrent && page.ok) setTotal(page.value.total)
    })
    return () => {
      isCurrent = false
    }
  })
  useEffect(() => count(), [api, deletions])
  if (hidesWhenEmpty && !total) return null
  return (
    <Link className="box hoverable row-link" to="/dashboard/deleted">
      <Trash2 className="icon" aria-hidden="true" />
      <span>
        {texts.deletedPosts.title} {total ? <small>{texts.deletedPosts.kept(total)}</small> : null}
      </span>
      <ChevronRight className="icon flip-in-rtl" aria-hidden="true" />
    </Link>
  )
}

type NoPostsYetProps = {
  /** The number of posts that were deleted on this page. */
  deletions: number
  /** Another button of the page is the primary one. */
  isQuiet: boolean
}

/** Shown to an author who has written nothing yet. */
export function NoPostsYet({ deletions, isQuiet }: NoPostsYetProps) {
  return (
    <div className="dashboard__posts">
      <MessageScreen
        art="lit"
        title={texts.ownPosts.empty}
        titleLevel={2}
        actions={
          <ButtonLink kind={isQuiet ? 'secondary' : 'primary'} to="/add-post" Icon={Pencil}>
            {texts.ownPosts.writeFirst}
          </ButtonLink>
        }
      >
        <p>{texts.ownPosts.emptyHint}</p>
      </MessageScreen>
      <DeletedPostsLink deletions={deletions} hidesWhenEmpty />
    </div>
  )
}
