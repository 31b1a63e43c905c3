// How often a user's posts are read (api.md §15.16).

/** Only for the author of the posts. */
export type ReadNumbers = {
  /** False when the blog or the author has turned counting off: then there are no numbers. */
  isCounted: boolean
  /** The last `READS_SHOWN_DAYS` days, the last of them today. */
  days: DayReads[]
  /** Posts that were read on these days, the most read first, at most `READS_POSTS_MAX`. */
  posts: PostReads[]
}
/** `day` is a date in UTC, like `2025-11-23`. */
export type DayReads = { day: string; reads: number }
export type PostReads = { $id: string; title: string; reads: number; today: number }

/** Whether the reads of a user's posts are counted: yes, unless their prefs turn it off. */
export function countsReads(prefs: Record<string, unknown>): boolean {
  return ![false, 'off', 'false'].includes(prefs[READS_PREF] as string | boolean)
}

export const READS_PREF = 'readCounts'
