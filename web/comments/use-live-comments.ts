// Counts the comments that others write while the post is open, and shows them only on request.
// Updates comments that are already shown.
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { COMMENTS_COLLECTION_ID, type CommentDocument } from '#contract/comments.ts'
import { commentElementId } from '#contract/post-url.ts'
import { useApi } from '../api/client.ts'
import { useLive } from '../api/use-live.ts'
import { texts } from '../locales/texts.ts'
import { useAnnounce } from '../ui/live-region.tsx'
import {
  findIn,
  withChanged,
  withKnownHtml,
  withOnly,
  withoutComment,
  withUnfolded,
} from './comment-page.ts'
import { readComments, type ShownComments } from './comments-api.ts'
import type { Comments } from './use-comments.ts'

/** The page is reloaded at most once in this time. */
const RELOAD_MS = 5000
const ANNOUNCED_EVERY_MS = 10_000

/**
 * @param isOwn whether the comment with this id was written on this page
 * @returns comments that are not shown yet
 */
export function useLiveComments(comments: Comments, isOwn: (id: string) => boolean) {
  const { postId, page, change } = comments
  const { databaseId } = useApi().settings
  const [newComments, setNewComments] = useState<CommentDocument[]>([])
  const reload = useReload(comments, setNewComments)
  useNewCommentsAnnouncement(newComments.length)
  const channel = `databases.${databaseId}.collections.${COMMENTS_COLLECTION_ID}.documents`
  const isOff = !page || page.state === 'off'

  function handleComment(comment: CommentDocument, action: 'create' | 'update' | 'delete') {
    const { $id: id, status } = comment
    if (!page || comment.postId !== postId) return
    if (findIn(page, id))
      return change((current) =>
        action === 'delete' ? withoutComment(current, id) : withChanged(current, comment),
      )
    if (isOwn(id)) return
    // The comment is only in the HTML that the server rendered.
    if (isRendered(id)) return reload()
    const previous = newComments.find(({ $id }) => $id === id)
    const isReadable = action !== 'delete' && (status === 'shown' || status === 'waiting')
    // A comment on another page of comments does not count as new after an edit, but it does after
    // an approval.
    const isNew = action === 'create' || previous || comment.editedAt !== comment.$updatedAt
    if (isReadable && !isNew) return
    setNewComments((current) => [
      ...current.filter(({ $id }) => $id !== id),
      ...(isReadable ? [comment] : []),
    ])
    const wasCounted = previous?.status === 'shown' || (action === 'delete' && status === 'shown')
    const isCounted = isReadable && status === 'shown'
    const added = Number(isCounted) - Number(wasCounted)
    if (added !== 0) change((current) => ({ ...current, total: current.total + added }))
  }
  useLive(isOff ? undefined : channel, {
    handleEvent({ events, payload }) {
      const [name = ''] = events
      const action = name.endsWith('.create')
        ? 'create'
        : name.endsWith('.delete')
          ? 'delete'
          : 'update'
      handleComment(payload as CommentDocument, action)
    },
    handleMissedEvents: reload,
  })
  return {
    newComments,
    /** Removes comments that the page now shows. */
    forget: (ids: string[]) =>
      setNewComments((current) => current.filter(({ $id }) => !ids.includes($id))),
  }
}

/** @returns a function that soon reloads the page, for when events may have been missed */
function useReload(
  { postId, page, order, change }: Comments,
  setNewComments: (newComments: CommentDocument[]) => void,
): () => void {
  const api = useApi()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const currentPage = useEffectEvent(() => page)
  const run = useEffectEvent(async () => {
    timer.current = undefined
    if (!page) return
    const { thread, page: number } = page
    const query = { page: number, ...(thread && { thread }), order }
    const answer = await readComments(api, postId, query)
    const shown = currentPage()
    // Another page may be on the screen by now.
    if (!answer.ok || !shown || pageKeyOf(shown) !== pageKeyOf(page)) return
    const loaded = answer.value
    const isKnown = (id: string) =>
      findIn(shown, id) !== undefined || (shown.isServed === true && isRendered(id))
    const all = loaded.comments.flatMap((thread) => [thread, ...thread.replyList])
    setNewComments(all.filter(({ $id }) => !isKnown($id)))
    change((previous) => {
      return withUnfolded(withOnly(withKnownHtml(loaded, previous), isKnown), previous)
    })
  })
  return () => {
    timer.current ??= setTimeout(() => void run(), RELOAD_MS)
  }
}

function isRendered(id: string): boolean {
  return document.getElementById(commentElementId(id)) !== null
}

function pageKeyOf({ thread, page, order }: ShownComments): string {
  return `${thread} ${page} ${order}`
}

/** Announces new comments to screen readers, politely and at most every ten seconds. */
function useNewCommentsAnnouncement(count: number): void {
  const announce = useAnnounce()
  const announcedAtMs = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    if (count === 0) return
    const waitMs = Math.max(0, announcedAtMs.current + ANNOUNCED_EVERY_MS - performance.now())
    const timer = setTimeout(() => {
      announcedAtMs.current = performance.now()
      announce(texts.comments.newComments.comments(count))
    }, waitMs)
    return () => clearTimeout(timer)
  }, [count, announce])
}
