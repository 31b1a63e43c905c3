// Posts as screens know them: what is public is `active`, and one without a title has the first
// words of its text. Programs may have written other words (`BLOG_PUBLIC_STATUSES`).
import { UNKNOWN_USER_NAME } from '#contract/limits.ts'
import { publicWord, ruledStatus } from '#contract/permissions.ts'
import type { PostDocument } from '#contract/posts.ts'
import type { SiteSettings } from '#contract/site-settings.ts'

type Settings = Pick<SiteSettings, 'publicStatuses'>
type Shown = { [Name in 'title' | 'shownTitle' | 'status']?: PostDocument[Name] | undefined }

const USUAL = ['active']

export function publicStatusesOf({ publicStatuses = USUAL }: Settings): readonly string[] {
  return publicStatuses
}

export function toShown<Row extends Shown>(settings: Settings, row: Row): Row {
  const { shownTitle, ...rest } = row
  const shown: Shown = { ...rest }
  if (shownTitle) shown.title = shownTitle
  if (shown.status !== undefined)
    shown.status = ruledStatus(publicStatusesOf(settings), shown.status)
  return shown as Row
}

/** An author without a name, or an answer that leaves it out, is an unknown one. */
export function withAuthor<Row extends Shown & { userName?: string }>(
  settings: Settings,
  row: Row,
): Row {
  const shown = toShown(settings, row)
  return row.userName?.trim() ? shown : { ...shown, userName: UNKNOWN_USER_NAME }
}

/** The word to store for a status of the form. @param stored the post's own word, if it has one */
export function wordOf(settings: Settings, status: string, stored?: string): string {
  const words = publicStatusesOf(settings)
  if (stored !== undefined && ruledStatus(words, stored) === status) return stored
  return status === 'active' ? publicWord(words) : status
}
