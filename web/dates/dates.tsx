// Dates and times in the reader's own language and time zone. The server knows neither, and writes
// the same text for everyone.
import { useSyncExternalStore } from 'react'
import { formatDate, onDateLanguage, useDateLanguage } from '../head/date-language.ts'
import { DATE_FORMAT, TIME_FORMAT } from '../head/localise-dates.ts'
import { texts } from '../locales/texts.ts'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'

/**
 * A script in the head replaces the server's date before it is painted (localise-dates.ts).
 *
 * @param time ISO 8601, as the server sends it
 */
export function LocalDate({ time, hasTime = false }: { time: string; hasTime?: boolean }) {
  const format = hasTime ? TIME_FORMAT : DATE_FORMAT
  const text = useSyncExternalStore(
    onDateLanguage,
    () => formatDate(new Date(time), format),
    () => (hasTime ? plainTime(time) : plainDate(time)),
  )
  return (
    <bdi>
      {/* The reader's date stays on hydration, although the server wrote another. */}
      <time dateTime={time} data-date={hasTime ? 'time' : ''} suppressHydrationWarning>
        {text}
      </time>
    </bdi>
  )
}

/** Date and time of day, for parts that are never rendered by the server. @param time ISO 8601 */
export function LocalTime({ time }: { time: string }) {
  const text = useLocalText(time, DATE_AND_TIME)
  return (
    <bdi>
      <time dateTime={time}>{text}</time>
    </bdi>
  )
}

/** "18 Nov 2025" in UTC, the same for every reader. */
export function plainDate(isoTime: string): string {
  const date = new Date(isoTime)
  return texts.date(date.getUTCDate(), date.getUTCMonth(), date.getUTCFullYear())
}

function plainTime(isoTime: string): string {
  return `${plainDate(isoTime)}, ${new Date(isoTime).toISOString().slice(11, 16)} UTC`
}

const TIME: Intl.DateTimeFormatOptions = { timeStyle: 'short' }
const DATE: Intl.DateTimeFormatOptions = { dateStyle: 'medium' }

/**
 * "Today 14:02" or "17 Nov 2025, 21:40", in the reader's date language and time zone: only for
 * parts that the browser renders.
 *
 * @param options `isMidSentence`: within a sentence, as in "today 14:02"
 */
export function dayTimeText(
  isoTime: string,
  { isMidSentence = false, now = new Date() }: { isMidSentence?: boolean; now?: Date } = {},
): string {
  const clock = clockText(isoTime)
  const day = recentDay(isoTime, now)
  return day
    ? texts.dayTimes[day](clock, isMidSentence)
    : texts.dayTimes.other(dateText(isoTime), clock)
}

/** Compares days by the calendar of the reader's time zone: a day may have 23 or 25 hours. */
export function recentDay(isoTime: string, now = new Date()): 'today' | 'yesterday' | undefined {
  const day = new Date(isoTime).toDateString()
  if (day === now.toDateString()) return 'today'
  // Noon: not every day has a midnight.
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1, 12)
  return day === yesterday.toDateString() ? 'yesterday' : undefined
}

export function clockText(isoTime: string): string {
  return formatDate(new Date(isoTime), TIME)
}

export function dateText(isoTime: string): string {
  return formatDate(new Date(isoTime), DATE)
}

const FORMAT = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** "14:02", as a clock shows it. */
export function timeOfDay(ms: number): string {
  return FORMAT.format(ms)
}

export const DATE_AND_TIME: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' }

/** The format in which the server writes, and which the browser's first render repeats. */
const PLAIN = { locale: 'en-GB', timeZone: 'UTC' }

/**
 * A time in the reader's time zone, and in their own language or the one they chose. The server
 * knows neither.
 *
 * @param isoTime ISO 8601
 */
export function useLocalText(isoTime: string, format: Intl.DateTimeFormatOptions): string {
  const isHydrated = useIsHydrated()
  const language = useDateLanguage()
  const time = new Date(isoTime)
  return isHydrated
    ? formatDate(time, format, language)
    : new Intl.DateTimeFormat(PLAIN.locale, { ...format, timeZone: PLAIN.timeZone }).format(time)
}
