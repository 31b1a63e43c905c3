// Keeps what is typed in the post form on this device, and offers what was left there before. Knows nothing of saving or screens.

import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { PostDocument } from '#contract/posts.ts'
import type { LocalDraft } from './draft-store.ts'
import { localDrafts } from './local-drafts.ts'
import { plainText } from './reading.ts'

/** What the form holds at this moment. */
export type DraftValues = Pick<LocalDraft, 'title' | 'slug' | 'status' | 'content' | 'basedOn'>

/** A draft is written at once after each key; only a text that takes long to write is written less often. */
const QUICK_MS = 12
const REST_PER_COST = 5
const REST_MAX_MS = 1000

/** @param read the form's values; asked whenever something is to be kept */
export function useLocalDraft({ post, userId, read }: { post: PostDocument | undefined; userId: string; read: () => DraftValues }) {
  const owner = { userId, postId: post?.$id }
  const [offers, setOffers] = useState<LocalDraft[]>([])
  const [hasNoRoom, setNoRoom] = useState(false)
  const live = useRef({ id: '', isChanged: false, isWaiting: false, isOver: false, costMs: 0 })
  const latestRead = useRef(read)
  useEffect(() => {
    latestRead.current = read
  })

  function snapshot(): LocalDraft {
    live.current.id ||= makeDraftId()
    return { id: live.current.id, ...latestRead.current(), changedAt: new Date().toISOString() }
  }
  function write() {
    const now = live.current
    if (!now.isChanged || now.isOver) return
    now.isChanged = false
    const startedMs = performance.now()
    const draft = snapshot()
    if (isEmpty(draft)) void localDrafts.drop(owner, draft.id)
    else void localDrafts.keep(owner, draft).then((isKept) => setNoRoom(!isKept))
    now.costMs = performance.now() - startedMs
  }
  const latestWrite = useRef(write)
  useEffect(() => {
    latestWrite.current = write
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: looks once, when the form opens
  useEffect(() => {
    let isCurrent = true
    void localDrafts.find(owner).then((found) => {
      if (isCurrent) setOffers(found.filter((draft) => draft.id !== live.current.id && !isSame(draft, post)))
    })
    return () => {
      isCurrent = false
    }
  }, [])

  // A layout effect: when the form goes, the editor inside it can still be read.
  useLayoutEffect(() => {
    const handleHide = () => latestWrite.current()
    window.addEventListener('pagehide', handleHide)
    document.addEventListener('visibilitychange', handleHide)
    return () => {
      latestWrite.current()
      window.removeEventListener('pagehide', handleHide)
      document.removeEventListener('visibilitychange', handleHide)
    }
  }, [])

  /** The form's text steps aside: it is kept, and offered from now on. */
  function setAside() {
    write()
    if (!live.current.id) return
    const draft = snapshot()
    live.current = { ...live.current, id: '', isChanged: false }
    if (isEmpty(draft)) return
    void localDrafts.keep(owner, draft)
    setOffers((now) => [draft, ...now])
  }

  return {
    /** Drafts of earlier openings that nobody has decided about, the newest first. */
    offers,
    /** The last text was too much for this browser: there is no copy of it. */
    hasNoRoom,
    /** Something was typed. */
    touch() {
      const now = live.current
      now.isChanged = true
      if (now.isWaiting) return
      now.isWaiting = true
      setTimeout(
        () => {
          now.isWaiting = false
          latestWrite.current()
        },
        now.costMs <= QUICK_MS ? 0 : Math.min(now.costMs * REST_PER_COST, REST_MAX_MS),
      )
    },
    /** Goes on with an offered draft; what is in the form now steps aside. */
    takeUp({ id }: LocalDraft) {
      setAside()
      live.current = { ...live.current, id, isChanged: true }
      setOffers((now) => now.filter((offer) => offer.id !== id))
    },
    setAside,
    discard({ id }: LocalDraft) {
      setOffers((now) => now.filter((offer) => offer.id !== id))
      void localDrafts.drop(owner, id)
    },
    /** Writes what was typed since the last time. */
    flush: () => latestWrite.current(),
    /** The text is saved as a post: no copy of it stays here. */
    async forget() {
      live.current.isOver = true
      if (live.current.id) await localDrafts.drop(owner, live.current.id)
    },
  }
}

/** Also works where a page has no secure origin, unlike `crypto.randomUUID`. */
function makeDraftId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join('')
}

function isEmpty({ title, content, basedOn }: DraftValues): boolean {
  return basedOn === undefined && title.trim() === '' && plainText(content) === '' && !/<(?:img|video|audio|iframe|table|hr)\b/i.test(content)
}

/** A draft that says what the post says already needs no decision. */
function isSame(draft: LocalDraft, post: PostDocument | undefined): boolean {
  return post !== undefined && draft.title === post.title && draft.status === post.status && draft.content === post.content
}
