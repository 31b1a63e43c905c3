// Ids, slugs and the times inside bodies. Pure text work.

/** 1 to 36 characters, the first alphanumeric (contract §1.6). */
export const ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/

/** What a client sends when it wants the server to make the id. */
export const UNIQUE_ID = 'unique()'

export const ID_RULE =
  'UID must contain at most 36 chars. Valid chars are a-z, A-Z, 0-9, period, hyphen, and underscore. It must start with a letter or digit.'

export function isId(value: unknown): value is string {
  return typeof value === 'string' && ID_PATTERN.test(value)
}

/**
 * The slug of a new post, which is also its id: the word blog, the time, the letter l.
 *
 * @param nowMs milliseconds since 1970
 * @source spec §4 "Slug", ruling O10
 */
export function slugAt(nowMs: number): string {
  return `blog${Math.trunc(nowMs)}l`
}

/**
 * A moment in the form of bodies: always milliseconds, always +00:00 (contract §1.6).
 *
 * @param time stored ISO text (`…Z`) or a Date
 */
export function wireTime(time: string | Date): string {
  return (typeof time === 'string' ? new Date(time) : time).toISOString().replace('Z', '+00:00')
}
