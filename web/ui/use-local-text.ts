// A time in the reader's own language and time zone. The server knows neither: what it writes, and
// what the first render of the browser repeats, is in UTC. Knows nothing of the product.
import { useIsHydrated } from './use-is-hydrated.ts'

export const DATE_AND_TIME: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' }

/** Of the texts that the server writes. */
const PLAIN = { locale: 'en-GB', timeZone: 'UTC' }

/** @param isoTime ISO 8601 */
export function useLocalText(isoTime: string, format: Intl.DateTimeFormatOptions): string {
  const isHydrated = useIsHydrated()
  const time = new Date(isoTime)
  return isHydrated
    ? new Intl.DateTimeFormat(undefined, format).format(time)
    : new Intl.DateTimeFormat(PLAIN.locale, { ...format, timeZone: PLAIN.timeZone }).format(time)
}
