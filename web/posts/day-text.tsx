// A day of UTC, as the server counts them: the same day for every reader, in their own language.
import { useCallback, useSyncExternalStore } from 'react'
import { formatDate, onDateLanguage } from '../head/date-language.ts'
import { texts } from '../locales/texts.ts'

const SHORT: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', timeZone: 'UTC' }
const LONG: Intl.DateTimeFormatOptions = { ...SHORT, year: 'numeric' }

/** @returns a function that writes a day like `2025-11-23`, with or without its year */
export function useDayText(): (day: string, options?: { hasYear: boolean }) => string {
  const isHere = useSyncExternalStore(
    onDateLanguage,
    () => true,
    () => false,
  )
  return useCallback(
    (day, { hasYear } = { hasYear: false }) => {
      const date = new Date(day)
      if (isHere) return formatDate(date, hasYear ? LONG : SHORT)
      const [ofMonth, month] = [date.getUTCDate(), date.getUTCMonth()]
      return hasYear
        ? texts.date(ofMonth, month, date.getUTCFullYear())
        : texts.dayOfMonth(ofMonth, month)
    },
    [isHere],
  )
}
