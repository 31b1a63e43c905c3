// The heart. Its state and its number are always those of the server's last response or event.
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
  /** The likes of the server's last event. */
  likesOfEvent: Likes | undefined
  /** The post is gone. */
  isOff: boolean
}

export function LikeButton({ post, likesOfEvent, isOff }: LikeButtonProps) {
  const { isChecking, isPersonalised, userData } = useViewer()
  const [isAsking, setAsking] = useState(false)
  /** Pressed before it was known who the viewer is. */
  const [isPending, setPending] = useState(false)
  const { likes, isSaving, isFresh, added, save } = useLikes(post, likesOfEvent)
  const viewerId = userData?.$id
  const isLiked = isPersonalised && viewerId !== undefined && likes.likeId.includes(viewerId)

  function handlePress() {
    if (isSaving || isOff) return
    if (isChecking) setPending(true)
    else if (viewerId) void save(viewerId, !isLiked)
    else setAsking(true)
  }

  const pressAgain = useEffectEvent(() => {
    setPending(false)
    if (!viewerId) setAsking(true)
    // The heart was shown empty then: a like was wanted, also where there is one already.
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
        aria-pressed={isLiked}
        aria-busy={isSaving || isPending || undefined}
        aria-disabled={isSaving || isPending || isOff || undefined}
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
      {isAsking && !viewerId && !isOff && <LikeSignIn onClose={() => setAsking(false)} />}
    </div>
  )
}

const ANSWER_WITHIN_MS = 10_000
/** An event that arrives after the response to an own press may be older than it, for so long. */
const LATE_NEWS_MS = 2000
/** How long it is shown that others have liked the post. */
const ADDED_SHOWN_MS = 2000

export type Likes = Pick<PostDocument, '$id' | 'like' | 'likeId'>

/**
 * The likes of the open post, by responses to the viewer's own presses and by events. Nothing
 * changes before a like is saved.
 *
 * @param news the likes of the server's last event
 */
function useLikes(post: Likes, news: Likes | undefined) {
  const api = useApi()
  const toasts = useToasts()
  const announce = useAnnounce()
  const { refresh } = useViewer()
  const [likes, setLikes] = useState<Likes>(post)
  const [isSaving, setSaving] = useState(false)
  /** The viewer's like was saved just now. */
  const [isFresh, setFresh] = useState(false)
  const lastPress = useRef(0)
  const own = useRef<LikePress | undefined>(undefined)
  const added = useLikeEvents(news, { likes, setLikes, own })

  async function save(userId: string, isLiked: boolean) {
    lastPress.current += 1
    const press = lastPress.current
    setSaving(true)
    setFresh(false)
    const wish: LikePress = { viewerId: userId, isLiked, isAnswered: false, isSeen: false }
    own.current = wish
    const timeout = setTimeout(() => end(press, () => fail(userId, isLiked)), ANSWER_WITHIN_MS)
    const answer = await saveLike(api, likes, { viewerId: userId, isLiked })
    clearTimeout(timeout)
    wish.isAnswered = true
    if (answer.ok) {
      // An event that came meanwhile with this like in it is newer than the response.
      if (!wish.isSeen) setLikes(answer.value)
    } else if (own.current === wish) own.current = undefined
    end(press, () => {
      if (!answer.ok) return void explain(answer.failure, userId, isLiked)
      setFresh(isLiked)
      announce((isLiked ? texts.likes.liked : texts.likes.removed)(spokenLikes(answer.value.like)))
    })
  }

  /** Ends a press once, by its answer or by the timeout, whichever comes first. */
  function end(press: number, then: () => void) {
    if (lastPress.current !== press) return
    lastPress.current += 1
    setSaving(false)
    then()
  }

  /** That the session has ended is said by the page itself: trying again would not help. */
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
  news: Likes | undefined,
  {
    likes,
    setLikes,
    own,
  }: {
    likes: Likes
    setLikes: (likes: Likes) => void
    own: { current: LikePress | undefined }
  },
): number {
  const { userData } = useViewer()
  const [added, setAdded] = useState({ count: 0 })
  const take = useEffectEvent((told: Likes) => {
    const count = likesOfOthers(told, userData?.$id) - likesOfOthers(likes, userData?.$id)
    setLikes(told)
    if (count !== 0) setAdded((before) => ({ count: Math.max(0, before.count + count) }))
  })
  useEffect(() => {
    if (!news) return
    if (!mayPredatePress(news, own.current)) return take(news)
    const timer = setTimeout(() => {
      own.current = undefined
      take(news)
    }, LATE_NEWS_MS)
    return () => clearTimeout(timer)
  }, [news, own])
  useEffect(() => {
    if (added.count === 0) return
    const timer = setTimeout(() => setAdded({ count: 0 }), ADDED_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [added])
  return added.count
}

// An own like on its way, against what the server tells meanwhile of the post: answers and news
// come by different ways, and may overtake each other.

/** The viewer's last press. */
export type LikePress = {
  viewerId: string
  isLiked: boolean
  /** The server has answered it. */
  isAnswered: boolean
  /** An event since the press has it in it already. */
  isSeen: boolean
}

export function likesOfOthers(
  { like, likeId }: Omit<Likes, '$id'>,
  viewerId: string | undefined,
): number {
  return like - Number(viewerId !== undefined && likeId.includes(viewerId))
}

/**
 * Whether news may be from before the viewer's own press, which the server has answered already.
 * Notes in `own` when the press is in the news.
 */
export function mayPredatePress(
  { likeId }: Pick<Likes, 'likeId'>,
  own: LikePress | undefined,
): boolean {
  if (!own) return false
  if (likeId.includes(own.viewerId) === own.isLiked) {
    own.isSeen = true
    return false
  }
  return own.isAnswered && !own.isSeen
}

// The popover under the heart for visitors who are not signed in.

function LikeSignIn({ onClose }: { onClose: () => void }) {
  const { pathname } = useLocation()
  const box = useRef<HTMLDivElement>(null)
  usePageEvent('pointerdown', ({ target }) => {
    if (target instanceof Node && !box.current?.contains(target)) onClose()
  })

  // A layout effect: after the paint the popover is gone from the page, and the focus with it.
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
