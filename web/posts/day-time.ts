// A time as a person would say it: "Today 14:02", "17 Nov 2025, 21:40". In the reader's language
// of dates and time zone, so only for parts that the browser renders.
import { formatDate } from '../head/date-language.ts'
import { texts } from '../locales/texts.ts'

const TIME: Intl.DateTimeFormatOptions = { timeStyle: 'short' }
const DATE: Intl.DateTimeFormatOptions = { dateStyle: 'medium' }

/** @param options `isInside` a sentence: "today 14:02" */
export function dayTimeText(
  isoTime: string,
  { isInside = false, now = new Date() }: { isInside?: boolean; now?: Date } = {},
): string {
  const time = new Date(isoTime)
  const clock = clockText(isoTime)
  const yesterday = new Date(now)
  yesterday.setDate(now.getDate() - 1)
  if (time.toDateString() === now.toDateString()) return texts.dayTimes.today(clock, isInside)
  if (time.toDateString() === yesterday.toDateString())
    return texts.dayTimes.yesterday(clock, isInside)
  return texts.dayTimes.other(dateText(isoTime), clock)
}

export function clockText(isoTime: string): string {
  return formatDate(new Date(isoTime), TIME)
}

export function dateText(isoTime: string): string {
  return formatDate(new Date(isoTime), DATE)
}
