// The list of one page of comments, with the replies below each, and the links to other pages.
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
import { gapIndexOf, isListed, withReplies } from './comment-page.ts'
import { readComments, type ShownComments } from './comments-api.ts'
import type { Discussion, OpenField } from './discussion.ts'
import { COMMENTS_ID, type Comments } from './use-comments.ts'

const count = new Intl.NumberFormat(texts.language)

/** The components for writing, which are loaded later. */
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
  /** Comments by others that are not shown yet. */
  newComments: CommentDocument[]
  onShow: (newComments: CommentDocument[]) => void
  /** Undefined for visitors, who may not write. */
  discussion: Discussion | undefined
  /** Undefined until the code is loaded. */
  writing: WritingParts | undefined
}

export function CommentList(props: CommentListProps) {
  const { page, newComments } = props
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
              newComments={newComments.filter(({ parentId }) => parentId === thread.$id)}
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
  const { page, thread, newComments, onShow, comments } = props
  const { replyList, replies } = thread
  // On the page of a single thread, the page links show the number of replies.
  const leftOut = page.thread ? 0 : replies - replyList.filter(isListed).length
  const gapIndex = gapIndexOf(thread)
  const moreLink = leftOut > 0 && (
    <li>
      <MoreReplies thread={thread} leftOut={leftOut} comments={comments} />
    </li>
  )
  return (
    <>
      <Row {...props} comment={thread} />
      {(replyList.length > 0 || leftOut > 0 || newComments.length > 0) && (
        <ul className="comment-replies">
          {replyList.map((reply, index) => (
            <Fragment key={reply.$id}>
              {index === gapIndex && moreLink}
              <li>
                <Row {...props} comment={reply} />
              </li>
            </Fragment>
          ))}
          {gapIndex === replyList.length && moreLink}
          {newComments.length > 0 && (
            <li>
              <NewCommentsButton
                text={texts.comments.newComments.replies(newComments.length)}
                onShow={() => onShow(newComments)}
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
  const field = discussion?.openField?.id === comment.$id ? discussion.openField : undefined
  const openForm: ReactNode = field && discussion && writing && (
    <writing.Field comment={comment} field={field} threadId={thread.$id} discussion={discussion} />
  )
  return (
    <>
      <CommentItem
        comment={comment}
        authorId={authorId}
        viewerId={viewerId}
        isHighlighted={comments.highlightedId === comment.$id}
        form={field?.kind === 'edit' ? openForm : undefined}
        tools={
          discussion &&
          (writing ? (
            <writing.Tools comment={comment} discussion={discussion} />
          ) : (
            <div className="comment__tools" />
          ))
        }
      />
      {field?.kind === 'reply' && openForm}
    </>
  )
}

type MoreRepliesProps = { thread: CommentThread; leftOut: number; comments: Comments }

/** A link to all replies. With scripts, pressing it adds the next ones to the list. */
function MoreReplies({ thread, leftOut, comments }: MoreRepliesProps) {
  const api = useApi()
  const toasts = useToasts()
  const [isLoading, setLoading] = useState(false)
  async function expand() {
    setLoading(true)
    // Except for the newest, the loaded replies are the first ones of the thread.
    const loadedCount = thread.replyList.filter(isListed).length - 1
    const page = Math.floor(Math.max(0, loadedCount) / COMMENTS_PAGE) + 1
    const query = { thread: thread.$id, page, order: 'oldest' } as const
    const answer = await readComments(api, comments.postId, query)
    setLoading(false)
    if (!answer.ok) return toasts.show(retryToast(texts.comments.failed, () => void expand()))
    const replies = answer.value.comments[0]?.replyList ?? []
    const knownIds = new Set(thread.replyList.map(({ $id }) => $id))
    const firstNew = replies.find(({ $id }) => !knownIds.has($id))
    // The link may disappear: the focus moves to the first new reply, which must be rendered.
    flushSync(() => comments.change((current) => withReplies(current, thread.$id, replies)))
    if (firstNew) focusComment(firstNew.$id)
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
      {texts.comments.moreReplies(leftOut)}
    </Link>
  )
}

/** "2 new comments · Show" */
export function NewCommentsButton({ text, onShow }: { text: string; onShow: () => void }) {
  return (
    <Button kind="primary" className="btn--pill" onClick={onShow}>
      <MessageSquare className="icon icon--small" aria-hidden="true" />
      {texts.comments.newComments.show(text)}
    </Button>
  )
}

/** In the newest order, page 1 needs a number: without one, the address shows the last page. */
export function searchOfPage({ order }: ShownComments, page: number, thread = ''): string {
  const needsNumber = page === 1 && !thread && order === 'newest'
  return needsNumber ? '?comments=1' : writeCommentsQuery({ page, thread })
}

function Pages({ page: shown }: { page: ShownComments }) {
  const { page, pages, thread, comments, total } = shown
  const { pathname } = useLocation()
  const { pages: words } = texts.comments
  if (pages < 2) return null
  const linkTo = (number: number) => ({
    pathname,
    search: searchOfPage(shown, number, thread),
    hash: `#${COMMENTS_ID}`,
  })
  const first = COMMENTS_PAGE * (page - 1) + 1
  const listed = (thread ? (comments[0]?.replyList ?? []) : comments).filter(isListed)
  const last = Math.max(first, first - 1 + listed.length)
  const totalCount = thread ? (comments[0]?.replies ?? 0) : total
  const range = (thread ? words.replies : words.range)(
    count.format(first),
    count.format(last),
    count.format(totalCount),
  )
  return (
    <PageNav
      label={words.label}
      previous={page > 1 ? { to: linkTo(page - 1), text: words.older } : undefined}
      next={page < pages ? { to: linkTo(page + 1), text: words.newer } : undefined}
      range={range}
    />
  )
}
