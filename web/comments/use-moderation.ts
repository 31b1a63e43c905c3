// Deletes, hides and shows comments, and then updates the list and the focus.
import type { CommentDocument } from '#contract/comments.ts'
import { commentElementId } from '#contract/post-url.ts'
import { type Failure, type Result, useApi } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { reasonText } from '../posts/failure-cause.ts'
import { COMMENTS_TITLE_ID } from '../shell/shortcuts.tsx'
import { useAnnounce } from '../ui/live-region.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { afterDialogs } from '../ui/use-modal.ts'
import { focusComment } from './comment-item.tsx'
import { withChanged, withoutComment } from './comment-page.ts'
import { deleteComment, setAllHidden, setCommentsClosed, updateComment } from './comments-api.ts'
import type { Discussion } from './discussion.ts'

const { done, failed, undo } = texts.commentActions

const ALREADY_DELETED = 404

export function useModeration({ post, comments }: Discussion) {
  const api = useApi()
  const toasts = useToasts()
  const announce = useAnnounce()
  const explain = (failure: Failure) => failed(reasonText(failure))

  async function callAndReload(call: Promise<Result<unknown>>): Promise<string | undefined> {
    const answer = await call
    if (!answer.ok) return explain(answer.failure)
    await comments.reload()
    return undefined
  }
  function report(reason: string | undefined) {
    if (reason) toasts.show({ kind: 'error', text: reason })
  }
  return {
    async setStatus(comment: CommentDocument, status: 'hidden' | 'shown') {
      const answer = await updateComment(api, comment.$id, { status })
      if (!answer.ok) return report(explain(answer.failure))
      comments.change((page) => withChanged(page, answer.value))
      announce(done[status])
      focusComment(comment.$id)
    },
    /** @returns why it failed; undefined on success */
    async remove(comment: CommentDocument) {
      const answer = await deleteComment(api, comment.$id)
      if (!answer.ok && answer.failure.code !== ALREADY_DELETED) return explain(answer.failure)
      const next = findNext(comment.$id)
      if (comment.replies > 0) await comments.reload()
      else comments.change((page) => withoutComment(page, comment.$id))
      announce(done.deleted)
      afterDialogs(() => (comment.replies > 0 ? focusComment(comment.$id) : next?.focus()))
      return undefined
    },
    async hideAll({ userId, userName }: CommentDocument) {
      const change = { userId, hidden: true }
      const reason = await callAndReload(setAllHidden(api, post.$id, change))
      if (reason) return reason
      const showAll = async () =>
        report(await callAndReload(setAllHidden(api, post.$id, { ...change, hidden: false })))
      toasts.show({
        kind: 'ok',
        text: done.allHidden(userName),
        action: { label: undo, onPress: () => void showAll() },
      })
      return undefined
    },
    async setClosed(closed: boolean) {
      report(await callAndReload(setCommentsClosed(api, post.$id, closed)))
    },
  }
}

/** The element to focus after a comment is deleted: the next one, or the heading. */
function findNext(id: string): HTMLElement | null {
  const comments = [...document.querySelectorAll<HTMLElement>('.comment')]
  const index = comments.findIndex((comment) => comment.id === commentElementId(id))
  return comments[index + 1] ?? document.getElementById(COMMENTS_TITLE_ID)
}
