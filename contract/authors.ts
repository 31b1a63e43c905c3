// The public page of an author, and the line about themselves on it (api.md §15.15).

import { ABOUT_AUTHOR_MAX_CHARS } from './limits.ts'
import { hasMoreCharacters } from './plain-text.ts'
import { cleanLine, isVisible } from './visible-text.ts'

/** An author, with the number of their posts that the caller may read. */
export type Author = {
  $id: string
  /** When the account was created; a wire time. */
  $createdAt: string
  /** May be `""`. */
  name: string
  /** A line about themselves; `""` when there is none. */
  about: string
  /** Id of their avatar in the avatar bucket; `""` when there is none that everybody may see. */
  avatar: string
  /** Active posts that the caller may read, counted up to `TOTAL_MAX`. */
  posts: number
}

/**
 * A person's line about themselves, with each run of white space replaced with one space.
 *
 * @returns undefined when it cannot be shown: too long, or with control characters
 */
export function readAboutAuthor(text: string): string | undefined {
  const line = cleanLine(text.replace(/\s+/g, ' '))
  const isValid =
    !/[\p{Cc}\p{Cs}\ufffe\uffff]/u.test(line) && !hasMoreCharacters(line, ABOUT_AUTHOR_MAX_CHARS)
  if (!isValid) return undefined
  return isVisible(line) ? line : ''
}
