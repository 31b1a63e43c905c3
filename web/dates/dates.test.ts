import { afterEach, expect, test } from 'vitest'
import { recentDay } from './dates.tsx'

const zone = process.env.TZ
afterEach(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

test.each([
  ['a day of 23 hours', 'America/New_York', '2027-03-15T04:30Z', '2027-03-14T16:00Z', 'yesterday'],
  ['the day before it', 'America/New_York', '2027-03-15T04:30Z', '2027-03-14T04:45Z', undefined],
  ['a day of 25 hours', 'America/New_York', '2027-11-08T05:30Z', '2027-11-07T04:10Z', 'yesterday'],
  ['the end of it', 'America/New_York', '2027-11-08T04:30Z', '2027-11-07T04:10Z', 'today'],
  [
    'a day without a midnight',
    'America/Santiago',
    '2027-09-05T12:00Z',
    '2027-09-04T12:00Z',
    'yesterday',
  ],
])(
  '%s: days are those of the calendar, not periods of 24 hours',
  (_what, timeZone, now, time, day) => {
    process.env.TZ = timeZone
    expect(recentDay(time, new Date(now))).toBe(day)
  },
)
