// Counts the posts that are published while the feed is open, and shows them only on request.
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

/** Whether a post by someone else would appear in the list if it were loaded now. */
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
 * Replaces the start of the list with the current first page. Older posts stay, unless so many are
 * new that there would be a gap.
 */
export function mergeFirstPage(state: ListState, page: SummaryPage): ListState {
  const { list, viewerId, after } = state
  const first = addPage(emptyList({ list, viewerId, after }), page)
  const last = page.posts.at(-1)
  const pageIds = new Set(page.posts.map(({ $id }) => $id))
  const hasGap = !state.posts.some(({ $id }) => pageIds.has($id))
  if (hasGap || page.isLast || !last) return first
  const olderPosts = state.posts.filter(
    ({ $id, $createdAt }) => $createdAt <= last.$createdAt && !pageIds.has($id),
  )
  return {
    ...first,
    posts: [...first.posts, ...olderPosts],
    isLast: olderPosts.length > 0 && state.isLast,
  }
}

type NewPostsProps = {
  state: ListState
  setState: (state: ListState) => void
  /** False for a feed that does not begin with the newest post. */
  isOn: boolean
}

/** "3 new posts · Show", under the header or above the bottom bar. */
export function NewPosts({ state, setState, isOn }: NewPostsProps) {
  const { count, show } = useNewPosts({ state, setState, isOn })
  const handleShow = useShowNew(state, show)
  const countText = texts.feed.newPosts(count)
  return (
    <div className="new-posts">
      <p className="visually-hidden" role="status">
        {count > 0 && countText}
      </p>
      {count > 0 && (
        <Button kind="primary" className="btn--pill" onClick={() => void handleShow()}>
          <ArrowUp className="icon icon--small" aria-hidden="true" />
          {texts.feed.showNew(countText)}
        </Button>
      )}
    </div>
  )
}

function useNewPosts({ state, setState, isOn }: NewPostsProps) {
  const api = useApi()
  const { databaseId, collectionId } = api.settings
  const [candidates, setCandidates] = useState<PostSummary[]>([])
  const documents = `databases.${databaseId}.collections.${collectionId}.documents`
  async function check() {
    const page = await listFeed(api)
    if (page.ok) setCandidates(page.value.posts)
  }
  const channels = ['create', 'delete', 'publish', 'unpublish'].map(
    (name) => `${documents}.${name}`,
  )
  useLive(isOn ? channels.join(' ') : undefined, {
    handleEvent({ events, payload }) {
      const post = payload as PostSummary
      const isGone = /\.(delete|unpublish)$/.test(events[0] ?? '')
      setCandidates((current) => [
        ...current.filter(({ $id }) => $id !== post.$id),
        ...(isGone ? [] : [post]),
      ])
    },
    handleMissedEvents: () => void check(),
  })

  /** Shows the new posts. @returns false if they did not load */
  async function show(): Promise<boolean> {
    const page = await listFeed(api)
    if (!page.ok) return false
    setCandidates([])
    const merged = mergeFirstPage(state, page.value)
    const excerpt = await findLeadExcerpt(api, merged)
    setState(excerpt ? { ...merged, excerpt } : merged)
    return true
  }
  return { count: candidates.filter((post) => isNewIn(state, post)).length, show }
}

/** @returns a function that shows the new posts, and scrolls to the first of them */
function useShowNew(state: ListState, show: () => Promise<boolean>): () => Promise<void> {
  const toasts = useToasts()
  const isRequested = useRef(false)
  useEffect(() => {
    if (!isRequested.current) return
    isRequested.current = false
    window.scrollTo({ top: 0, behavior: 'instant' })
    document.querySelector<HTMLElement>('.card-grid :is(h2, h3) a')?.focus({ preventScroll: true })
  }, [state])
  return async function handleShow() {
    isRequested.current = true
    if (await show()) return
    isRequested.current = false
    toasts.show(retryToast(texts.feed.showNewFailed, () => void handleShow()))
  }
}
