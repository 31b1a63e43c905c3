// A number of likes as text: short for the screen, in full for screen readers. In the language of
// the page, so that server and browser write the same.
import { texts } from '../locales/texts.ts'

const compact = new Intl.NumberFormat(texts.language, {
  notation: 'compact',
  maximumFractionDigits: 1,
})
const exact = new Intl.NumberFormat(texts.language)

/** 0, 128, 12.8K. */
export function compactLikes(like: number): string {
  return compact.format(like)
}

/** "1 like", "12,846 likes". */
export function spokenLikes(like: number): string {
  return texts.likes.count(like, exact.format(like))
}
