// The comments of the open post: loads the page of comments that the address names, unless the
// server has loaded it with the post, and applies changes to it.
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation } from 'react-router'
import type { CommentPage } from '#contract/comments.ts'
import { type CommentsQuery, commentElementId, readCommentsQuery } from '#contract/post-url.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/client.ts'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import { useCommentOrder } from './comment-order.ts'
import { withEach } from './comment-page.ts'
import { readComments, type ShownComments } from './comments-api.ts'

/** Id of the section of a post's page that shows the comments. */
export const COMMENTS_ID = 'comments'
/** Id of the field for a new comment. */
export const WRITE_ID = 'write-comment'
/** Id of the element that holds the list. */
export const COMMENT_LIST_ID = 'comment-list'

/** A new comment is highlighted for this long. */
const HIGHLIGHT_MS = 3000

/** Loaded by the server with the post; null if that failed, undefined if it did not try. */
export type InitialComments = ShownComments | null | undefined

type Loaded = {
  key: string
  page: ShownComments | undefined
  /** The HTML of the list in the page that the server sent. */
  servedHtml?: string | undefined
}

export type Comments = ReturnType<typeof useComments>

export function useComments(postId: string, initial: InitialComments) {
  const api = useApi()
  const viewerId = useViewer().userData?.$id
  const { search, hash } = useLocation()
  const [order, chooseOrder] = useCommentOrder(COMMENTS_ID)
  const query = readCommentsQuery(search)
  const key = [postId, viewerId, order, query.page, query.comment, query.thread].join(' ')
  const [loaded, setLoaded] = useState(() => takeInitial(key, initial))
  const [attempt, setAttempt] = useState(0)
  const [failedKey, setFailedKey] = useState(() => (initial === null ? key : undefined))
  const [newId, highlight] = useState('')
  const isHydrated = useIsHydrated()

  const load = useEffectEvent(() => {
    if (loaded?.key === key || failedKey === key) return
    let isCurrent = true
    void readComments(api, postId, { ...query, order }).then((answer) => {
      if (!isCurrent) return
      if (answer.ok) setLoaded({ key, page: answer.value })
      setFailedKey(answer.ok ? undefined : key)
    })
    return () => {
      isCurrent = false
    }
  })
  useEffect(() => load(), [key, attempt])
  useEffect(() => {
    if (!newId) return
    const timer = setTimeout(() => highlight(''), HIGHLIGHT_MS)
    return () => clearTimeout(timer)
  }, [newId])

  function change(update: (page: ShownComments) => ShownComments): void {
    setLoaded((current) => current?.page && { ...current, page: update(current.page) })
  }
  /** Loads another page of comments and shows it. @returns undefined if it did not load */
  async function show(newQuery: CommentsQuery): Promise<CommentPage | undefined> {
    const answer = await readComments(api, postId, { ...newQuery, order })
    if (!answer.ok) return undefined
    setLoaded((current) => (current && current.key !== key ? current : { key, page: answer.value }))
    return answer.value
  }
  const { page, servedHtml } = loaded ?? {}
  return {
    postId,
    page,
    /** The list that the server rendered; undefined once the app renders the list. */
    servedHtml: page?.isServed && servedHtml,
    isFailed: failedKey === key,
    isLoading: loaded?.key !== key && failedKey !== key,
    order,
    chooseOrder,
    query,
    change,
    show,
    /** Reloads the page of comments that is shown. */
    reload: () =>
      show(page ? { page: page.page, ...(page.thread && { thread: page.thread }) } : query),
    retry() {
      setFailedKey(undefined)
      setAttempt(attempt + 1)
    },
    /** A new comment, or the one that the address names. */
    highlightedId: newId || query.comment || (isHydrated && /^#c-(.+)/.exec(hash)?.[1]) || '',
    highlight,
  }
}

/**
 * In the browser, reads the texts of a served page from the rendered list. Without that list, the
 * browser has to request the page of comments.
 */
function takeInitial(key: string, initial: InitialComments): Loaded | undefined {
  if (!initial) return undefined
  if (typeof document === 'undefined') return { key, page: initial }
  const list = document.getElementById(COMMENT_LIST_ID)
  if (!list) return undefined
  if (initial.isServed) return { key, page: initial, servedHtml: list.innerHTML }
  const htmlById = new Map<string, string>()
  for (const comment of list.querySelectorAll('.comment')) {
    const text = comment.querySelector('.comment__text')
    if (text) htmlById.set(comment.id, text.innerHTML)
  }
  const page = withEach(initial, (comment) => {
    return Object.assign({}, comment, { html: htmlById.get(commentElementId(comment.$id)) })
  })
  return { key, page }
}
