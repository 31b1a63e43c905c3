// One comment as everybody reads it, or the line in place of one that was hidden or deleted.
import { Clock, EyeOff, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import type { CommentDocument } from '#contract/comments.ts'
import { initialsOf } from '#contract/plain-text.ts'
import { LocalDate } from '../accounts/dates.tsx'
import { texts } from '../locales/texts.ts'
import { AuthorAvatar } from '../posts/author-avatar.tsx'
import { useAuthorPath } from '../posts/post-paths.ts'
import { CommentText } from './comment-text.tsx'

const FACE_PIXELS = 40

/** Id of its element, and the end of its address. */
export function elementIdOf(commentId: string): string {
  return `c-${commentId}`
}

export function focusComment(commentId: string): void {
  document.getElementById(elementIdOf(commentId))?.focus({ preventScroll: true })
}

type CommentItemProps = {
  comment: CommentDocument
  /** The writer of the post. */
  authorId: string
  viewerId: string | undefined
  /** Somebody was sent to it, or it was written just now. */
  isHere: boolean
  /** In place of the text. */
  form?: ReactNode
  tools?: ReactNode
}

export function CommentItem(props: CommentItemProps) {
  const { comment, authorId, viewerId, isHere, form, tools } = props
  const { $id, userId, userName, content } = comment
  const path = useAuthorPath()({ userid: userId, userName })
  if (!content) return <GoneComment comment={comment} isHere={isHere} />
  const name = <bdi>{userName}</bdi>
  return (
    <article className={isHere ? 'comment is-here' : 'comment'} id={elementIdOf($id)} tabIndex={-1}>
      <Face userId={userId} name={userName} avatarId={comment.userAvatar} />
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
          <StatusChip comment={comment} isByViewer={authorId === viewerId} />
          <TimeLink comment={comment} />
          {comment.editedAt && <span className="quiet">{texts.comments.edited}</span>}
        </div>
        {form ?? <CommentText text={content} hasLinks={comment.hasLinks} />}
        {userId === viewerId && <OwnHidden comment={comment} />}
        {!form && tools}
      </div>
    </article>
  )
}

type FaceProps = { userId: string; name: string; avatarId: string }

/** Without an avatar the initials, which need no request; nobody's when the account is gone. */
export function Face({ userId, name, avatarId }: FaceProps) {
  if (avatarId) return <AuthorAvatar name={name} avatarId={avatarId} sidePixels={FACE_PIXELS} />
  return (
    <span className="avatar" aria-hidden="true">
      {userId ? initialsOf(name) : <Minus className="icon icon--small" />}
    </span>
  )
}

function TimeLink({ comment: { $id, $createdAt } }: Pick<CommentItemProps, 'comment'>) {
  const { search } = useLocation()
  return (
    <Link
      className="target quiet"
      to={{ search, hash: `#${elementIdOf($id)}` }}
      title={texts.comments.permalink}
    >
      <LocalDate time={$createdAt} hasTime />
    </Link>
  )
}

type StatusChipProps = { comment: CommentDocument; isByViewer: boolean }

function StatusChip({ comment: { status, hiddenBy }, isByViewer }: StatusChipProps) {
  const { waiting, hidden, hiddenByYou } = texts.comments.status
  if (status !== 'waiting' && status !== 'hidden') return null
  const Icon = status === 'waiting' ? Clock : EyeOff
  return (
    <span className="chip chip--icon">
      <Icon className="icon icon--small" aria-hidden="true" />
      {status === 'waiting' ? waiting : isByViewer && hiddenBy === 'author' ? hiddenByYou : hidden}
    </span>
  )
}

/** Its writer still sees the words. */
function OwnHidden({ comment }: Pick<CommentItemProps, 'comment'>) {
  const { status, hiddenBy, hiddenAt } = comment
  if (status !== 'hidden' || !hiddenBy) return null
  return (
    <p className="quiet">{texts.comments.ownHidden[hiddenBy](<LocalDate time={hiddenAt} />)}</p>
  )
}

function GoneComment({ comment, isHere }: Pick<CommentItemProps, 'comment' | 'isHere'>) {
  const { $id, $createdAt, status, hiddenBy, hiddenAt, userName } = comment
  const { gone, deletedPerson } = texts.comments
  return (
    <article
      className={isHere ? 'comment comment--gone is-here' : 'comment comment--gone'}
      id={elementIdOf($id)}
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
