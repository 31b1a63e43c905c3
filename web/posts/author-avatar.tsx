// The avatar beside an author's name: initials, or an icon when the account was deleted.

import { UserRound } from 'lucide-react'
import { UNKNOWN_USER_NAME } from '#contract/limits.ts'
import { useApi } from '../api/api-context.tsx'
import { pathOf } from '../api/client.ts'

const DRAWN_PIXELS = 96

export function AuthorAvatar({
  name,
  sidePixels,
  isEager = false,
}: {
  name: string
  sidePixels: number
  isEager?: boolean
}) {
  const { avatars } = useApi()
  if (name === UNKNOWN_USER_NAME) {
    return (
      <span className="avatar" aria-hidden="true">
        <UserRound className="icon icon--small" />
      </span>
    )
  }
  const src = pathOf(avatars.getInitials(name, DRAWN_PIXELS, DRAWN_PIXELS))
  return (
    <img
      className="avatar"
      src={src}
      alt=""
      width={sidePixels}
      height={sidePixels}
      loading={isEager ? 'eager' : 'lazy'}
      fetchPriority="low"
    />
  )
}
