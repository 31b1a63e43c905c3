// The heart. Its state and its number are always what the server answered last; nothing changes
// before a like is saved.

import { Heart } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { PostDocument } from '#contract/posts.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import type { Failure } from '../api/result.ts'
import { refreshInFeed } from '../feed/post-lists.ts'
import { texts } from '../locales/texts.ts'
import { compactLikes, spokenLikes } from '../posts/like-count.ts'
import { setLike } from '../posts/posts-api.ts'
import { useAnnounce } from '../ui/live-region.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { LikeSignIn } from './like-sign-in.tsx'

const ANSWER_WITHIN_MS = 10_000

type Likes = Pick<PostDocument, '$id' | 'like' | 'likeId'>

export function LikeButton({ post }: { post: Likes }) {
  const { isChecking, userData } = useViewer()
  const [isAsking, setAsking] = useState(false)
  /** Pressed before it was known who the viewer is. */
  const [isPending, setPending] = useState(false)
  const { likes, isSaving, isFresh, save } = useLikes(post)
  const viewerId = userData?.$id
  const isLiked = viewerId !== undefined && likes.likeId.includes(viewerId)

  function handlePress() {
    if (isSaving) return
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
    <div className="popover-anchor">
      <button
        className={isFresh ? 'like-button is-fresh' : 'like-button'}
        type="button"
        data-shortcut="like"
        aria-pressed={isLiked}
        aria-busy={isSaving || isPending || undefined}
        aria-disabled={isSaving || isPending || undefined}
        aria-haspopup={viewerId || isChecking ? undefined : 'dialog'}
        onClick={handlePress}
      >
        <span className="like-button__icon">
          <Heart className="icon" aria-hidden="true" />
        </span>
        <span className="visually-hidden">{texts.likes.button(spokenLikes(likes.like))}</span>
        <span aria-hidden="true">{compactLikes(likes.like)}</span>
      </button>
      {isAsking && !viewerId && <LikeSignIn onClose={() => setAsking(false)} />}
    </div>
  )
}

function useLikes(post: Likes) {
  const api = useApi()
  const toasts = useToasts()
  const announce = useAnnounce()
  const { refresh } = useViewer()
  const [likes, setLikes] = useState<Likes>(post)
  const [isSaving, setSaving] = useState(false)
  /** The viewer's like was saved just now. */
  const [isFresh, setFresh] = useState(false)
  const lastPress = useRef(0)

  async function save(userId: string, isLiked: boolean) {
    lastPress.current += 1
    const press = lastPress.current
    setSaving(true)
    setFresh(false)
    const timeout = setTimeout(() => end(press, () => fail(userId, isLiked)), ANSWER_WITHIN_MS)
    const answer = await setLike(api, likes, { viewerId: userId, isLiked })
    clearTimeout(timeout)
    if (answer.ok) {
      setLikes(answer.value)
      refreshInFeed(answer.value)
    }
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
    toasts.show({
      kind: 'error',
      text: texts.likes.failed,
      action: { label: texts.actions.tryAgain, onPress: () => void save(userId, isLiked) },
    })
  }
  return { likes, isSaving, isFresh, save }
}
