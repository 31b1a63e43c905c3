// The address of the viewer's avatar: the file named in their preferences, else their initials
// drawn by our server.
import type { Account, Prefs } from '#contract/accounts.ts'
import { type Api, pathOf } from '../api/client.ts'
import { previewAddress } from '../files/files-api.ts'

/** @returns the file id; `""` for everything else that a program may have kept there */
export function avatarOf({ avatar }: Prefs): string {
  return typeof avatar === 'string' ? avatar : ''
}

/**
 * The initials, for people without an avatar (product.md §O8).
 * @param sidePixels width and height
 */
export function initialsAddress(api: Api, name: string, sidePixels: number): string {
  return pathOf(api.avatars.getInitials(name, sidePixels, sidePixels))
}

/** @param sidePixels width and height of the square image, in image pixels */
export function avatarAddress(api: Api, account: Account, sidePixels: number): string {
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
