// The heart. Its state and its number are always what the server answered last; nothing changes
// before a save has held.

import { Heart } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { PostDocument } from '#contract/posts.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/api-context.tsx'
import { refreshInFeed } from '../feed/post-lists.ts'
import { texts } from '../locales/texts.ts'
import { compactLikes, spokenLikes } from '../posts/like-count.ts'
import { setLike } from '../posts/posts-api.ts'
import { useAnnounce } from '../ui/live-region.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { LikeSignIn } from './like-sign-in.tsx'

const ANSWER_WITHIN_MS = 10_000

export function LikeButton({ post }: { post: PostDocument }) {
  const api = useApi()
  const { isChecking, userData } = useViewer()
  const toasts = useToasts()
  const announce = useAnnounce()
  const [saved, setSaved] = useState<Pick<PostDocument, '$id' | 'like' | 'likeId'>>(post)
  const [isSaving, setSaving] = useState(false)
  const [isFresh, setFresh] = useState(false)
  const [isAsking, setAsking] = useState(false)
  /** Pressed before it was known who looks. */
  const [isWished, setWished] = useState(false)
  const round = useRef(0)
  const viewerId = userData?.$id
  const isLiked = viewerId !== undefined && saved.likeId.includes(viewerId)

  function handlePress() {
    if (isSaving) return
    if (isChecking) setWished(true)
    else if (viewerId) void save(viewerId, !isLiked)
    else setAsking(true)
  }

  const fulfil = useEffectEvent(() => {
    setWished(false)
    if (!viewerId) setAsking(true)
    // The heart was shown empty then: the wish is a like, also where there is one already.
    else if (!isLiked) void save(viewerId, true)
  })
  useEffect(() => {
    if (isWished && !isChecking) fulfil()
  }, [isWished, isChecking])

  async function save(userId: string, wish: boolean) {
    round.current += 1
    const mine = round.current
    setSaving(true)
    setFresh(false)
    const giveUp = setTimeout(() => end(mine, () => fail(userId, wish)), ANSWER_WITHIN_MS)
    const answer = await setLike(api, saved, { viewerId: userId, isLiked: wish })
    clearTimeout(giveUp)
    if (answer.ok) {
      setSaved(answer.value)
      refreshInFeed(answer.value)
    }
    end(mine, () => {
      if (!answer.ok) return fail(userId, wish)
      setFresh(wish)
      announce((wish ? texts.likes.liked : texts.likes.removed)(spokenLikes(answer.value.like)))
    })
  }

  /** Closes a press once, by its answer or by the clock, whichever comes first. */
  function end(mine: number, then: () => void) {
    if (round.current !== mine) return
    round.current += 1
    setSaving(false)
    then()
  }

  function fail(userId: string, wish: boolean) {
    toasts.show({
      kind: 'error',
      text: texts.likes.failed,
      action: { label: texts.actions.tryAgain, onPress: () => void save(userId, wish) },
    })
  }

  return (
    <div className="popover-anchor">
      <button
        className={isFresh ? 'like-button is-fresh' : 'like-button'}
        type="button"
        data-shortcut="like"
        aria-pressed={isLiked}
        aria-busy={isSaving || isWished || undefined}
        aria-disabled={isSaving || isWished || undefined}
        aria-haspopup={viewerId || isChecking ? undefined : 'dialog'}
        onClick={handlePress}
      >
        <span className="like-button__icon">
          <Heart className="icon" aria-hidden="true" />
        </span>
        <span className="visually-hidden">{texts.likes.button(spokenLikes(saved.like))}</span>
        <span aria-hidden="true">{compactLikes(saved.like)}</span>
      </button>
      {isAsking && !viewerId && <LikeSignIn onClose={() => setAsking(false)} />}
    </div>
  )
}
