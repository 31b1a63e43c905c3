// Keeps what is typed in the post form on this device, and offers what was left there before. Knows
// nothing of saving or screens.

import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { PostDocument } from '#contract/posts.ts'
import { type DraftOwner, draftKey, type LocalDraft } from '../drafts/draft-store.ts'
import {
  adoptDrafts,
  discardDraft,
  draftsOnTheWay,
  dropTaken,
  hearDrops,
  localDrafts,
} from '../drafts/drafts.ts'
import { plainText } from '../posts/plain-text.ts'

/** What the form holds at this moment. */
export type DraftValues = Pick<LocalDraft, 'title' | 'slug' | 'status' | 'content' | 'basedOn'>

/**
 * A draft is written at once after each key; only a text that takes long to write is written less
 * often.
 */
const QUICK_MS = 12
const REST_PER_COST = 5
const REST_MAX_MS = 1000

/** @param read the form's values; asked whenever something is to be kept */
export function useLocalDraft({
  post,
  userId,
  read,
}: {
  post: PostDocument | undefined
  userId: string
  read: () => DraftValues
}) {
  const [offers, setOffers] = useState<LocalDraft[]>([])
  const onTheWay = useSyncExternalStore(
    draftsOnTheWay.subscribe,
    draftsOnTheWay.read,
    draftsOnTheWay.read,
  )
  const [hasNoRoom, setNoRoom] = useState(false)
  /** Whose drafts these are; when the post turns out to be gone, those of no post. */
  const latestOwner = useRef<DraftOwner>({ userId, postId: post?.$id })
  const live = useRef({
    id: '',
    isChanged: false,
    isWaiting: false,
    isOver: false,
    isUnmounted: false,
    costMs: 0,
  })
  const latestRead = useRef(read)
  useEffect(() => {
    latestRead.current = read
  })

  function snapshot(): LocalDraft {
    live.current.id ||= makeDraftId()
    const values = latestRead.current()
    const isFree = post !== undefined && latestOwner.current.postId === undefined
    return {
      id: live.current.id,
      ...values,
      ...(isFree && { slug: '', basedOn: undefined }),
      changedAt: new Date().toISOString(),
    }
  }
  function write() {
    const now = live.current
    if (!now.isChanged || now.isOver || now.isUnmounted) return
    now.isChanged = false
    const startedMs = performance.now()
    const draft = snapshot()
    if (isEmpty(draft)) void localDrafts.drop(latestOwner.current, draft.id)
    else void localDrafts.keep(latestOwner.current, draft).then((isKept) => setNoRoom(!isKept))
    now.costMs = performance.now() - startedMs
  }
  const latestWrite = useRef(write)
  useEffect(() => {
    latestWrite.current = write
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: looks once, when the form opens
  useEffect(() => {
    let isCurrent = true
    void localDrafts.find(latestOwner.current).then((found) => {
      if (isCurrent)
        setOffers(found.filter((draft) => draft.id !== live.current.id && !isSame(draft, post)))
    })
    return () => {
      isCurrent = false
    }
  }, [])

  useEffect(
    () =>
      hearDrops((keys) => {
        if (!live.current.id || !draftKey(latestOwner.current, live.current.id).startsWith(keys))
          return
        live.current.isChanged = true
        latestWrite.current()
      }),
    [],
  )

  // A layout effect: when the form goes, the editor inside it can still be read.
  useLayoutEffect(() => {
    const handleHide = () => latestWrite.current()
    live.current.isUnmounted = false
    window.addEventListener('pagehide', handleHide)
    document.addEventListener('visibilitychange', handleHide)
    return () => {
      latestWrite.current()
      live.current.isUnmounted = true // its text can not be read any more; what is kept is all there is
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
    void localDrafts.keep(latestOwner.current, draft)
    setOffers((now) => [draft, ...now])
  }

  return {
    /** Drafts of earlier openings that nobody has decided about, the newest first. */
    offers: offers.filter(({ id }) => !onTheWay.has(id)),
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
    /**
     * Goes on with a copy of an offered draft, which another window may still be writing; what is
     * in the form now steps aside.
     */
    takeUp(offered: LocalDraft) {
      setAside()
      const owner = latestOwner.current
      const copy = { ...offered, id: makeDraftId(), changedAt: new Date().toISOString() }
      live.current = { ...live.current, id: copy.id, isChanged: true }
      setOffers((now) => now.filter(({ id }) => id !== offered.id))
      void localDrafts
        .keep(owner, copy)
        .then((isKept) => (isKept ? dropTaken(owner, offered) : undefined))
    },
    setAside,
    discard({ id }: LocalDraft) {
      setOffers((now) => now.filter((offer) => offer.id !== id))
      void discardDraft(latestOwner.current, id)
    },
    /** Writes what was typed since the last time. */
    flush: () => latestWrite.current(),
    /**
     * The text is on its way to the server: no form offers it meanwhile.
     *
     * @returns says that the way is over; unless the text was saved, it is offered again
     */
    holdBack(): () => void {
      const { id } = live.current
      if (id) draftsOnTheWay.set(id, true)
      return () => {
        if (id && !live.current.isOver) draftsOnTheWay.set(id, false)
      }
    },
    /**
     * The post is gone: this text, and what else was kept for the post, waits from now on where a
     * new one is written.
     */
    async setFree() {
      const { postId } = latestOwner.current
      if (postId === undefined) return
      write()
      latestOwner.current = { userId }
      const { id, isUnmounted } = live.current
      if (id && !isUnmounted && (await localDrafts.keep({ userId }, snapshot())))
        await localDrafts.drop({ userId, postId }, id)
      await adoptDrafts({ userId, postId })
    },
    /** The text is saved as a post: no copy of it stays here. */
    async forget() {
      live.current.isOver = true
      if (live.current.id) await localDrafts.drop(latestOwner.current, live.current.id)
    },
  }
}

/** Also works where a page has no secure origin, unlike `crypto.randomUUID`. */
function makeDraftId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join(
    '',
  )
}

function isEmpty({ title, content, basedOn }: DraftValues): boolean {
  return (
    basedOn === undefined &&
    title.trim() === '' &&
    plainText(content) === '' &&
    !/<(?:img|video|audio|iframe|table|hr)\b/i.test(content)
  )
}

/** A draft that says what the post says already needs no decision. */
function isSame(draft: LocalDraft, post: PostDocument | undefined): boolean {
  return (
    post !== undefined &&
    draft.title === post.title &&
    draft.status === post.status &&
    draft.content === post.content
  )
}
