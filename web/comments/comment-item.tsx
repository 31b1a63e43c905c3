// One comment as readers see it, or the line that replaces a hidden or deleted comment.
import { Clock, EyeOff, Hourglass, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CommentDocument } from '#contract/comments.ts'
import { UNKNOWN_USER_NAME } from '#contract/limits.ts'
import { commentElementId } from '#contract/post-url.ts'
import { LocalDate } from '../dates/dates.tsx'
import { texts } from '../locales/texts.ts'
import { AuthorAvatar } from '../posts/author-avatar.tsx'
import { useAuthorPath } from '../posts/post-paths.ts'
import { Link } from '../ui/link.tsx'
import { CommentText } from './comment-text.tsx'

const AVATAR_PIXELS = 40

export function focusComment(commentId: string): void {
  document.getElementById(commentElementId(commentId))?.focus({ preventScroll: true })
}

type CommentItemProps = {
  comment: CommentDocument
  /** Id of the user who wrote the post. */
  authorId: string
  viewerId: string | undefined
  /** The address names this comment, or it has just been added to the page. */
  isHighlighted: boolean
  /** Shown instead of the text. */
  form?: ReactNode
  tools?: ReactNode
}

export function CommentItem(props: CommentItemProps) {
  const { comment, authorId, viewerId, isHighlighted, form, tools } = props
  const { $id, userId, userName, imported, content, html } = comment
  const path = useAuthorPath()({ userid: userId, userName })
  if (!content && !html) return <GoneComment comment={comment} isHighlighted={isHighlighted} />
  const name = <bdi>{userName}</bdi>
  const isOwnWaiting = comment.status === 'waiting' && userId === viewerId
  return (
    <article
      className={classOf(isOwnWaiting ? 'comment--waiting' : '', isHighlighted)}
      id={commentElementId($id)}
      tabIndex={-1}
    >
      <CommentAvatar
        name={userId || imported ? userName : UNKNOWN_USER_NAME}
        avatarId={comment.userAvatar}
      />
      <div className="comment__main">
        <div className="row comment__head">
          {path ? (
            <Link className="target comment__name" to={path}>
              {name}
            </Link>
          ) : (
            <span className="comment__name">{name}</span>
          )}
          {userId === authorId && (
            <span className="chip chip--on chip--icon">{texts.comments.author}</span>
          )}
          {imported && <span className="chip">{texts.comments.imported}</span>}
          <StatusChip comment={comment} authorId={authorId} viewerId={viewerId} />
          <TimeLink comment={comment} />
          {comment.editedAt && <span className="quiet">{texts.comments.edited}</span>}
        </div>
        {form ?? <CommentText content={content} hasLinks={comment.hasLinks} html={html} />}
        {userId === viewerId && <OwnNote comment={comment} />}
        {!form && tools}
      </div>
    </article>
  )
}

function classOf(modifier: string, isHighlighted: boolean): string {
  return ['comment', modifier, isHighlighted ? 'is-here' : ''].filter(Boolean).join(' ')
}

type CommentAvatarProps = { name: string; avatarId: string }

/** The avatar of a comment's writer. */
export function CommentAvatar(props: CommentAvatarProps) {
  return <AuthorAvatar {...props} sidePixels={AVATAR_PIXELS} />
}

function TimeLink({ comment: { $id, $createdAt } }: Pick<CommentItemProps, 'comment'>) {
  return (
    <a className="target quiet" href={`#${commentElementId($id)}`} title={texts.comments.permalink}>
      <LocalDate time={$createdAt} hasTime />
    </a>
  )
}

type StatusChipProps = Pick<CommentItemProps, 'comment' | 'authorId' | 'viewerId'>

function StatusChip({ comment, authorId, viewerId }: StatusChipProps) {
  const { status, hiddenBy, userId } = comment
  const { waiting, needsApproval, hidden, hiddenByYou } = texts.comments.status
  if (status === 'waiting' && userId === viewerId)
    return <span className="chip chip--warn">{waiting}</span>
  if (status !== 'waiting' && status !== 'hidden') return null
  const Icon = status === 'waiting' ? Clock : EyeOff
  const isByViewer = hiddenBy === 'author' && authorId === viewerId
  return (
    <span className="chip chip--icon">
      <Icon className="icon icon--small" aria-hidden="true" />
      {status === 'waiting' ? needsApproval : isByViewer ? hiddenByYou : hidden}
    </span>
  )
}

/** Tells the comment's writer why other readers do not see it. */
function OwnNote({ comment }: Pick<CommentItemProps, 'comment'>) {
  const { status, hiddenBy, hiddenAt } = comment
  if (status === 'waiting')
    return (
      <p className="row quiet comment__note">
        <Hourglass className="icon icon--small" aria-hidden="true" />
        <span>{texts.comments.ownWaiting}</span>
      </p>
    )
  if (status !== 'hidden' || !hiddenBy) return null
  return (
    <p className="quiet">{texts.comments.ownHidden[hiddenBy](<LocalDate time={hiddenAt} />)}</p>
  )
}

function GoneComment({
  comment,
  isHighlighted,
}: Pick<CommentItemProps, 'comment' | 'isHighlighted'>) {
  const { $id, $createdAt, status, hiddenBy, hiddenAt, userName } = comment
  const { gone, deletedPerson } = texts.comments
  return (
    <article
      className={classOf('comment--gone', isHighlighted)}
      id={commentElementId($id)}
      tabIndex={-1}
    >
      <span className="avatar" aria-hidden="true">
        <Minus className="icon icon--small" />
      </span>
      <div className="row comment__head">
        {status === 'deleted' && userName ? <i>{deletedPerson}</i> : gone[hiddenBy || 'deleted']}
        <span className="quiet">
          <LocalDate time={hiddenAt || $createdAt} hasTime />
        </span>
      </div>
    </article>
  )
}
