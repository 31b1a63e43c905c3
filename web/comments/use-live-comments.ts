// What others write while the comments are open: counted, never put in by itself. What is shown
// already changes in its place.
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { COMMENTS_COLLECTION_ID, type CommentDocument } from '#contract/comments.ts'
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
import { COMMENT_LIST_ID, type Comments } from './use-comments.ts'

/** What an event does not tell is asked for, at most so often. */
const RECHECK_MS = 5000
const ANNOUNCED_EVERY_MS = 10_000

/**
 * @param isOwn whether the comment with this id is being written here
 * @returns comments that are not shown yet
 */
export function useLiveComments(comments: Comments, isOwn: (id: string) => boolean) {
  const { postId, page, change } = comments
  const { databaseId } = useApi().settings
  const [news, setNews] = useState<CommentDocument[]>([])
  const check = useCheck(comments, (found) => setNews(found))
  useAnnouncedNews(news.length)
  const channel = `databases.${databaseId}.collections.${COMMENTS_COLLECTION_ID}.documents`
  const isOff = !page || page.state === 'off'

  function handleTold(told: CommentDocument, isCreated: boolean, isGone: boolean) {
    if (!page || told.postId !== postId) return
    if (findIn(page, told.$id))
      return change((now) => (isGone ? withoutComment(now, told.$id) : withChanged(now, told)))
    if (isOwn(told.$id)) return
    const isNews = news.some(({ $id }) => $id === told.$id)
    if (isNews || !isCreated) return check()
    setNews((before) => [...before, told])
    if (told.status === 'shown') change((now) => ({ ...now, total: now.total + 1 }))
  }
  useLive(isOff ? undefined : channel, {
    handleEvent({ events, payload }) {
      const [name = ''] = events
      handleTold(payload as CommentDocument, name.endsWith('.create'), name.endsWith('.delete'))
    },
    handleMissed: check,
  })
  return {
    news,
    /** Those that are shown by now are no news. */
    forget: (ids: string[]) => setNews((before) => before.filter(({ $id }) => !ids.includes($id))),
  }
}

/** @returns asks for the page that is shown, soon */
function useCheck(
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
    const isKnown = shown.isServed
      ? (id: string) =>
          document.getElementById(COMMENT_LIST_ID)?.querySelector(`#c-${CSS.escape(id)}`) != null
      : (id: string) => findIn(shown, id) !== undefined
    const all = found.comments.flatMap((one) => [one, ...one.replyList])
    setNews(all.filter(({ $id }) => !isKnown($id)))
    change((before) => {
      return withUnfolded(withOnly(withKnownHtml(found, before), isKnown), before)
    })
  })
  return () => {
    timer.current ??= setTimeout(() => void run(), RECHECK_MS)
  }
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
      announce(texts.comments.news.comments(count))
    }, waitMs)
    return () => clearTimeout(timer)
  }, [count, announce])
}
