// A date in the reader's own language and time zone. The server knows neither and writes the same
// for everyone; a script in the head replaces it before it is painted (early-dates.ts).
import { useSyncExternalStore } from 'react'
import { DATE_AND_TIME, useLocalText } from '../accounts/use-local-text.ts'
import { formatDate, onDateLanguage } from '../head/date-language.ts'
import { DATE_FORMAT, TIME_FORMAT } from '../head/early-dates.ts'
import { plainDate } from './plain-date.ts'

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
