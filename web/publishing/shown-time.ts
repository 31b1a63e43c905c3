// A time at which a post is published, as sentences name it.
import { dateText, timeOfDay } from '../dates/dates.tsx'
import { formatDate } from '../head/date-language.ts'
import { texts } from '../locales/texts.ts'

const DAY: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' }
const WEEKDAY: Intl.DateTimeFormatOptions = { ...DAY, weekday: 'short' }

/** "24 Nov, 07:00"; with the year if it is another one. */
export function shortTime(isoTime: string, now = new Date()): string {
  const time = new Date(isoTime)
  const isThisYear = time.getFullYear() === now.getFullYear()
  const day = isThisYear ? formatDate(time, DAY) : dateText(isoTime)
  return texts.scheduled.time(day, timeOfDay(time.getTime()))
}

/** "tomorrow, 24 Nov, 07:00" or "Mon 1 Dec, 18:30". */
export function upcomingTime(isoTime: string, now = new Date()): string {
  const time = new Date(isoTime)
  const tomorrow = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 12)
  const day = time.toDateString()
  if (day === now.toDateString()) return texts.scheduled.today(shortTime(isoTime, now))
  if (day === tomorrow.toDateString()) return texts.scheduled.tomorrow(shortTime(isoTime, now))
  if (time.getFullYear() !== now.getFullYear()) return shortTime(isoTime, now)
  return texts.scheduled.time(
    formatDate(time, WEEKDAY).replace(', ', ' '),
    timeOfDay(time.getTime()),
  )
}
