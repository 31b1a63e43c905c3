// The avatar beside an author's name, or an icon when the account was deleted.
import { UserRound } from 'lucide-react'
import { AVATAR_PREVIEW_MIN_PIXELS } from '#contract/image-sizes.ts'
import { UNKNOWN_USER_NAME } from '#contract/limits.ts'
import { useAvatar } from '../accounts/avatar-url.ts'

export function AuthorAvatar({
  name,
  avatarId,
  sidePixels,
  isEager = false,
}: {
  name: string
  /** Id of a file in the avatar bucket; empty or undefined if the author has no avatar. */
  avatarId: string | undefined
  sidePixels: number
  isEager?: boolean
}) {
  const image = useAvatar(name, avatarId, Math.max(AVATAR_PREVIEW_MIN_PIXELS, 2 * sidePixels))
  if (name === UNKNOWN_USER_NAME) {
    return (
      <span className="avatar" aria-hidden="true">
        <UserRound className="icon icon--small" />
      </span>
    )
  }
  return (
    <img
      className="avatar"
      {...image}
      alt=""
      width={sidePixels}
      height={sidePixels}
      loading={isEager ? 'eager' : 'lazy'}
      fetchPriority="low"
    />
  )
}
