// How a number of likes is written for the eye and said aloud. Fixed to English, so server and browser write the same.

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const exact = new Intl.NumberFormat('en')

/** For the eye: 0, 128, 12.8K. */
export function shownLikes(like: number): string {
  return compact.format(like)
}

/** Said aloud: "1 like", "12,846 likes". */
export function spokenLikes(like: number): string {
  return `${exact.format(like)} ${like === 1 ? 'like' : 'likes'}`
}
