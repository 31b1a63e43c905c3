// How a number of likes is written for the eye and said aloud. In the language of the page, so
// server and browser write the same.
import { texts } from '../locales/texts.ts'

const compact = new Intl.NumberFormat(texts.language, {
  notation: 'compact',
  maximumFractionDigits: 1,
})
const exact = new Intl.NumberFormat(texts.language)

/** For the eye: 0, 128, 12.8K. */
export function compactLikes(like: number): string {
  return compact.format(like)
}

/** Said aloud: "1 like", "12,846 likes". */
export function spokenLikes(like: number): string {
  return texts.likes.count(like, exact.format(like))
}
