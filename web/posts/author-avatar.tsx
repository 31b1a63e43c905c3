// The face beside an author's name: the uploaded avatar, else initials, or an icon when the account
// was deleted.
import { UserRound } from 'lucide-react'
import { useState } from 'react'
import { FACE_DRAWN_MIN_PIXELS } from '#contract/image-sizes.ts'
import { UNKNOWN_USER_NAME } from '#contract/limits.ts'
import { pathOf, useApi } from '../api/client.ts'
import { previewAddress } from '../files/files-api.ts'

export function AuthorAvatar({
  name,
  avatarId,
  sidePixels,
  isEager = false,
}: {
  name: string
  /** Id of a file in the avatar bucket; empty or undefined without one. */
  avatarId: string | undefined
  sidePixels: number
  isEager?: boolean
}) {
  const api = useApi()
  const [missingId, setMissingId] = useState('')
  const drawnPixels = Math.max(FACE_DRAWN_MIN_PIXELS, 2 * sidePixels)
  if (name === UNKNOWN_USER_NAME) {
    return (
      <span className="avatar" aria-hidden="true">
        <UserRound className="icon icon--small" />
      </span>
    )
  }
  const initials = pathOf(api.avatars.getInitials(name, drawnPixels, drawnPixels))
  const size = { width: drawnPixels, height: drawnPixels }
  const face =
    avatarId && avatarId !== missingId
      ? pathOf(previewAddress(api, api.settings.avatarBucketId, { fileId: avatarId, ...size }))
      : undefined
  return (
    <img
      className="avatar"
      src={face ?? initials}
      alt=""
      width={sidePixels}
      height={sidePixels}
      loading={isEager ? 'eager' : 'lazy'}
      fetchPriority="low"
      onError={() => setMissingId(avatarId ?? '')}
    />
  )
}
