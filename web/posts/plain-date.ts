// A date that is the same for everybody.
import { texts } from '../locales/texts.ts'

/** "18 Nov 2025" in UTC, whatever machine writes it. */
export function plainDate(isoTime: string): string {
  const date = new Date(isoTime)
  return texts.date(date.getUTCDate(), date.getUTCMonth(), date.getUTCFullYear())
}
