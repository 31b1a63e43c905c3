// The heart. Its state and its number are always what the server answered or told last
// (use-likes.ts).
import { Heart } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useViewer } from '../accounts/viewer.tsx'
import { texts } from '../locales/texts.ts'
import { compactLikes, spokenLikes } from '../posts/like-count.ts'
import { LikeSignIn } from './like-sign-in.tsx'
import { type Likes, useLikes } from './use-likes.ts'

type LikeButtonProps = {
  post: Likes
  /** What the server told last of the likes. */
  news: Likes | undefined
  /** The post is gone. */
  isOff: boolean
}

export function LikeButton({ post, news, isOff }: LikeButtonProps) {
  const { isChecking, userData } = useViewer()
  const [isAsking, setAsking] = useState(false)
  /** Pressed before it was known who the viewer is. */
  const [isPending, setPending] = useState(false)
  const { likes, isSaving, isFresh, added, save } = useLikes(post, news)
  const viewerId = userData?.$id
  const isLiked = viewerId !== undefined && likes.likeId.includes(viewerId)

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
    <div className="popover-anchor">
      <button
        className={isFresh ? 'like-button is-fresh' : 'like-button'}
        type="button"
        data-shortcut="like"
        aria-pressed={isLiked}
        aria-busy={isSaving || isPending || undefined}
        aria-disabled={isSaving || isPending || isOff || undefined}
        aria-haspopup={viewerId || isChecking ? undefined : 'dialog'}
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
