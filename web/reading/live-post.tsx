// What becomes of a post while its page is open: changed, taken back, deleted, liked. The text on
// the page never changes by itself.
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
import { Button } from '../ui/button.tsx'
import type { Likes } from './like-button.tsx'

/** A page on which its author deletes the post is left before that. */
const OWN_DELETION_MS = 1500
/** The status of a post that is not there for this viewer. */
const MISSING = 404

type PostAvailability = 'there' | 'takenBack' | 'deleted'
type PostNotice = 'updated' | Exclude<PostAvailability, 'there'>

export type LivePost = ReturnType<typeof useLivePost>

/** @returns `shown` is the post as it is on the page; `likes` those of the last event */
export function useLivePost(post: PagePost, { isOwner }: { isOwner: boolean }) {
  const api = useApi()
  const { databaseId, collectionId } = api.settings
  const [loaded, setLoaded] = useState(post)
  const shown = loaded.$updatedAt > post.$updatedAt ? loaded : post
  const [found, setFate] = useState<PostAvailability>('there')
  // After signing out the viewer may no longer read the post: that is not the author's doing.
  const fate = useHasLeft() && found === 'takenBack' ? 'there' : found
  const [newest, setNewest] = useState('')
  const [closed, setClosed] = useState('')
  const [likes, setLikes] = useState<Likes | undefined>()
  const showDeletion = useDeletionNotice({ isOwner, setFate })
  const eventCount = useRef(0)

  function applyState(state: PostState) {
    const wasPublic = shown.status === 'active'
    setFate(wasPublic && state.status !== 'active' ? 'takenBack' : 'there')
    setNewest((before) => (state.$updatedAt > before ? state.$updatedAt : before))
    if (hasLikes(state)) setLikes(state)
  }
  function markUnpublished() {
    setFate((before) => (before === 'deleted' ? before : 'takenBack'))
  }
  /** After a lost connection: events may have been missed. */
  async function readState() {
    const countBefore = eventCount.current
    const state = await findState(api, post.$id)
    // An event that arrived during the call is newer.
    if (!state.ok || eventCount.current !== countBefore) return
    if (state.value) applyState(state.value)
    else if (isOwner) setFate('deleted')
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
    handleMissed: () => void readState(),
  })

  /** Puts the newest text on the page; rejects when it cannot be had. */
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
    note: fate === 'there' ? (isUpdated ? ('updated' as const) : undefined) : fate,
    isGone: fate !== 'there',
    likes,
    show,
    closeNotice: () => setClosed(newest),
  }
}

/** Whether the user for whom the page was loaded is no longer the viewer. */
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

function useDeletionNotice({
  isOwner,
  setFate,
}: {
  isOwner: boolean
  setFate: (fate: PostAvailability) => void
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

// The strip under the header that says what became of the open post. The text does not move when it
// comes or goes.

const ICONS = { updated: RefreshCw, takenBack: EyeOff, deleted: Trash2 }

type LiveStripProps = {
  note: PostNotice
  isOwner: boolean
  onShow: () => void
  onClose: () => void
}

export function LiveStrip({ note, isOwner, onShow, onClose }: LiveStripProps) {
  const strip = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const heightPixels = scrollBy(() => strip.current?.offsetHeight ?? 0)
    return () => void scrollBy(() => -heightPixels)
  }, [])
  const place = document.getElementById(LIVE_STRIPS_ID)
  if (!place) return null
  const Icon = ICONS[note]
  const isNews = note === 'updated'
  return createPortal(
    <div ref={strip} className={isNews ? 'strip strip--news' : 'strip strip--gone'}>
      <div className="container strip__inner">
        <Icon className="icon" aria-hidden="true" />
        <span>{noticeText(note, isOwner)}</span>
        {isNews && (
          <>
            <span aria-hidden="true"> · </span>
            <button className="target link" type="button" onClick={onShow}>
              {texts.livePost.show}
            </button>
            <Button
              kind="ghost"
              className="btn--icon"
              aria-label={texts.livePost.close}
              onClick={onClose}
              Icon={X}
            />
          </>
        )}
      </div>
    </div>,
    place,
  )
}

function noticeText(note: PostNotice, isOwner: boolean): string {
  const { updated, unpublished, deleted, ownUnpublished, ownDeleted } = texts.livePost
  switch (note) {
    case 'updated':
      return updated
    case 'takenBack':
      return isOwner ? ownUnpublished : unpublished
    case 'deleted':
      return isOwner ? ownDeleted : deleted
  }
}

/** What stands above the text is longer by so much: the browser must not make up for it, too. */
function scrollBy(measure: () => number): number {
  const { style } = document.documentElement
  style.overflowAnchor = 'none'
  const byPixels = measure()
  window.scrollBy({ top: byPixels, behavior: 'instant' })
  requestAnimationFrame(() => requestAnimationFrame(() => style.removeProperty('overflow-anchor')))
  return byPixels
}

// The paragraph at the top of the window, so that it stays there when the text is replaced.

type ReadingPosition = { text: string; at: number; topPixels: number }

const BLOCKS = '#post-title, .prose > *'
const COVERS = '.header, .strips'

/** @returns undefined without a post on the page */
export function findReadingPosition(): ReadingPosition | undefined {
  const edge = Math.max(
    0,
    ...Array.from(document.querySelectorAll(COVERS), (one) => one.getBoundingClientRect().bottom),
  )
  const blocks = Array.from(document.querySelectorAll(BLOCKS))
  const found = blocks.findIndex((block) => block.getBoundingClientRect().bottom > edge)
  const at = found < 0 ? blocks.length - 1 : found
  const block = blocks[at]
  return block && { text: textOf(block), at, topPixels: block.getBoundingClientRect().top }
}

/** Scrolls the same paragraph, or what is in its place now, to where it was, and focuses it. */
export function restoreReadingPosition({ text, at, topPixels }: ReadingPosition): void {
  const blocks = Array.from(document.querySelectorAll<HTMLElement>(BLOCKS))
  const same = blocks
    .filter((block) => textOf(block) === text)
    .toSorted((one, other) => distance(blocks, one, at) - distance(blocks, other, at))
  const block = (text && same[0]) || blocks[Math.min(at, blocks.length - 1)]
  if (!block) return
  const top = block.getBoundingClientRect().top
  window.scrollBy({ top: top - topPixels, behavior: 'instant' })
  block.tabIndex = -1
  block.focus({ preventScroll: true })
}

function textOf(block: Element): string {
  return block.textContent?.trim() ?? ''
}

function distance(blocks: Element[], block: Element, at: number): number {
  return Math.abs(blocks.indexOf(block) - at)
}
