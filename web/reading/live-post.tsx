// Changes to a post while its page is open: updated, unpublished, deleted, liked. The text on the
// page changes only when the reader asks for it.
import { EyeOff, RefreshCw, Trash2, X } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { PostDocument } from '#contract/posts.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { failureOf, useApi } from '../api/client.ts'
import { useLive } from '../api/use-live.ts'
import { refreshInFeed, removeFromLists } from '../lists/post-lists.ts'
import { texts } from '../locales/texts.ts'
import { findState, type PagePost, type PostState, readPagePost } from '../posts/posts-api.ts'
import { withAuthor } from '../posts/shown-post.ts'
import { LIVE_STRIPS_ID } from '../shell/strips.tsx'
import { IconButton } from '../ui/button.tsx'
import type { Likes } from './like-button.tsx'

/** An author who deletes the post on this page has left the page within this time. */
const OWN_DELETION_MS = 1500
/** The HTTP status for a post that does not exist for this viewer. */
const MISSING = 404

type PostAvailability = 'available' | 'unpublished' | 'deleted'
type PostNotice = 'updated' | Exclude<PostAvailability, 'available'>

export type LivePost = ReturnType<typeof useLivePost>

/** @returns `shown`: the post as the page shows it; `likes`: the likes in the last event */
export function useLivePost(post: PagePost, { isOwner }: { isOwner: boolean }) {
  const api = useApi()
  const { databaseId, collectionId } = api.settings
  const [loaded, setLoaded] = useState(post)
  const shown = loaded.$updatedAt > post.$updatedAt ? loaded : post
  const [lastAvailability, setAvailability] = useState<PostAvailability>('available')
  // A viewer who signs out may lose access to the post. That does not mean that it was unpublished.
  const availability =
    useViewerHasChanged() && lastAvailability === 'unpublished' ? 'available' : lastAvailability
  const [newest, setNewest] = useState('')
  const [closed, setClosed] = useState('')
  const [likes, setLikes] = useState<Likes | undefined>()
  const showDeletion = useDeletionNotice({ isOwner, setAvailability })
  const eventCount = useRef(0)

  function applyState(state: PostState) {
    const wasPublic = shown.status === 'active'
    setAvailability(wasPublic && state.status !== 'active' ? 'unpublished' : 'available')
    setNewest((current) => (state.$updatedAt > current ? state.$updatedAt : current))
    if (hasLikes(state)) setLikes(state)
  }
  function markUnpublished() {
    setAvailability((current) => (current === 'deleted' ? current : 'unpublished'))
  }
  /** Called after the connection was lost, because events may have been missed. */
  async function readState() {
    const countBefore = eventCount.current
    const state = await findState(api, post.$id)
    // An event that arrived during the call is newer.
    if (!state.ok || eventCount.current !== countBefore) return
    if (state.value) applyState(state.value)
    else if (isOwner) setAvailability('deleted')
    else markUnpublished()
  }
  const channel = `databases.${databaseId}.collections.${collectionId}.documents.${post.$id}`
  useLive(`${channel} ${channel}.unpublish`, {
    handleEvent({ events, payload }) {
      const [name = ''] = events
      eventCount.current += 1
      if (name.endsWith('.unpublish')) return markUnpublished()
      if (name.endsWith('.delete')) {
        removeFromLists(post.$id)
        return showDeletion()
      }
      const saved = withAuthor(payload as PostDocument)
      applyState(saved)
      refreshInFeed(saved)
    },
    handleMissedEvents: () => void readState(),
  })

  /** Shows the newest text; rejects if it cannot be loaded. */
  async function show() {
    try {
      const newestPost = await readPagePost(api, post.$id)
      setLoaded(newestPost)
      setNewest(newestPost.$updatedAt)
    } catch (error) {
      if (failureOf(error).code !== MISSING) throw error
      setAvailability('unpublished')
    }
  }
  const isUpdated = newest > shown.$updatedAt && newest > closed
  return {
    shown,
    notice:
      availability === 'available' ? (isUpdated ? ('updated' as const) : undefined) : availability,
    isGone: availability !== 'available',
    likes,
    show,
    closeNotice: () => setClosed(newest),
  }
}

/** Whether a user who was signed in on this page is no longer the viewer. */
function useViewerHasChanged(): boolean {
  const viewerId = useViewer().userData?.$id
  const [knownId, setKnownId] = useState(viewerId)
  const [hasChanged, setChanged] = useState(false)
  if (viewerId !== knownId) {
    setKnownId(viewerId)
    if (knownId !== undefined) setChanged(true)
  }
  return hasChanged
}

function useDeletionNotice({
  isOwner,
  setAvailability,
}: {
  isOwner: boolean
  setAvailability: (availability: PostAvailability) => void
}): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    clearTimeout(timer.current)
    if (isOwner) timer.current = setTimeout(() => setAvailability('deleted'), OWN_DELETION_MS)
    else setAvailability('deleted')
  }
}

function hasLikes(state: PostState): state is PostState & Likes {
  return state.like !== undefined && state.likeId !== undefined
}

// The strip under the header that announces changes to the open post. The text does not move when
// the strip appears or disappears.

const ICONS = { updated: RefreshCw, unpublished: EyeOff, deleted: Trash2 }

type LiveStripProps = {
  notice: PostNotice
  /** In place of the text of the notice. */
  text?: string
  isOwner: boolean
  onShow: () => void
  onClose: () => void
}

export function LiveStrip({ notice, text, isOwner, onShow, onClose }: LiveStripProps) {
  const strip = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const heightPixels = compensateScroll(() => strip.current?.offsetHeight ?? 0)
    return () => void compensateScroll(() => -heightPixels)
  }, [])
  const container = document.getElementById(LIVE_STRIPS_ID)
  if (!container) return null
  const Icon = ICONS[notice]
  const isUpdate = notice === 'updated'
  return createPortal(
    <div ref={strip} className={isUpdate ? 'strip strip--news' : 'strip strip--gone'}>
      <div className="container strip__inner">
        <Icon className="icon" aria-hidden="true" />
        <span>{text ?? noticeText(notice, isOwner)}</span>
        {isUpdate && (
          <>
            <span aria-hidden="true"> · </span>
            <button className="target link" type="button" onClick={onShow}>
              {texts.livePost.show}
            </button>
            <IconButton label={texts.livePost.close} onClick={onClose} Icon={X} />
          </>
        )}
      </div>
    </div>,
    container,
  )
}

function noticeText(notice: PostNotice, isOwner: boolean): string {
  const { updated, unpublished, deleted, ownUnpublished, ownDeleted } = texts.livePost
  switch (notice) {
    case 'updated':
      return updated
    case 'unpublished':
      return isOwner ? ownUnpublished : unpublished
    case 'deleted':
      return isOwner ? ownDeleted : deleted
  }
}

/** Scrolls by the change in height above the text, without the browser's own scroll anchoring. */
function compensateScroll(measure: () => number): number {
  const { style } = document.documentElement
  style.overflowAnchor = 'none'
  const byPixels = measure()
  window.scrollBy({ top: byPixels, behavior: 'instant' })
  requestAnimationFrame(() => requestAnimationFrame(() => style.removeProperty('overflow-anchor')))
  return byPixels
}

// Keeps the paragraph at the top of the window where it is when the text is replaced.

type ReadingPosition = { text: string; index: number; topPixels: number }

const BLOCKS = '#post-title, .prose > *'
const COVERS = '.header, .strips'

/** @returns undefined if there is no post on the page */
export function findReadingPosition(): ReadingPosition | undefined {
  const edge = Math.max(
    0,
    ...Array.from(
      document.querySelectorAll(COVERS),
      (cover) => cover.getBoundingClientRect().bottom,
    ),
  )
  const blocks = Array.from(document.querySelectorAll(BLOCKS))
  const visibleAt = blocks.findIndex((block) => block.getBoundingClientRect().bottom > edge)
  const index = visibleAt < 0 ? blocks.length - 1 : visibleAt
  const block = blocks[index]
  return block && { text: textOf(block), index, topPixels: block.getBoundingClientRect().top }
}

/** Scrolls the same paragraph, or the one that replaced it, to its old position and focuses it. */
export function restoreReadingPosition({ text, index, topPixels }: ReadingPosition): void {
  const blocks = Array.from(document.querySelectorAll<HTMLElement>(BLOCKS))
  const equalBlocks = blocks
    .filter((block) => textOf(block) === text)
    .toSorted((a, b) => distance(blocks, a, index) - distance(blocks, b, index))
  const block = (text && equalBlocks[0]) || blocks[Math.min(index, blocks.length - 1)]
  if (!block) return
  const top = block.getBoundingClientRect().top
  window.scrollBy({ top: top - topPixels, behavior: 'instant' })
  block.tabIndex = -1
  block.focus({ preventScroll: true })
}

function textOf(block: Element): string {
  return block.textContent?.trim() ?? ''
}

function distance(blocks: Element[], block: Element, index: number): number {
  return Math.abs(blocks.indexOf(block) - index)
}
