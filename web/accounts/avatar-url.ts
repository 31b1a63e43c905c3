// The address of an avatar: the file chosen by the user, else initials that the server draws
// (product.md §O8).
import { useState } from 'react'
import type { Prefs } from '#contract/accounts.ts'
import { pathOf, useApi } from '../api/client.ts'
import { previewAddress } from '../files/files-api.ts'

/** @returns the file id; `""` without an avatar, or if a program stored another type of value */
export function avatarIdOf({ avatar }: Prefs): string {
  return typeof avatar === 'string' ? avatar : ''
}

/**
 * The props of the avatar's `<img>`. If the file has been deleted, it shows the initials.
 *
 * @param avatarId "" or undefined if the user has chosen no file
 * @param sidePixels width and height of the square image, in image pixels
 */
export function useAvatar(name: string, avatarId: string | undefined, sidePixels: number) {
  const api = useApi()
  const [missingId, setMissingId] = useState('')
  const size = { width: sidePixels, height: sidePixels }
  const address =
    avatarId && avatarId !== missingId
      ? previewAddress(api, api.settings.avatarBucketId, { fileId: avatarId, ...size })
      : api.avatars.getInitials(name, sidePixels, sidePixels)
  return { src: pathOf(address), onError: () => setMissingId(avatarId ?? '') }
}
