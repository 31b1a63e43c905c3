// Changes the avatar in the order that never leaves the account without one: upload, preferences,
// then the old file. The calls are handed in. Knows nothing of how it looks.

import type { Account, Prefs } from '#contract/accounts.ts'
import type { FileModel } from '#contract/files.ts'
import { avatarOf } from '../accounts/avatar-address.ts'
import type { Failure, Result } from '../api/result.ts'
import { texts } from '../locales/texts.ts'

const { avatarSteps, avatarFailures, failures, images } = texts

/** The four messages of product.md §2, in their order. */
export const AVATAR_STEPS = [
  avatarSteps.checking,
  avatarSteps.uploading,
  avatarSteps.updating,
  avatarSteps.done,
] as const

export type AvatarCalls = {
  /** Who is signed in as of now. */
  getAccount: () => Promise<Result<Account>>
  upload: (file: File) => Promise<Result<FileModel>>
  savePrefs: (changes: Prefs) => Promise<Result<Account>>
  deleteFile: (fileId: string) => Promise<unknown>
}

/**
 * @param options `onStep` hears the index of each message of `AVATAR_STEPS` as its work begins
 * @returns the account with its new avatar
 * @source product.md §4 "Avatar change", product.md §O17, §O18
 */
export async function changeAvatar(
  calls: AvatarCalls,
  file: File,
  options: { onStep: (step: number) => void },
): Promise<Result<Account>> {
  options.onStep(0)
  const account = await calls.getAccount()
  if (!account.ok) return account

  options.onStep(1)
  const stored = await calls.upload(file)
  if (!stored.ok) return stored

  options.onStep(2)
  const newId = stored.value.$id
  const saved = await calls.savePrefs({ avatar: newId })
  if (!saved.ok) {
    await calls.deleteFile(newId) // nothing points to it
    return saved
  }
  const oldId = avatarOf(account.value.prefs)
  // After a failure it stays a file of its owner.
  if (oldId && oldId !== newId) await calls.deleteFile(oldId)
  options.onStep(3)
  return saved
}

/** What the form says when the avatar could not be changed. */
export function avatarFailureText({ code, type }: Failure): string {
  if (code === 401) return failures.signedOut
  if (type === 'upload_cancelled') return avatarFailures.cancelled
  if (code === 429) return failures.tooManyTries
  if (type === 'storage_invalid_file_size') return avatarFailures.tooLarge
  if (type === 'storage_file_type_unsupported') return images.wrongType
  if (type === 'storage_invalid_file') return images.unreadable
  return avatarFailures.other
}
