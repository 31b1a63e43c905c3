// What becomes of a post while its page is open: changed, taken back, deleted, liked. The text on
// the page never changes by itself.
import { useEffect, useRef, useState } from 'react'
import type { PostDocument } from '#contract/posts.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import { failureOf } from '../api/result.ts'
import { useLive } from '../api/use-live.ts'
import { refreshInFeed, removeFromLists } from '../feed/post-lists.ts'
import { findState, type PagePost, type PostState, readPagePost } from '../posts/posts-api.ts'
import { withAuthor } from '../posts/shown-post.ts'
import { useRechecks } from '../ui/use-rechecks.ts'
import type { Likes } from './use-likes.ts'

/** A post that is taken back is told to nobody but its author: others have to ask. */
const RECHECK_MS = 5000
/** A page on which its author deletes the post is left before that. */
const OWN_DELETION_MS = 1500
/** The status of a post that is not there for this viewer. */
const MISSING = 404

export type Fate = 'there' | 'takenBack' | 'deleted'
export type PostNote = 'updated' | Exclude<Fate, 'there'>

export type LivePost = {
  /** As it is on the page. */
  shown: PagePost
  note: PostNote | undefined
  isGone: boolean
  /** As they were told last. */
  likes: Likes | undefined
  /** Puts the newest text on the page; rejects when it cannot be had. */
  show: () => Promise<void>
  closeNote: () => void
}

export function useLivePost(post: PagePost, { isOwner }: { isOwner: boolean }): LivePost {
  const api = useApi()
  const { databaseId, collectionId } = api.settings
  const [loaded, setLoaded] = useState(post)
  const shown = loaded.$updatedAt > post.$updatedAt ? loaded : post
  const [found, setFate] = useState<Fate>('there')
  // Whoever is signed out may no longer read what they still see: that is not the author's doing.
  const fate = useHasLeft() && found === 'takenBack' ? 'there' : found
  const [newest, setNewest] = useState('')
  const [closed, setClosed] = useState('')
  const [likes, setLikes] = useState<Likes | undefined>()
  const noteDeleted = useNoteDeleted({ isOwner, setFate })
  const told = useRef(0)

  function note(state: PostState) {
    const wasPublic = shown.status === 'active'
    setFate(wasPublic && state.status !== 'active' ? 'takenBack' : 'there')
    setNewest((before) => (state.$updatedAt > before ? state.$updatedAt : before))
    if (hasLikes(state)) setLikes(state)
  }
  async function check({ withLikes }: { withLikes: boolean }) {
    const toldBefore = told.current
    const state = await findState(api, post.$id, { withLikes })
    // What was told meanwhile is newer.
    if (!state.ok || told.current !== toldBefore) return
    if (state.value) note(state.value)
    else if (isOwner) setFate('deleted')
    else setFate((before) => (before === 'deleted' ? before : 'takenBack'))
  }
  const isConnected = useLive(
    `databases.${databaseId}.collections.${collectionId}.documents.${post.$id}`,
    {
      handleEvent({ events, payload }) {
        told.current += 1
        if (events[0]?.endsWith('.delete')) {
          removeFromLists(post.$id)
          return noteDeleted()
        }
        const saved = withAuthor(api.settings, payload as PostDocument)
        note(saved)
        refreshInFeed(saved)
      },
      handleMissed: () => void check({ withLikes: true }),
    },
  )
  useRechecks(() => void check({ withLikes: !likes }), { isOn: isConnected, everyMs: RECHECK_MS })

  async function show() {
    try {
      const found = await readPagePost(api, post.$id)
      setLoaded(found)
      setNewest(found.$updatedAt)
    } catch (error) {
      if (failureOf(error).code !== MISSING) throw error
      setFate('takenBack')
    }
  }
  const isUpdated = newest > shown.$updatedAt && newest > closed
  return {
    shown,
    note: fate === 'there' ? (isUpdated ? 'updated' : undefined) : fate,
    isGone: fate !== 'there',
    likes,
    show,
    closeNote: () => setClosed(newest),
  }
}

/** Whether the person for whom the page was loaded is not the viewer any more. */
function useHasLeft(): boolean {
  const viewerId = useViewer().userData?.$id
  const [knownId, setKnownId] = useState(viewerId)
  const [hasLeft, setLeft] = useState(false)
  if (viewerId !== knownId) {
    setKnownId(viewerId)
    if (knownId !== undefined) setLeft(true)
  }
  return hasLeft
}

function useNoteDeleted({
  isOwner,
  setFate,
}: {
  isOwner: boolean
  setFate: (fate: Fate) => void
}): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    clearTimeout(timer.current)
    if (isOwner) timer.current = setTimeout(() => setFate('deleted'), OWN_DELETION_MS)
    else setFate('deleted')
  }
}

function hasLikes(state: PostState): state is PostState & Likes {
  return state.like !== undefined && state.likeId !== undefined
}
