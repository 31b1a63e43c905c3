// The like button. Its state and number are always those of the server's last response or event.
import { Heart } from 'lucide-react'
import {
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useLocation } from 'react-router'
import type { PostDocument } from '#contract/posts.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { type Failure, useApi } from '../api/client.ts'
import { saveLike } from '../lists/post-lists.ts'
import { texts } from '../locales/texts.ts'
import { compactLikes, spokenLikes } from '../posts/like-stat.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { useAnnounce } from '../ui/live-region.tsx'
import { retryToast, useToasts } from '../ui/toasts.tsx'
import { usePageEvent } from '../ui/use-page-event.ts'

type LikeButtonProps = {
  post: Likes
  /** The likes in the server's last event. */
  likesOfEvent: Likes | undefined
  /** The post is no longer available. */
  isUnavailable: boolean
}

export function LikeButton({ post, likesOfEvent, isUnavailable }: LikeButtonProps) {
  const { isChecking, isPersonalised, userData } = useViewer()
  const [isSignInShown, setSignInShown] = useState(false)
  /** The button was pressed before the page knew who the viewer is. */
  const [isPending, setPending] = useState(false)
  const { likes, isSaving, isFresh, added, save } = useLikes(post, likesOfEvent)
  const viewerId = userData?.$id
  const isLiked = isPersonalised && viewerId !== undefined && likes.likeId.includes(viewerId)

  function handlePress() {
    if (isSaving || isUnavailable) return
    if (isChecking) setPending(true)
    else if (viewerId) void save(viewerId, !isLiked)
    else setSignInShown(true)
  }

  const pressAgain = useEffectEvent(() => {
    setPending(false)
    if (!viewerId) setSignInShown(true)
    // The button showed no like at that moment: the press meant "like", never "remove".
    else if (!isLiked) void save(viewerId, true)
  })
  useEffect(() => {
    if (isPending && !isChecking) pressAgain()
  }, [isPending, isChecking])

  return (
    <div className="menu-anchor">
      <button
        className={isFresh ? 'like-button is-fresh' : 'like-button'}
        type="button"
        data-shortcut="like"
        // An exported site shows this in place of the button.
        data-static={spokenLikes(likes.like)}
        aria-pressed={isLiked}
        aria-busy={isSaving || isPending || undefined}
        aria-disabled={isSaving || isPending || isUnavailable || undefined}
        aria-haspopup={viewerId !== undefined || isChecking ? undefined : 'dialog'}
        onClick={handlePress}
      >
        <span className="like-button__icon">
          <Heart className="icon" aria-hidden="true" />
        </span>
        <span className="visually-hidden">{texts.likes.button(spokenLikes(likes.like))}</span>
        <span aria-hidden="true">{compactLikes(likes.like)}</span>
        {added > 0 && (
          <span className="like-button__added" aria-hidden="true">
            +{added}
          </span>
        )}
      </button>
      {isSignInShown && !viewerId && !isUnavailable && (
        <LikeSignIn onClose={() => setSignInShown(false)} />
      )}
    </div>
  )
}

const RESPONSE_TIMEOUT_MS = 10_000
/** For this long after the response to a press, an event may be older than the response. */
const LATE_EVENT_MS = 2000
/** How long new likes by others are highlighted. */
const ADDED_SHOWN_MS = 2000

export type Likes = Pick<PostDocument, '$id' | 'like' | 'likeId'>

/**
 * The likes of the open post, from responses to the viewer's presses and from events. Nothing
 * changes before a like is saved.
 *
 * @param likesOfEvent the likes in the server's last event
 */
function useLikes(post: Likes, likesOfEvent: Likes | undefined) {
  const api = useApi()
  const toasts = useToasts()
  const announce = useAnnounce()
  const { refresh } = useViewer()
  const [likes, setLikes] = useState<Likes>(post)
  const [isSaving, setSaving] = useState(false)
  /** The viewer's like was saved just now. */
  const [isFresh, setFresh] = useState(false)
  const pressCount = useRef(0)
  const lastPress = useRef<LikePress | undefined>(undefined)
  const added = useLikeEvents(likesOfEvent, { likes, setLikes, lastPress })

  async function save(userId: string, isLiked: boolean) {
    pressCount.current += 1
    const pressNumber = pressCount.current
    setSaving(true)
    setFresh(false)
    const press: LikePress = { viewerId: userId, isLiked, hasResponse: false, isInEvent: false }
    lastPress.current = press
    const timeout = setTimeout(
      () => end(pressNumber, () => fail(userId, isLiked)),
      RESPONSE_TIMEOUT_MS,
    )
    const result = await saveLike(api, likes, { viewerId: userId, isLiked })
    clearTimeout(timeout)
    press.hasResponse = true
    if (result.ok) {
      // An event that already includes this press is newer than the response.
      if (!press.isInEvent) setLikes(result.value)
    } else if (lastPress.current === press) lastPress.current = undefined
    end(pressNumber, () => {
      if (!result.ok) return void explain(result.failure, userId, isLiked)
      setFresh(isLiked)
      announce((isLiked ? texts.likes.liked : texts.likes.removed)(spokenLikes(result.value.like)))
    })
  }

  /** Ends a press once: by its result or by the timeout, whichever comes first. */
  function end(pressNumber: number, then: () => void) {
    if (pressCount.current !== pressNumber) return
    pressCount.current += 1
    setSaving(false)
    then()
  }

  /** If the session has ended, the page says so itself, and a retry would not help. */
  async function explain({ code }: Failure, userId: string, isLiked: boolean) {
    const isSignedOut = code === 401 && !(await refresh())
    if (!isSignedOut) fail(userId, isLiked)
  }

  function fail(userId: string, isLiked: boolean) {
    toasts.show(retryToast(texts.likes.failed, () => void save(userId, isLiked)))
  }
  return { likes, isSaving, isFresh, added, save }
}

/** @returns how many others have liked the post just now */
function useLikeEvents(
  likesOfEvent: Likes | undefined,
  {
    likes,
    setLikes,
    lastPress,
  }: {
    likes: Likes
    setLikes: (likes: Likes) => void
    lastPress: { current: LikePress | undefined }
  },
): number {
  const { userData } = useViewer()
  const [added, setAdded] = useState({ count: 0 })
  const applyLikes = useEffectEvent((latest: Likes) => {
    const count = likesOfOthers(latest, userData?.$id) - likesOfOthers(likes, userData?.$id)
    setLikes(latest)
    if (count !== 0) setAdded((current) => ({ count: Math.max(0, current.count + count) }))
  })
  useEffect(() => {
    if (!likesOfEvent) return
    if (!mayPredatePress(likesOfEvent, lastPress.current)) return applyLikes(likesOfEvent)
    const timer = setTimeout(() => {
      lastPress.current = undefined
      applyLikes(likesOfEvent)
    }, LATE_EVENT_MS)
    return () => clearTimeout(timer)
  }, [likesOfEvent, lastPress])
  useEffect(() => {
    if (added.count === 0) return
    const timer = setTimeout(() => setAdded({ count: 0 }), ADDED_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [added])
  return added.count
}

// Compares the viewer's press with events about the post: the response to the press and an event
// arrive on different connections and may overtake each other.

/** The viewer's last press. */
export type LikePress = {
  viewerId: string
  isLiked: boolean
  /** The server has responded. */
  hasResponse: boolean
  /** An event since the press already includes it. */
  isInEvent: boolean
}

export function likesOfOthers(
  { like, likeId }: Omit<Likes, '$id'>,
  viewerId: string | undefined,
): number {
  return like - Number(viewerId !== undefined && likeId.includes(viewerId))
}

/**
 * Whether an event may be older than the viewer's press, to which the server has responded already.
 * Records in `lastPress` when an event includes the press.
 */
export function mayPredatePress(
  { likeId }: Pick<Likes, 'likeId'>,
  lastPress: LikePress | undefined,
): boolean {
  if (!lastPress) return false
  if (likeId.includes(lastPress.viewerId) === lastPress.isLiked) {
    lastPress.isInEvent = true
    return false
  }
  return lastPress.hasResponse && !lastPress.isInEvent
}

// The popover below the like button for visitors who are not signed in.

function LikeSignIn({ onClose }: { onClose: () => void }) {
  const { pathname } = useLocation()
  const box = useRef<HTMLDivElement>(null)
  usePageEvent('pointerdown', ({ target }) => {
    if (target instanceof Node && !box.current?.contains(target)) onClose()
  })

  // A layout effect, because a passive one is cleaned up after the popover has left the page and
  // taken the focus with it.
  useLayoutEffect(() => {
    const opener = document.activeElement
    box.current?.querySelector('a')?.focus()
    return () => {
      if (
        opener instanceof HTMLElement &&
        opener.isConnected &&
        box.current?.contains(document.activeElement)
      )
        opener.focus()
    }
  }, [])

  function handleKey(event: KeyboardEvent) {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onClose()
  }

  return (
    <div
      className="float popover"
      dir={texts.direction}
      role="dialog"
      aria-label={texts.likeSignIn.label}
      ref={box}
      onKeyDown={handleKey}
    >
      <p>
        <b>{texts.likeSignIn.title}</b>
      </p>
      <p>{texts.likeSignIn.text}</p>
      <div className="row">
        <ButtonLink to="/login" state={{ from: pathname, back: pathname }}>
          {texts.signing.in}
        </ButtonLink>
        <Button kind="ghost" onClick={onClose}>
          {texts.likeSignIn.notNow}
        </Button>
      </div>
    </div>
  )
}
