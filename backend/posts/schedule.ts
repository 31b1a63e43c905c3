// The time at which an inactive post becomes active by itself (api.md §10.1). Independent of SQL.

import { invalidFormat, PUBLISHED_AT } from './attributes.ts'
import type { PostRow } from './store.ts'

/** How far ahead a post may be scheduled. */
export const SCHEDULE_YEARS_MAX = 5

type ScheduleRules = { now: Date; hasExtraAttributes: boolean }

/**
 * The time for which a changed post is scheduled; empty for none. Programs that send a whole post
 * back send the time that they read, which changes nothing.
 *
 * @param sent `publishAt` is the time that was sent, empty for null; undefined leaves it
 * @throws Refusal `document_invalid_structure`
 */
export function scheduleAfter(
  row: Pick<PostRow, 'status' | 'publishAt' | 'publishedAt'>,
  sent: { status?: string | undefined; publishAt?: string | undefined },
  { now, hasExtraAttributes }: ScheduleRules,
): string {
  const { publishAt } = sent
  const isActive = (sent.status ?? row.status) === 'active'
  const isUnchanged = publishAt === undefined || publishAt === (row.publishAt || row.publishedAt)
  if (isUnchanged) return isActive ? '' : row.publishAt
  const isPast = publishAt <= now.toISOString()
  if (isActive) {
    if (!isPast) throw invalidFormat(PUBLISHED_AT, 'sent with the status inactive to be in future')
    return ''
  }
  if (publishAt === '') return ''
  if (isPast) {
    // Programs with attributes of their own write this one themselves.
    if (hasExtraAttributes) return row.publishAt
    throw invalidFormat(PUBLISHED_AT, 'in future. This time has passed: choose a later one')
  }
  const latest = new Date(now)
  latest.setUTCFullYear(latest.getUTCFullYear() + SCHEDULE_YEARS_MAX)
  if (publishAt > latest.toISOString())
    throw invalidFormat(PUBLISHED_AT, `at most ${SCHEDULE_YEARS_MAX} years ahead`)
  return publishAt
}
