// Sends the text of a comment field. However many attempts that takes, because the network fails or
// a response is lost, it creates only one comment.
import { ID } from 'appwrite'
import { useEffect, useEffectEvent, useState } from 'react'
import { renderComment } from '#contract/comment-text.ts'
import {
  COMMENT_MAX_CHARS,
  COMMENT_MAX_ELEMENTS,
  COMMENT_MAX_LINES,
  type CommentDocument,
} from '#contract/comments.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { type Failure, type Result, useApi } from '../api/client.ts'
import {
  type CommentDraft,
  type CommentTarget,
  findCommentDraft,
  writeCommentDraft,
} from '../drafts/comment-drafts.ts'
import { texts } from '../locales/texts.ts'
import { useAnnounce } from '../ui/live-region.tsx'
import { useWhenOnline } from '../ui/use-online.ts'
import { usePolling } from '../ui/use-polling.ts'
import { readComment } from './comments-api.ts'

/** For when only the server is down: then no browser event says when to try again. */
const RETRY_EVERY_MS = 15_000

const count = new Intl.NumberFormat(texts.language)
const words = texts.commentForm
const TEXTS_BY_TYPE: Record<string, string> = {
  comment_duplicate: words.duplicate,
  comment_edit_expired: words.editTimeOver,
  comments_closed: words.closed,
  general_rate_limit_exceeded: words.tooMany,
}

export type SendingOptions = {
  /** The initial text, unless the device has a draft. */
  initialText?: string
  /** Identifies the draft on the device; undefined stores none. */
  target?: CommentTarget
  /** @param id of the comment, the same for each attempt */
  send: (content: string, id: string) => Promise<Result<CommentDocument>>
  onSent: (comment: CommentDocument) => void
  /** Whether a comment that was sent here still waits for approval. */
  isUnapproved?: (id: string) => boolean
}

export function useSending(options: SendingOptions) {
  const { initialText = '', target, send: sendOnce, onSent, isUnapproved = () => true } = options
  const api = useApi()
  const { refresh } = useViewer()
  const announce = useAnnounce()
  const [draft, setDraft] = useState<CommentDraft>(
    () => (target && findCommentDraft(target)) ?? { text: initialText },
  )
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const [isChecked, setChecked] = useState(false)
  const [unapprovedId, setUnapprovedId] = useState<string>()

  function storeDraft(newDraft: CommentDraft) {
    setDraft(newDraft)
    if (target) writeCommentDraft(target, newDraft.text === initialText ? { text: '' } : newDraft)
  }
  function edit(text: string) {
    storeDraft({ text })
    setUnapprovedId(undefined)
    setError(isChecked ? findProblem(text) : undefined)
  }
  /** @returns false if the writer has to correct something, or if the server refused the comment */
  async function send(): Promise<boolean> {
    const { text, id = ID.unique() } = draft
    const problem = text.trim() ? findProblem(text) : words.empty
    setChecked(true)
    setError(problem)
    if (problem || isBusy) return !problem
    setBusy(true)
    storeDraft({ ...draft, id })
    const answer = await sendOnce(text.trim(), id)
    // An earlier attempt succeeded, and only its response was lost.
    const isStored = !answer.ok && answer.failure.type === 'document_already_exists'
    const comment = isStored ? await readComment(api, id) : answer
    setBusy(false)
    if (!comment.ok) return handleFailure(comment.failure, { text, id })
    storeDraft({ text: '' })
    setChecked(false)
    const isWaitingForApproval = comment.value.status === 'waiting'
    setUnapprovedId(isWaitingForApproval ? comment.value.$id : undefined)
    if (!isWaitingForApproval) announce(comment.value.editedAt ? words.saved : words.posted)
    onSent(comment.value)
    return true
  }
  function handleFailure({ code, type }: Failure, sentDraft: CommentDraft): boolean {
    if (code === 0) {
      storeDraft({ ...sentDraft, waitsSinceMs: draft.waitsSinceMs ?? Date.now() })
      return true
    }
    storeDraft(sentDraft)
    if (code === 401) void refresh()
    setError(TEXTS_BY_TYPE[type] ?? (code === 401 ? texts.failures.signedOut : words.notSaved))
    return false
  }
  const isWaiting = draft.waitsSinceMs !== undefined
  function retry() {
    if (isWaiting && !isBusy && navigator.onLine) void send()
  }
  useWhenOnline(retry)
  usePolling(retry, { isOn: isWaiting, everyMs: RETRY_EVERY_MS })
  const retryNow = useEffectEvent(retry)
  useEffect(() => retryNow(), [])
  return {
    text: draft.text,
    waitsSinceMs: draft.waitsSinceMs,
    isBusy,
    error,
    /** Says that the last comment waits for approval; undefined if it does not. */
    done:
      unapprovedId !== undefined && isUnapproved(unapprovedId) ? words.waitsForApproval : undefined,
    edit,
    send,
    stopWaiting: () => storeDraft({ text: draft.text }),
    discard: () => storeDraft({ text: '' }),
  }
}

/** @returns why the text cannot be sent */
function findProblem(text: string): string | undefined {
  const over = text.trim().length - COMMENT_MAX_CHARS
  if (over > 0) return words.tooLong(count.format(COMMENT_MAX_CHARS), count.format(over))
  const { exceeded } = renderComment(text.trim())
  if (!exceeded) return undefined
  if (exceeded === 'size') return words.tooMuch.size
  const limit = exceeded === 'lines' ? COMMENT_MAX_LINES : COMMENT_MAX_ELEMENTS
  return words.tooMuch[exceeded](count.format(limit))
}
