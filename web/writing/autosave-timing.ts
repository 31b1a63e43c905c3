// When a post that is being written is saved, and when an answer counts as missing.

const MINUTE_MS = 60_000

/** A draft is saved this long after the last key; while keys go on, at least this often. */
export const AUTOSAVE_AFTER_MS = 3000
export const AUTOSAVE_EVERY_MS = 30_000
/** What takes long to send is sent less often: this many times as long passes after it. */
export const AUTOSAVE_PAUSE_PER_COST = 2
/** Pauses before what got no answer is sent again; the last one stays. */
export const SAVE_RETRY_MS = [2000, 5000, 15_000, 30_000, MINUTE_MS] as const
/** Without an answer for this long, the form says that there is no connection. */
export const SAVE_STALLED_MS = 2500
/** A later answer counts as lost. */
export const SAVE_ANSWER_MAX_MS = MINUTE_MS
