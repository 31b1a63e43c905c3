// Posts that were published while the feed is open: counted, never put in by themselves.
import { useState } from 'react'
import { useApi } from '../api/api-context.tsx'
import { useLive } from '../api/use-live.ts'
import { listFeed, type PostSummary } from '../posts/posts-api.ts'
import { toShown } from '../posts/shown-post.ts'
import { useRechecks } from '../ui/use-rechecks.ts'
import { findLeadExcerpt } from './first-feed.ts'
import { isNewIn, mergeFirstPage } from './new-posts.ts'
import type { ListState } from './post-lists.ts'

/** Texts that were not public from the beginning are told to nobody: they have to be asked for. */
const RECHECK_MS = 15_000

export type NewPosts = {
  count: number
  /** Puts them in; answers whether they could be had. */
  show: () => Promise<boolean>
}

/** @param isOn only the feed that begins at the newest post grows at its head */
export function useNewPosts(
  state: ListState | undefined,
  setState: (state: ListState) => void,
  isOn: boolean,
): NewPosts {
  const api = useApi()
  const { databaseId, collectionId } = api.settings
  const [found, setFound] = useState<PostSummary[]>([])
  const fresh = state ? found.filter((post) => isNewIn(state, post)) : []
  const documents = `databases.${databaseId}.collections.${collectionId}.documents`
  async function check() {
    const page = await listFeed(api)
    if (page.ok) setFound(page.value.posts)
  }
  const isConnected = useLive(
    isOn && state ? `${documents}.create ${documents}.delete` : undefined,
    {
      handleEvent({ events, payload }) {
        const post = toShown(api.settings, payload as PostSummary)
        const isGone = events[0]?.endsWith('.delete')
        setFound((before) => [
          ...before.filter(({ $id }) => $id !== post.$id),
          ...(isGone ? [] : [post]),
        ])
      },
      handleMissed: () => void check(),
    },
  )
  useRechecks(() => void check(), { isOn: isConnected, everyMs: RECHECK_MS })

  async function show() {
    const page = await listFeed(api)
    if (!page.ok || !state) return false
    setFound([])
    const next = mergeFirstPage(state, page.value)
    const excerpt = await findLeadExcerpt(api, next)
    setState(excerpt ? { ...next, excerpt } : next)
    return true
  }
  return { count: fresh.length, show }
}
