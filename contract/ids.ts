// Ids, slugs and the times in requests and answers.

/** Ids consist of a-z, A-Z, 0-9, period, hyphen and underscore (api.md §1.6). */
export const ID_MAX_CHARS = 36

/** 1 to 36 characters, the first alphanumeric (api.md §1.6). */
export const ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/

/** A client sends this to let the server generate the id. */
export const UNIQUE_ID = 'unique()'

/** The rule, as refusals state it. */
export const ID_RULE =
  'UID must contain at most 36 chars. Valid chars are a-z, A-Z, 0-9, period, hyphen, and underscore. It must start with a letter or digit.'

export function isId(value: unknown): value is string {
  return typeof value === 'string' && ID_PATTERN.test(value)
}

/**
 * The slug of a new post, which is also its id: the word blog, the time, the letter l.
 *
 * @param nowMs milliseconds since 1970
 * @source product.md §4 "Slug", product.md §O10
 */
export function slugAt(nowMs: number): string {
  return `blog${Math.trunc(nowMs)}l`
}

/**
 * A time as request and response bodies have it: always milliseconds, always +00:00 (api.md §1.6).
 *
 * @param time stored ISO text (`…Z`) or a Date
 */
export function wireTime(time: string | Date): string {
  if (typeof time === 'string' && STORED_TIME.test(time)) return `${time.slice(0, -1)}+00:00`
  return (typeof time === 'string' ? new Date(time) : time).toISOString().replace('Z', '+00:00')
}

/** The stored form of times; parsing each into a Date would cost ten times as much. */
const STORED_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const TIME =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(?:\.(\d{1,9}))?(?:(Z)|([+ -]\d{2}):?(\d{2}))?)?$/i

/**
 * Parses a time from a client: ISO 8601 with Z, an offset, or neither (then UTC); microseconds are
 * cut off. A space counts as a plus sign, which decoding a query string turns into a space.
 *
 * @returns the stored form (`2023-11-20T13:37:00.123Z`), or undefined for an invalid time, such as
 *   the 31st of February
 */
export function parseTime(text: unknown): string | undefined {
  const parts = typeof text === 'string' ? TIME.exec(text) : null
  if (!parts) return undefined
  const [, day, clock = '00:00', seconds = ':00', fraction = '0', , offsetHours, offsetMinutes] =
    parts
  const zone = offsetHours === undefined ? 'Z' : `${offsetHours.replace(' ', '+')}:${offsetMinutes}`
  const time = new Date(`${day}T${clock}${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${zone}`)
  const isRealDay =
    !Number.isNaN(time.getTime()) &&
    new Date(`${day}T00:00:00Z`).toISOString().startsWith(String(day))
  const stored = isRealDay ? time.toISOString() : ''
  return /^\d{4}-/.test(stored) ? stored : undefined
}

/** The response header that names the viewer (api.md §1.3). */
export const VIEWER_HEADER = 'x-viewer'

/** The value of {@link VIEWER_HEADER}. @param userId undefined for a guest */
export function viewerFingerprint(userId: string | undefined): string {
  return userId === undefined ? 'guest' : `user ${userId}`
}
