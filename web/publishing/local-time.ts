// A day and a time of day in the writer's time zone, as the fields of the form have them, and the
// instant that they mean. The browser knows the rules of its zone.

/** `day` as 2025-11-24, `clock` as 07:00. */
export type LocalTime = { day: string; clock: string }

export type ChosenTime = {
  instant: Date
  /** The clocks go forward over the chosen time: the time of day that it becomes. */
  movedTo?: string
  /** The clocks go back over the chosen time, which comes twice: the first one is meant. */
  isRepeated: boolean
}

const LOCAL = /^(\d{4,6})-(\d\d)-(\d\d)T(\d\d):(\d\d)$/
const TRANSITION_MAX_MS = 3 * 3_600_000
const MINUTE_MS = 60_000

/** @returns undefined until both fields have a value */
export function instantOf({ day, clock }: LocalTime): ChosenTime | undefined {
  const parts = LOCAL.exec(`${day}T${clock}`)?.slice(1).map(Number)
  if (!parts) return undefined
  const [year = 0, month = 1, date = 1, hour = 0, minute = 0] = parts
  const instant = new Date(year, month - 1, date, hour, minute)
  if (Number.isNaN(instant.getTime())) return undefined
  const { clock: actualClock } = localTimeOf(instant)
  return {
    instant,
    ...(actualClock !== clock && { movedTo: actualClock }),
    isRepeated: repeats(instant),
  }
}

/** Whether the clocks show the same day and time again soon after. */
function repeats(instant: Date): boolean {
  const later = new Date(instant.getTime() + TRANSITION_MAX_MS)
  const setBackMinutes = later.getTimezoneOffset() - instant.getTimezoneOffset()
  if (setBackMinutes <= 0) return false
  const again = localTimeOf(new Date(instant.getTime() + setBackMinutes * MINUTE_MS))
  const { day, clock } = localTimeOf(instant)
  return again.day === day && again.clock === clock
}

export function localTimeOf(instant: Date): LocalTime {
  const offsetMs = instant.getTimezoneOffset() * MINUTE_MS
  const [day = '', clock = ''] = new Date(instant.getTime() - offsetMs).toISOString().split('T')
  return { day, clock: clock.slice(0, 'hh:mm'.length) }
}

/** Tomorrow at seven, which the form suggests. */
export function suggestedTime(now: Date): LocalTime {
  const tomorrow = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 7)
  return localTimeOf(tomorrow)
}

/** "Lisbon" and "UTC+1": the zone as the writer knows it. */
export function zoneOf(instant: Date): { place: string; offset: string } {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const place = timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ')
  const parts = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' }).formatToParts(
    instant,
  )
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return { place, offset: offset.replace(/^GMT(?:\+0$)?/, 'UTC').replace('-', '−') }
}

/** The whole days, hours and minutes from now until then. */
export function timeUntil(instant: Date, now: Date) {
  const minutes = Math.max(0, Math.ceil((instant.getTime() - now.getTime()) / MINUTE_MS))
  return {
    days: Math.floor(minutes / 1440),
    hours: Math.floor((minutes % 1440) / 60),
    minutes: minutes % 60,
  }
}
