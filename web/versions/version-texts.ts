// What the screens say of a version.
import type { PostVersion } from '#contract/history.ts'
import { texts } from '../locales/texts.ts'
import { clockText, dayTimeText } from '../posts/day-time.ts'

export function versionTime(version: Pick<PostVersion, '$updatedAt'>): string {
  return dayTimeText(version.$updatedAt)
}

/** "Saved by itself, 21:31 to 21:40" */
export function kindText({ kind, restoredFrom, $createdAt, $updatedAt }: PostVersion): string {
  const { versionKinds, versionKindTimes } = texts
  if (kind === 'restored' && restoredFrom)
    return versionKindTimes.restored(dayTimeText(restoredFrom, { isInside: true }))
  const [from, to] = [clockText($createdAt), clockText($updatedAt)]
  return kind === 'autosaved' && from !== to
    ? versionKindTimes.autosaved(from, to)
    : versionKinds[kind]
}

/** "270 words, saved by itself" */
export function sideText({ words, kind }: PostVersion): string {
  const { comparing, wordCount, versionKinds } = texts
  return comparing.side(wordCount(words), versionKinds[kind].toLowerCase())
}
