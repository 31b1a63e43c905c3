// A date in the reader's own language and time zone. The server knows neither and writes the same
// for everyone; a script in the head replaces it before it is painted (localise-dates.ts).
import { useSyncExternalStore } from 'react'
import { DATE_AND_TIME, useLocalText } from '../accounts/use-local-text.ts'
import { formatDate, onDateLanguage } from '../head/date-language.ts'
import { DATE_FORMAT, TIME_FORMAT } from '../head/localise-dates.ts'
import { texts } from '../locales/texts.ts'

/** The same with the time of day. */
function plainTime(isoTime: string): string {
  return `${plainDate(isoTime)}, ${new Date(isoTime).toISOString().slice(11, 16)} UTC`
}

/** @param time ISO 8601, as the server sends it */
export function LocalDate({ time, hasTime = false }: { time: string; hasTime?: boolean }) {
  const format = hasTime ? TIME_FORMAT : DATE_FORMAT
  const shown = useSyncExternalStore(
    onDateLanguage,
    () => formatDate(new Date(time), format),
    () => (hasTime ? plainTime(time) : plainDate(time)),
  )
  return (
    <bdi>
      {/* Taken over with the reader's own date in it, where the server wrote another. */}
      <time dateTime={time} data-date={hasTime ? 'time' : ''} suppressHydrationWarning>
        {shown}
      </time>
    </bdi>
  )
}

/** Date and time of day, for parts that are never rendered by the server. @param time ISO 8601 */
export function LocalTime({ time }: { time: string }) {
  const shown = useLocalText(time, DATE_AND_TIME)
  return (
    <bdi>
      <time dateTime={time}>{shown}</time>
    </bdi>
  )
}

// A date that is the same for everybody.

/** "18 Nov 2025" in UTC, whatever machine writes it. */
export function plainDate(isoTime: string): string {
  const date = new Date(isoTime)
  return texts.date(date.getUTCDate(), date.getUTCMonth(), date.getUTCFullYear())
}

// A time as a person would say it: "Today 14:02", "17 Nov 2025, 21:40". In the reader's language
// of dates and time zone, so only for parts that the browser renders.

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

// "14:02", as a clock shows it.

const FORMAT = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

export function timeOfDay(ms: number): string {
  return FORMAT.format(ms)
}
