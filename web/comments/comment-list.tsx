// The list of one page: comments with their replies below them, and the links to other pages.
import { ChevronDown, MessageSquare } from 'lucide-react'
import { type ComponentType, Fragment, type MouseEvent, type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation } from 'react-router'
import { COMMENTS_PAGE, type CommentDocument, type CommentThread } from '#contract/comments.ts'
import { writeCommentsQuery } from '#contract/post-url.ts'
import { useApi } from '../api/client.ts'
import { PageNav } from '../lists/page-links.tsx'
import { texts } from '../locales/texts.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { retryToast, useToasts } from '../ui/toasts.tsx'
import { CommentItem, focusComment } from './comment-item.tsx'
import { gapOf, isListed, withReplies } from './comment-page.ts'
import { readComments, type ShownComments } from './comments-api.ts'
import type { Discussion, OpenField } from './discussion.ts'
import { COMMENTS_ID, type Comments } from './use-comments.ts'

const count = new Intl.NumberFormat(texts.language)

/** The code for writing, once it is there. */
export type WritingParts = {
  NewField: ComponentType<{ discussion: Discussion }>
  Panel: ComponentType<{ discussion: Discussion }>
  Tools: ComponentType<{ comment: CommentDocument; discussion: Discussion }>
  Field: ComponentType<{
    comment: CommentDocument
    field: OpenField
    threadId: string
    discussion: Discussion
  }>
}

export type CommentListProps = {
  page: ShownComments
  comments: Comments
  authorId: string
  viewerId: string | undefined
  /** Comments of others that are not shown yet. */
  news: CommentDocument[]
  onShow: (news: CommentDocument[]) => void
  /** Of those who may write; undefined for visitors. */
  discussion: Discussion | undefined
  /** undefined until its code is there. */
  writing: WritingParts | undefined
}

export function CommentList(props: CommentListProps) {
  const { page, news } = props
  return (
    <>
      {page.state === 'open' && page.comments.length === 0 && <Empty />}
      <ul
        className={
          props.discussion ? 'lines comment-list' : 'lines comment-list comment-list--read'
        }
      >
        {page.comments.map((thread) => (
          <li key={thread.$id}>
            <Thread
              {...props}
              thread={thread}
              news={news.filter(({ parentId }) => parentId === thread.$id)}
            />
          </li>
        ))}
      </ul>
      <Pages page={page} />
    </>
  )
}

function Empty() {
  return (
    <p className="box comments__panel comments__empty">
      <span>
        <b>{texts.comments.empty}</b>
        {texts.comments.emptyHint}
      </span>
    </p>
  )
}

type ThreadProps = CommentListProps & { thread: CommentThread }

function Thread(props: ThreadProps) {
  const { page, thread, news, onShow, comments } = props
  const { replyList, replies } = thread
  // The page of one thread says itself how many there are.
  const folded = page.thread ? 0 : replies - replyList.filter(isListed).length
  const gap = gapOf(thread)
  const more = folded > 0 && (
    <li>
      <MoreReplies thread={thread} folded={folded} comments={comments} />
    </li>
  )
  return (
    <>
      <Row {...props} comment={thread} />
      {(replyList.length > 0 || folded > 0 || news.length > 0) && (
        <ul className="comment-replies">
          {replyList.map((reply, at) => (
            <Fragment key={reply.$id}>
              {at === gap && more}
              <li>
                <Row {...props} comment={reply} />
              </li>
            </Fragment>
          ))}
          {gap === replyList.length && more}
          {news.length > 0 && (
            <li>
              <NewsButton
                text={texts.comments.newComments.replies(news.length)}
                onShow={() => onShow(news)}
              />
            </li>
          )}
        </ul>
      )}
    </>
  )
}

type RowProps = ThreadProps & { comment: CommentDocument }

function Row({ comment, thread, comments, authorId, viewerId, discussion, writing }: RowProps) {
  const field = discussion?.open?.id === comment.$id ? discussion.open : undefined
  const opened: ReactNode = field && discussion && writing && (
    <writing.Field comment={comment} field={field} threadId={thread.$id} discussion={discussion} />
  )
  return (
    <>
      <CommentItem
        comment={comment}
        authorId={authorId}
        viewerId={viewerId}
        isHere={comments.hereId === comment.$id}
        form={field?.kind === 'edit' ? opened : undefined}
        tools={
          discussion &&
          (writing ? (
            <writing.Tools comment={comment} discussion={discussion} />
          ) : (
            <div className="comment__tools" />
          ))
        }
      />
      {field?.kind === 'reply' && opened}
    </>
  )
}

type MoreRepliesProps = { thread: CommentThread; folded: number; comments: Comments }

/** A link to all of them; with scripts they are put in here. */
function MoreReplies({ thread, folded, comments }: MoreRepliesProps) {
  const api = useApi()
  const toasts = useToasts()
  const [isLoading, setLoading] = useState(false)
  async function expand() {
    setLoading(true)
    // All but the newest one are the first ones.
    const first = thread.replyList.filter(isListed).length - 1
    const page = Math.floor(Math.max(0, first) / COMMENTS_PAGE) + 1
    const asked = { thread: thread.$id, page, order: 'oldest' } as const
    const answer = await readComments(api, comments.postId, asked)
    setLoading(false)
    if (!answer.ok) return toasts.show(retryToast(texts.comments.failed, () => void expand()))
    const found = answer.value.comments[0]?.replyList ?? []
    const known = new Set(thread.replyList.map(({ $id }) => $id))
    const [next] = found.filter(({ $id }) => !known.has($id))
    // The link goes with the last of them: the focus moves to the first, which must be there.
    flushSync(() => comments.change((now) => withReplies(now, thread.$id, found)))
    if (next) focusComment(next.$id)
  }
  function handleClick(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (!isLoading) void expand()
  }
  return (
    <Link
      className={buttonClass('ghost', 'comment__more')}
      to={{ search: writeCommentsQuery({ page: 1, thread: thread.$id }), hash: `#${COMMENTS_ID}` }}
      aria-busy={isLoading || undefined}
      onClick={handleClick}
    >
      <ChevronDown className="icon icon--small" aria-hidden="true" />
      {texts.comments.moreReplies(folded)}
    </Link>
  )
}

/** "2 new comments · Show" */
export function NewsButton({ text, onShow }: { text: string; onShow: () => void }) {
  return (
    <Button kind="primary" className="btn--pill" onClick={onShow}>
      <MessageSquare className="icon icon--small" aria-hidden="true" />
      {texts.comments.newComments.show(text)}
    </Button>
  )
}

/** Without a number the newest order begins with its last page. */
export function searchFor({ order }: ShownComments, page: number, thread = ''): string {
  const isNamed = page === 1 && !thread && order === 'newest'
  return isNamed ? '?comments=1' : writeCommentsQuery({ page, thread })
}

function Pages({ page: shown }: { page: ShownComments }) {
  const { page, pages, thread, comments, total } = shown
  const { pathname } = useLocation()
  const { pages: words } = texts.comments
  if (pages < 2) return null
  const to = (number: number) => ({
    pathname,
    search: searchFor(shown, number, thread),
    hash: `#${COMMENTS_ID}`,
  })
  const first = COMMENTS_PAGE * (page - 1) + 1
  const listed = (thread ? (comments[0]?.replyList ?? []) : comments).filter(isListed)
  const last = Math.max(first, first - 1 + listed.length)
  const all = thread ? (comments[0]?.replies ?? 0) : total
  const range = (thread ? words.replies : words.range)(
    count.format(first),
    count.format(last),
    count.format(all),
  )
  return (
    <PageNav
      label={words.label}
      previous={page > 1 ? { to: to(page - 1), text: words.older } : undefined}
      next={page < pages ? { to: to(page + 1), text: words.newer } : undefined}
      range={range}
    />
  )
}
