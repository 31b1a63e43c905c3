// The comments of the open post: the page that its address asks for, loaded by the server with the
// post or by the browser later, and what becomes of it.
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

/** Id of the part of a post's page that is the comments. */
export const COMMENTS_ID = 'comments'
/** Id of the field for a new comment. */
export const WRITE_ID = 'write-comment'
/** Id of the element that holds the list. */
export const COMMENT_LIST_ID = 'comment-list'

/** A comment that has just come stands on quiet ground for so long. */
const FRESH_MS = 3000

/** As the server sent it with the post; null when that failed, undefined when it was not asked. */
export type FirstComments = ShownComments | null | undefined

type Loaded = {
  key: string
  page: ShownComments | undefined
  /** The list as it stands in the page that the server sent. */
  served?: string | undefined
}

export type Comments = ReturnType<typeof useComments>

export function useComments(postId: string, first: FirstComments) {
  const api = useApi()
  const viewerId = useViewer().userData?.$id
  const { search, hash } = useLocation()
  const [order, chooseOrder] = useCommentOrder(COMMENTS_ID)
  const asked = readCommentsQuery(search)
  const key = [postId, viewerId, order, asked.page, asked.comment, asked.thread].join(' ')
  const [loaded, setLoaded] = useState(() => takeFirst(key, first))
  const [attempt, setAttempt] = useState(0)
  const [failedKey, setFailedKey] = useState(() => (first === null ? key : undefined))
  const [briefly, setHere] = useState('')
  const isHydrated = useIsHydrated()

  const load = useEffectEvent(() => {
    if (loaded?.key === key || failedKey === key) return
    let isCurrent = true
    void readComments(api, postId, { ...asked, order }).then((answer) => {
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
    if (!briefly) return
    const timer = setTimeout(() => setHere(''), FRESH_MS)
    return () => clearTimeout(timer)
  }, [briefly])

  /** @param change undefined leaves it as it is */
  function change(changed: (page: ShownComments) => ShownComments): void {
    setLoaded((before) => before?.page && { ...before, page: changed(before.page) })
  }
  /** Shows other comments in their place; answers whether they could be had. */
  async function show(wanted: CommentsQuery): Promise<CommentPage | undefined> {
    const answer = await readComments(api, postId, { ...wanted, order })
    if (!answer.ok) return undefined
    setLoaded((now) => (now && now.key !== key ? now : { key, page: answer.value }))
    return answer.value
  }
  const { page, served } = loaded ?? {}
  return {
    postId,
    page,
    /** The list as the server wrote it; undefined once it is the app's. */
    served: page?.isServed && served,
    isFailed: failedKey === key,
    isLoading: loaded?.key !== key && failedKey !== key,
    order,
    chooseOrder,
    asked,
    change,
    show,
    /** The page that is shown, as the server has it now. */
    showAgain: () =>
      show(page ? { page: page.page, ...(page.thread && { thread: page.thread }) } : asked),
    retry() {
      setFailedKey(undefined)
      setAttempt(attempt + 1)
    },
    /** The comment that is to be seen: come just now, or named by the address. */
    hereId: briefly || asked.comment || (isHydrated && /^#c-(.+)/.exec(hash)?.[1]) || '',
    setHere,
  }
}

/**
 * The browser reads the words of a served page from its list. Without that list the page has to be
 * asked for.
 */
function takeFirst(key: string, first: FirstComments): Loaded | undefined {
  if (!first) return undefined
  if (typeof document === 'undefined') return { key, page: first }
  const list = document.getElementById(COMMENT_LIST_ID)
  if (!list) return undefined
  if (first.isServed) return { key, page: first, served: list.innerHTML }
  const html = new Map<string, string>()
  for (const comment of list.querySelectorAll('.comment')) {
    const text = comment.querySelector('.comment__text')
    if (text) html.set(comment.id, text.innerHTML)
  }
  const page = withEach(first, (comment) => {
    return Object.assign({}, comment, { html: html.get(commentElementId(comment.$id)) })
  })
  return { key, page }
}
