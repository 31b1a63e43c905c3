// The fields for a new comment, a reply and an edit, and the moderators' panel above the list.
// Loaded only if the viewer may write or moderate.
import { Lock, LockOpen } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { COMMENT_EDIT_SECONDS, type CommentDocument } from '#contract/comments.ts'
import { avatarIdOf } from '../accounts/avatar-url.ts'
import { useApi } from '../api/client.ts'
import { clockText } from '../dates/dates.tsx'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { LoadingText } from '../ui/screens.tsx'
import { retryToast, useToasts } from '../ui/toasts.tsx'
import { CommentForm } from './comment-form.tsx'
import { CommentAvatar, focusComment } from './comment-item.tsx'
import type { WritingParts } from './comment-list.tsx'
import { findIn, hasRoomFor, withAdded, withChanged } from './comment-page.ts'
import { CommentTools } from './comment-tools.tsx'
import { createComment, readComment, updateComment } from './comments-api.ts'
import type { Discussion, OpenField } from './discussion.ts'
import { WRITE_ID } from './use-comments.ts'
import { useModeration } from './use-moderation.ts'

export const writingParts: WritingParts = {
  NewField,
  Field: ReplyOrEditField,
  Tools: CommentTools,
  Panel: ModerationPanel,
}

const words = texts.commentForm

/** Sends a new comment and shows it. */
function useWriting({ post, comments, page, recordOwnId }: Discussion, parentId: string) {
  const api = useApi()
  return {
    send(content: string, id: string) {
      recordOwnId(id)
      return createComment(api, { id, postId: post.$id, parentId, content })
    },
    async show(written: CommentDocument) {
      comments.highlight(written.$id)
      const isOnPage = parentId !== '' || hasRoomFor(page, written)
      if (isOnPage) comments.change((current) => withAdded(current, written))
      else await comments.show({ comment: written.$id })
    },
  }
}

function NewField({ discussion }: { discussion: Discussion }) {
  const { viewer, post, page, openField } = discussion
  const { send, show } = useWriting(discussion, '')
  if (!page.canWrite) return null
  const { name, prefs } = viewer
  return (
    <CommentForm
      id={WRITE_ID}
      label={words.write}
      submitLabel={words.post}
      target={{ userId: viewer.$id, postId: post.$id, parentId: '' }}
      send={send}
      onSent={(written) => void show(written)}
      isQuiet={openField !== undefined}
      isUnapproved={(id) => (findIn(page, id)?.status ?? 'waiting') === 'waiting'}
      avatar={<CommentAvatar name={name} avatarId={avatarIdOf(prefs)} />}
    />
  )
}

type ReplyOrEditFieldProps = {
  comment: CommentDocument
  field: OpenField
  threadId: string
  discussion: Discussion
}

function ReplyOrEditField({ field, ...props }: ReplyOrEditFieldProps) {
  return field.kind === 'reply' ? <ReplyField {...props} /> : <EditField {...props} />
}

type FieldProps = Omit<ReplyOrEditFieldProps, 'field'>

function ReplyField({ comment, threadId, discussion }: FieldProps) {
  const { viewer, post, setOpenField } = discussion
  const { send, show } = useWriting(discussion, threadId)
  const toasts = useToasts()
  const isReplyToReply = comment.$id !== threadId
  return (
    <CommentForm
      label={words.reply(comment.userName)}
      submitLabel={words.post}
      initialText={isReplyToReply ? words.replyStart(comment.userName) : ''}
      target={{ userId: viewer.$id, postId: post.$id, parentId: comment.$id }}
      send={send}
      onSent={(written) => {
        setOpenField(undefined)
        void show(written)
        if (written.status === 'waiting') toasts.show({ kind: 'ok', text: words.waitsForApproval })
      }}
      onCancel={() => {
        setOpenField(undefined)
        focusComment(comment.$id)
      }}
      takesFocus
    />
  )
}

/** If the server has rendered the comment, loads its source text first. */
function EditField({ comment, discussion }: FieldProps) {
  const api = useApi()
  const toasts = useToasts()
  const load = useEffectEvent(async () => {
    if (comment.content) return
    const answer = await readComment(api, comment.$id)
    if (answer.ok) return discussion.comments.change((page) => withChanged(page, answer.value))
    discussion.setOpenField(undefined)
    const reopen = () => discussion.setOpenField({ id: comment.$id, kind: 'edit' })
    toasts.show(retryToast(words.notOpened, reopen))
  })
  useEffect(() => void load(), [])
  if (!comment.content) return <LoadingText>{words.opening}</LoadingText>
  return <EditForm comment={comment} discussion={discussion} />
}

function EditForm({ comment, discussion }: Omit<FieldProps, 'threadId'>) {
  const api = useApi()
  const { viewer, post, comments, setOpenField } = discussion
  const editEnd = new Date(Date.parse(comment.$createdAt) + COMMENT_EDIT_SECONDS * 1000)
  function handleEnd() {
    flushSync(() => setOpenField(undefined))
    focusComment(comment.$id)
  }
  return (
    <CommentForm
      label={words.edit}
      hint={words.editHint(clockText(editEnd.toISOString()))}
      submitLabel={words.save}
      initialText={comment.content}
      target={{ userId: viewer.$id, postId: post.$id, parentId: `edit/${comment.$id}` }}
      send={(content) => updateComment(api, comment.$id, { content })}
      onSent={(changed) => {
        comments.change((page) => withChanged(page, changed))
        handleEnd()
      }}
      onCancel={handleEnd}
      takesFocus
    />
  )
}

function ModerationPanel({ discussion }: { discussion: Discussion }) {
  const { setClosed } = useModeration(discussion)
  const [isBusy, setBusy] = useState(false)
  const isClosed = discussion.page.state === 'closed'
  const panel = texts.commentActions
  async function handlePress() {
    setBusy(true)
    await setClosed(!isClosed)
    setBusy(false)
  }
  return (
    <div className="box comments__panel">
      <p>
        <b>{isClosed ? panel.closed : panel.open}</b>
        <span className="quiet">{isClosed ? panel.closedHint : panel.openHint}</span>
      </p>
      <Button Icon={isClosed ? LockOpen : Lock} isBusy={isBusy} onClick={() => void handlePress()}>
        {isClosed ? panel.reopen : panel.close}
      </Button>
    </div>
  )
}
