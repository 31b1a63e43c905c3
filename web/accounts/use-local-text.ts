// A time in the reader's own language, or the one they chose, and time zone. The server knows
// neither: what it writes, and what the first render of the browser repeats, is in UTC.
import { formatDate, useDateLanguage } from '../head/date-language.ts'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'

export const DATE_AND_TIME: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' }

/** Of the texts that the server writes. */
const PLAIN = { locale: 'en-GB', timeZone: 'UTC' }

/** @param isoTime ISO 8601 */
export function useLocalText(isoTime: string, format: Intl.DateTimeFormatOptions): string {
  const isHydrated = useIsHydrated()
  const language = useDateLanguage()
  const time = new Date(isoTime)
  return isHydrated
    ? formatDate(time, format, language)
    : new Intl.DateTimeFormat(PLAIN.locale, { ...format, timeZone: PLAIN.timeZone }).format(time)
}
