// Sends what stands in a field for comments, once, however often it is tried: also when the network
// is gone meanwhile, or the answer is lost.
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
  type CommentPlace,
  findCommentDraft,
  writeCommentDraft,
} from '../drafts/comment-drafts.ts'
import { texts } from '../locales/texts.ts'
import { useAnnounce } from '../ui/live-region.tsx'
import { useWhenOnline } from '../ui/use-online.ts'
import { useRechecks } from '../ui/use-polling.ts'
import { readComment } from './comments-api.ts'

/** The server can be away while the browser has a network: then no event tells when to try. */
const RETRY_EVERY_MS = 15_000

const count = new Intl.NumberFormat(texts.language)
const words = texts.commentForm
const BY_TYPE: Record<string, string> = {
  comment_duplicate: words.duplicate,
  comment_edit_expired: words.late,
  comments_closed: words.closed,
  general_rate_limit_exceeded: words.tooMany,
}

export type SendingOptions = {
  /** What stands in it unless the device has kept something. */
  first?: string
  /** Where it is kept; undefined keeps nothing. */
  place?: CommentPlace
  /** @param id of the comment, the same at each try */
  send: (content: string, id: string) => Promise<Result<CommentDocument>>
  onSent: (comment: CommentDocument) => void
  /** Whether a comment that was sent here still waits for approval. */
  isHeld?: (id: string) => boolean
}

export function useSending(needs: SendingOptions) {
  const { first = '', place, send: sendOnce, onSent, isHeld = () => true } = needs
  const api = useApi()
  const { refresh } = useViewer()
  const announce = useAnnounce()
  const [kept, setKept] = useState<CommentDraft>(
    () => (place && findCommentDraft(place)) ?? { text: first },
  )
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const [isChecked, setChecked] = useState(false)
  const [heldId, setHeldId] = useState<string>()

  function keep(next: CommentDraft) {
    setKept(next)
    if (place) writeCommentDraft(place, next.text === first ? { text: '' } : next)
  }
  function edit(text: string) {
    keep({ text })
    setHeldId(undefined)
    setError(isChecked ? faultOf(text) : undefined)
  }
  /** @returns whether there is nothing to put right */
  async function send(): Promise<boolean> {
    const { text, id = ID.unique() } = kept
    const wrong = text.trim() ? faultOf(text) : words.empty
    setChecked(true)
    setError(wrong)
    if (wrong || isBusy) return !wrong
    setBusy(true)
    keep({ ...kept, id })
    const answer = await sendOnce(text.trim(), id)
    // An earlier try came through, and only its answer was lost.
    const isThere = !answer.ok && answer.failure.type === 'document_already_exists'
    const sent = isThere ? await readComment(api, id) : answer
    setBusy(false)
    if (!sent.ok) return handleFailure(sent.failure, { text, id })
    keep({ text: '' })
    setChecked(false)
    const isWaitingForApproval = sent.value.status === 'waiting'
    setHeldId(isWaitingForApproval ? sent.value.$id : undefined)
    if (!isWaitingForApproval) announce(sent.value.editedAt ? words.saved : words.posted)
    onSent(sent.value)
    return true
  }
  function handleFailure({ code, type }: Failure, tried: CommentDraft): boolean {
    if (code === 0) {
      keep({ ...tried, waitsSinceMs: kept.waitsSinceMs ?? Date.now() })
      return true
    }
    keep(tried)
    if (code === 401) void refresh()
    setError(BY_TYPE[type] ?? (code === 401 ? texts.failures.signedOut : words.notSaved))
    return false
  }
  const isWaiting = kept.waitsSinceMs !== undefined
  function retry() {
    if (isWaiting && !isBusy && navigator.onLine) void send()
  }
  useWhenOnline(retry)
  useRechecks(retry, { isOn: isWaiting, everyMs: RETRY_EVERY_MS })
  const retryNow = useEffectEvent(retry)
  useEffect(() => retryNow(), [])
  return {
    text: kept.text,
    waitsSinceMs: kept.waitsSinceMs,
    isBusy,
    error,
    /** What became of the last one; undefined while nothing is to be said. */
    done: heldId !== undefined && isHeld(heldId) ? words.waitsForApproval : undefined,
    edit,
    send,
    stopWaiting: () => keep({ text: kept.text }),
    discard: () => keep({ text: '' }),
  }
}

/** What keeps it from being sent. */
function faultOf(text: string): string | undefined {
  const over = text.trim().length - COMMENT_MAX_CHARS
  if (over > 0) return words.tooLong(count.format(COMMENT_MAX_CHARS), count.format(over))
  const { exceeded } = renderComment(text.trim())
  if (!exceeded) return undefined
  if (exceeded === 'size') return words.tooMuch.size
  const most = exceeded === 'lines' ? COMMENT_MAX_LINES : COMMENT_MAX_ELEMENTS
  return words.tooMuch[exceeded](count.format(most))
}
