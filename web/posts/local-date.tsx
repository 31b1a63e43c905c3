// A date in the reader's own language and time zone. The server does not know either, so the first picture is the same
// everywhere and the reader's own follows once the page is alive.

import { useSyncExternalStore } from 'react'
import { texts } from '../locales/texts.ts'

const neverChanges = () => () => {}

/** "18 Nov 2025" in UTC, whatever machine writes it. */
export function plainDate(isoTime: string): string {
  const date = new Date(isoTime)
  return texts.date(date.getUTCDate(), date.getUTCMonth(), date.getUTCFullYear())
}

/** @param time ISO 8601, as the server sends it */
export function LocalDate({ time }: { time: string }) {
  const shown = useSyncExternalStore(
    neverChanges,
    () => new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' }).format(new Date(time)),
    () => plainDate(time),
  )
  return (
    <bdi>
      <time dateTime={time}>{shown}</time>
    </bdi>
  )
}

/** Date and time of day, for parts that are never rendered by the server. @param time ISO 8601 */
export function LocalTime({ time }: { time: string }) {
  return (
    <bdi>
      <time dateTime={time}>{new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time))}</time>
    </bdi>
  )
}
