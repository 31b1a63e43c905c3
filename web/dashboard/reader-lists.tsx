// The dashboard of a user who cannot write posts: the posts that the user likes, and the user's
// comments.
import { ChevronRight, Heart, Reply } from 'lucide-react'
import { type ReactNode, type RefObject, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { commentElementId } from '#contract/post-url.ts'
import { type Result, useApi } from '../api/client.ts'
import { LocalDate } from '../dates/dates.tsx'
import { EmptyBox, GrowingList, PostThumbnail, useRowFocus } from '../lists/list-parts.tsx'
import { saveLike } from '../lists/post-lists.ts'
import { type ListPage, useList } from '../lists/use-list.ts'
import { texts } from '../locales/texts.ts'
import { Stat } from '../posts/like-stat.tsx'
import { truncateText } from '../posts/plain-text.ts'
import type { PostSummary } from '../posts/posts-api.ts'
import { ButtonLink, IconButton } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { retryToast, useToasts } from '../ui/toasts.tsx'
import { type LoadRows, type OwnComment, SHORT_LIST_ROWS } from './reader-loader.ts'

const words = texts.readerDashboard
/** A comment is cut to this length in its row. */
const COMMENT_SHOWN_CHARS = 200

type Identified = { $id: string }
export type ReaderListState<Row extends Identified> = ReturnType<typeof useReaderList<Row>>

/** The state of one of the two lists. `?all=<name>` shows the whole list, page by page. */
export function useReaderList<Row extends Identified>(
  name: 'likes' | 'comments',
  userId: string,
  { initial, load }: { initial: Result<ListPage<Row>> | undefined; load: LoadRows<Row> },
) {
  const api = useApi()
  const isAll = useSearchParams()[0].get('all') === name
  const list = useList<ListPage<Row>>({
    initial: isAll ? undefined : initial,
    load: (previous) => load(api, userId, { isAll, previous }),
    version: isAll ? 'all' : undefined,
  })
  // After going back from all rows, only the first ones are shown again.
  const rows = isAll ? list.page?.rows : list.page?.rows.slice(0, SHORT_LIST_ROWS)
  return { ...list, name, rows, isAll }
}

type ReaderListProps<Row extends Identified> = {
  list: ReaderListState<Row>
  title: RefObject<HTMLHeadingElement | null>
  words: { title: string; empty: string; emptyHint: string; failed: string }
  emptyAction?: ReactNode
  className: string
  children: ReactNode
}

function ReaderList<Row extends Identified>({
  list,
  title,
  words: listWords,
  ...rest
}: ReaderListProps<Row>) {
  const { name, page, rows, isAll, failure, isLoading, loadMore } = list
  const { emptyAction, className, children } = rest
  const hasMore = page !== undefined && rows !== undefined && rows.length < page.total
  return (
    <section className={className} aria-labelledby={`own-${name}`}>
      <div className="apart section-header">
        <h2 id={`own-${name}`} ref={title} tabIndex={-1}>
          {listWords.title}
        </h2>
        {hasMore && !isAll && (
          <ButtonLink kind="ghost" to={{ search: `?all=${name}` }} preventScrollReset>
            {words.all(page.total)}
          </ButtonLink>
        )}
      </div>
      <GrowingList
        rows={rows}
        empty={
          <EmptyBox title={listWords.empty} hint={listWords.emptyHint}>
            {emptyAction}
          </EmptyBox>
        }
        loadingText={texts.ownPosts.loading}
        failureText={failure && listWords.failed}
        hasMore={isAll && hasMore}
        isLoading={isLoading}
        onLoad={loadMore}
        note={isAll && page && <p>{texts.feed.showing(page.rows.length, page.total)}</p>}
      >
        {children}
      </GrowingList>
    </section>
  )
}

export function LikedPosts({
  list,
  userId,
}: {
  list: ReaderListState<PostSummary>
  userId: string
}) {
  const api = useApi()
  const { show } = useToasts()
  const title = useRef<HTMLHeadingElement>(null)
  const focus = useRowFocus(title)

  async function save(post: PostSummary, isLiked: boolean): Promise<boolean> {
    const likeId = isLiked ? [] : [userId]
    const saved = await saveLike(api, { ...post, likeId }, { viewerId: userId, isLiked })
    if (!saved.ok) show(retryToast(words.likes.notSaved, () => void setLiked(post, isLiked)))
    return saved.ok
  }
  async function setLiked(post: PostSummary, isLiked: boolean): Promise<void> {
    if (isLiked) {
      const index = list.page?.rows.findIndex(({ $id }) => $id === post.$id) ?? 0
      if (await save(post, true)) list.insert(post, Math.max(index, 0))
      return
    }
    const isRemoved = await focus.focusAfter(post.$id, async () => {
      const isSaved = await save(post, false)
      if (isSaved) list.remove(post.$id)
      return isSaved
    })
    if (!isRemoved) return
    const action = { label: words.likes.undo, onPress: () => void setLiked(post, true) }
    show({ kind: 'ok', text: words.likes.unliked(post.title), action })
  }
  return (
    <ReaderList
      list={list}
      title={title}
      words={words.likes}
      className="dashboard__drafts"
      emptyAction={<ButtonLink to="/post">{texts.places.allPosts}</ButtonLink>}
    >
      <ul className="box box-list lines post-list" ref={focus.list}>
        {list.rows?.map((post) => (
          <li className="hoverable" key={post.$id} data-row={post.$id}>
            <PostThumbnail post={post} />
            <div>
              <h3 dir="auto">
                <Link className="clamp" to={`/post/${post.$id}`}>
                  {post.title}
                </Link>
              </h3>
              <p className="hint row facts">
                <bdi>{texts.card.by(post.userName)}</bdi>
                <LocalDate time={post.$createdAt} />
              </p>
            </div>
            <IconButton
              className="heart"
              aria-pressed={true}
              label={words.likes.unlike(post.title)}
              onClick={() => void setLiked(post, false)}
              Icon={Heart}
            />
          </li>
        ))}
      </ul>
    </ReaderList>
  )
}

export function OwnComments({ list }: { list: ReaderListState<OwnComment> }) {
  const title = useRef<HTMLHeadingElement>(null)
  return (
    <ReaderList list={list} title={title} words={words.comments} className="dashboard__posts">
      <ul className="box box-list lines post-list post-list--plain">
        {list.rows?.map((comment) => (
          <CommentRow key={comment.$id} comment={comment} />
        ))}
      </ul>
    </ReaderList>
  )
}

function CommentRow({ comment }: { comment: OwnComment }) {
  const { $id, postId, postTitle, content, status, hiddenBy, replies } = comment
  const path = `/post/${postId}?comment=${$id}#${commentElementId($id)}`
  return (
    <li className="hoverable">
      <div>
        <h3 className="own-comment" dir="auto">
          <Link className="clamp" to={path}>
            {truncateText(content, COMMENT_SHOWN_CHARS)}
          </Link>
        </h3>
        <p className="hint row facts">
          {status === 'waiting' && (
            <span className="chip chip--warn">{words.comments.waiting}</span>
          )}
          {status === 'hidden' && (
            <span className="chip">{words.comments.hidden[hiddenBy || 'operator']}</span>
          )}
          <span>{words.comments.under(<bdi>{postTitle}</bdi>)}</span>
          <LocalDate time={comment.$createdAt} hasTime />
          {replies > 0 && (
            <Stat Icon={Reply} value={replies} spoken={words.comments.replies(replies)} />
          )}
        </p>
      </div>
      <ButtonLink
        kind="ghost"
        className="btn--icon"
        to={path}
        aria-label={words.comments.goTo(postTitle)}
      >
        <ChevronRight className="icon flip-in-rtl" aria-hidden="true" />
      </ButtonLink>
    </li>
  )
}
