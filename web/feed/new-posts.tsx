// Posts that were published while the feed is open: counted, never put in by themselves.
import { ArrowUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '../api/client.ts'
import { useLive } from '../api/use-live.ts'
import { addPage, emptyList, type ListState } from '../lists/post-lists.ts'
import { texts } from '../locales/texts.ts'
import { listFeed, type PostSummary, type SummaryPage } from '../posts/posts-api.ts'
import { Button } from '../ui/button.tsx'
import { retryToast, useToasts } from '../ui/toasts.tsx'
import { findLeadExcerpt } from './feed-loader.ts'

/** Others' posts that the list would have shown, had they been there when it was loaded. */
export function isNewIn({ posts, isLast, viewerId }: ListState, post: PostSummary): boolean {
  const last = posts.at(-1)
  return (
    post.status === 'active' &&
    post.userid !== viewerId &&
    !posts.some(({ $id }) => $id === post.$id) &&
    (isLast || !last || post.$createdAt > last.$createdAt)
  )
}

/**
 * The list with its first page as it is now. What was loaded below stays, unless there are so many
 * new posts that others are missing in between.
 */
export function mergeFirstPage(state: ListState, page: SummaryPage): ListState {
  const { list, viewerId, after } = state
  const first = addPage(emptyList({ list, viewerId, after }), page)
  const last = page.posts.at(-1)
  const hasGap = !state.posts.some((old) => page.posts.some(({ $id }) => $id === old.$id))
  if (hasGap || page.isLast || !last) return first
  const shown = new Set(page.posts.map(({ $id }) => $id))
  const below = state.posts.filter(
    ({ $id, $createdAt }) => $createdAt <= last.$createdAt && !shown.has($id),
  )
  return { ...first, posts: [...first.posts, ...below], isLast: below.length > 0 && state.isLast }
}

type NewPostsProps = {
  state: ListState
  setState: (state: ListState) => void
  /** Only the feed that begins at the newest post grows at its head. */
  isOn: boolean
}

/** "3 new posts · Show", under the header or above the bottom bar. */
export function NewPosts({ state, setState, isOn }: NewPostsProps) {
  const { count, show } = useNewPosts({ state, setState, isOn })
  const handleShow = useShowNew(state, show)
  const what = texts.feed.newPosts(count)
  return (
    <div className="new-posts">
      <p className="visually-hidden" role="status">
        {count > 0 && what}
      </p>
      {count > 0 && (
        <Button kind="primary" className="btn--pill" onClick={() => void handleShow()}>
          <ArrowUp className="icon icon--small" aria-hidden="true" />
          {texts.feed.showNew(what)}
        </Button>
      )}
    </div>
  )
}

function useNewPosts({ state, setState, isOn }: NewPostsProps) {
  const api = useApi()
  const { databaseId, collectionId } = api.settings
  const [found, setFound] = useState<PostSummary[]>([])
  const documents = `databases.${databaseId}.collections.${collectionId}.documents`
  async function check() {
    const page = await listFeed(api)
    if (page.ok) setFound(page.value.posts)
  }
  const channels = ['create', 'delete', 'publish', 'unpublish'].map((one) => `${documents}.${one}`)
  useLive(isOn ? channels.join(' ') : undefined, {
    handleEvent({ events, payload }) {
      const post = payload as PostSummary
      const isGone = /\.(delete|unpublish)$/.test(events[0] ?? '')
      setFound((before) => [
        ...before.filter(({ $id }) => $id !== post.$id),
        ...(isGone ? [] : [post]),
      ])
    },
    handleMissed: () => void check(),
  })

  /** Puts them in; answers whether they could be had. */
  async function show(): Promise<boolean> {
    const page = await listFeed(api)
    if (!page.ok) return false
    setFound([])
    const next = mergeFirstPage(state, page.value)
    const excerpt = await findLeadExcerpt(api, next)
    setState(excerpt ? { ...next, excerpt } : next)
    return true
  }
  return { count: found.filter((post) => isNewIn(state, post)).length, show }
}

/** Puts the new posts in and goes to the first of them. */
function useShowNew(state: ListState, show: () => Promise<boolean>): () => Promise<void> {
  const toasts = useToasts()
  const isAsked = useRef(false)
  useEffect(() => {
    if (!isAsked.current) return
    isAsked.current = false
    window.scrollTo({ top: 0, behavior: 'instant' })
    document.querySelector<HTMLElement>('.card-grid :is(h2, h3) a')?.focus({ preventScroll: true })
  }, [state])
  return async function handleShow() {
    isAsked.current = true
    if (await show()) return
    isAsked.current = false
    toasts.show(retryToast(texts.feed.newNotShown, () => void handleShow()))
  }
}
