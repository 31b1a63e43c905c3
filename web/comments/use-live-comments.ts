// What others write while the comments are open: counted, never put in by itself. What is shown
// already changes in its place.
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

/** The page is read again once in this time at most. */
const RELOAD_MS = 5000
const ANNOUNCED_EVERY_MS = 10_000

/**
 * @param isOwn whether the comment with this id is being written here
 * @returns comments that are not shown yet
 */
export function useLiveComments(comments: Comments, isOwn: (id: string) => boolean) {
  const { postId, page, change } = comments
  const { databaseId } = useApi().settings
  const [news, setNews] = useState<CommentDocument[]>([])
  const reload = useReload(comments, setNews)
  useAnnouncedNews(news.length)
  const channel = `databases.${databaseId}.collections.${COMMENTS_COLLECTION_ID}.documents`
  const isOff = !page || page.state === 'off'

  function handleComment(comment: CommentDocument, action: 'create' | 'update' | 'delete') {
    const { $id: id, status } = comment
    if (!page || comment.postId !== postId) return
    if (findIn(page, id))
      return change((now) =>
        action === 'delete' ? withoutComment(now, id) : withChanged(now, comment),
      )
    if (isOwn(id)) return
    // Its text is in the list that the server rendered, and nowhere else.
    if (isRendered(id)) return reload()
    const before = news.find(({ $id }) => $id === id)
    const isReadable = action !== 'delete' && (status === 'shown' || status === 'waiting')
    // An edit of a comment that is on another page is no news; an approval is.
    const isNews = action === 'create' || before || comment.editedAt !== comment.$updatedAt
    if (isReadable && !isNews) return
    setNews((known) => [...known.filter(({ $id }) => $id !== id), ...(isReadable ? [comment] : [])])
    const wasCounted = before?.status === 'shown' || (action === 'delete' && status === 'shown')
    const isCounted = isReadable && status === 'shown'
    const added = Number(isCounted) - Number(wasCounted)
    if (added !== 0) change((now) => ({ ...now, total: now.total + added }))
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
    handleMissed: reload,
  })
  return {
    news,
    /** Removes comments that are on the page by now. */
    forget: (ids: string[]) => setNews((before) => before.filter(({ $id }) => !ids.includes($id))),
  }
}

/** @returns reads the page of comments once more, soon: events may have been missed */
function useReload(
  { postId, page, order, change }: Comments,
  setNews: (news: CommentDocument[]) => void,
): () => void {
  const api = useApi()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const pageNow = useEffectEvent(() => page)
  const run = useEffectEvent(async () => {
    timer.current = undefined
    if (!page) return
    const { thread, page: number } = page
    const place = { page: number, ...(thread && { thread }) }
    const answer = await readComments(api, postId, { ...place, order })
    const shown = pageNow()
    // Another page may have come meanwhile.
    if (!answer.ok || !shown || placeOf(shown) !== placeOf(page)) return
    const found = answer.value
    const isKnown = (id: string) =>
      findIn(shown, id) !== undefined || (shown.isServed === true && isRendered(id))
    const all = found.comments.flatMap((one) => [one, ...one.replyList])
    setNews(all.filter(({ $id }) => !isKnown($id)))
    change((before) => {
      return withUnfolded(withOnly(withKnownHtml(found, before), isKnown), before)
    })
  })
  return () => {
    timer.current ??= setTimeout(() => void run(), RELOAD_MS)
  }
}

function isRendered(id: string): boolean {
  return document.getElementById(commentElementId(id)) !== null
}

function placeOf({ thread, page, order }: ShownComments): string {
  return `${thread} ${page} ${order}`
}

/** One polite announcement in ten seconds at most. */
function useAnnouncedNews(count: number): void {
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
