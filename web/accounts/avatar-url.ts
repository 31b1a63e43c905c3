// The address of the viewer's avatar: the file named in their preferences, else their initials
// drawn by our server.
import { useState } from 'react'
import type { Account, Prefs } from '#contract/accounts.ts'
import { type Api, pathOf, useApi } from '../api/client.ts'
import { previewAddress } from '../files/files-api.ts'

/** @returns the file id; `""` for everything else that a program may have kept there */
export function avatarOf({ avatar }: Prefs): string {
  return typeof avatar === 'string' ? avatar : ''
}

/**
 * The initials, for people without an avatar (product.md §O8).
 * @param sidePixels width and height
 */
function initialsAddress(api: Api, name: string, sidePixels: number): string {
  return pathOf(api.avatars.getInitials(name, sidePixels, sidePixels))
}

/** @param sidePixels width and height of the square image, in image pixels */
function avatarAddress(api: Api, account: Account, sidePixels: number): string {
  const avatar = avatarOf(account.prefs)
  if (!avatar) return initialsAddress(api, account.name, sidePixels)
  return pathOf(
    previewAddress(api, api.settings.avatarBucketId, {
      fileId: avatar,
      width: sidePixels,
      height: sidePixels,
    }),
  )
}

/** The avatar for an `<img>`: one whose file was deleted falls back to the initials. */
export function useAvatar(account: Account, sidePixels: number) {
  const api = useApi()
  const wanted = avatarAddress(api, account, sidePixels)
  const [broken, setBroken] = useState<string | undefined>()
  return {
    src: broken === wanted ? initialsAddress(api, account.name, sidePixels) : wanted,
    onError: () => setBroken(wanted),
  }
}
