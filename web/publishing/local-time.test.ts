import { afterEach, describe, expect, test } from 'vitest'
import { instantOf, localTimeOf, suggestedTime, timeUntil, zoneOf } from './local-time.ts'

const zone = process.env.TZ
afterEach(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

function chosenIn(timeZone: string, day: string, clock: string) {
  process.env.TZ = timeZone
  const chosen = instantOf({ day, clock })
  return chosen && { ...chosen, instant: chosen.instant.toISOString() }
}

describe('the instant of a day and a time', () => {
  test.each([
    ['UTC', '2026-11-24', '07:00', '2026-11-24T07:00:00.000Z'],
    ['Europe/Lisbon', '2026-07-24', '07:00', '2026-07-24T06:00:00.000Z'],
    ['Asia/Kathmandu', '2026-11-24', '07:00', '2026-11-24T01:15:00.000Z'],
    ['America/St_Johns', '2026-11-24', '07:00', '2026-11-24T10:30:00.000Z'],
    ['Pacific/Kiritimati', '2026-11-24', '07:00', '2026-11-23T17:00:00.000Z'],
    ['Pacific/Niue', '2026-11-24', '23:59', '2026-11-25T10:59:00.000Z'],
    ['Europe/Berlin', '2028-02-29', '00:00', '2028-02-28T23:00:00.000Z'],
  ])('in %s, %s %s', (timeZone, day, clock, instant) => {
    expect(chosenIn(timeZone, day, clock)).toEqual({ instant, isRepeated: false })
  })

  test.each([
    ['Europe/Berlin', '2026-03-29', '02:30', '03:30', '2026-03-29T01:30:00.000Z'],
    ['America/New_York', '2027-03-14', '02:00', '03:00', '2027-03-14T07:00:00.000Z'],
    ['America/Santiago', '2027-09-05', '00:15', '01:15', '2027-09-05T04:15:00.000Z'],
    ['Australia/Lord_Howe', '2026-10-04', '02:15', '02:45', '2026-10-03T15:45:00.000Z'],
    ['America/Scoresbysund', '2027-03-27', '23:30', '00:30', '2027-03-28T01:30:00.000Z'],
  ])('in %s, %s %s does not exist and becomes %s', (timeZone, day, clock, movedTo, instant) => {
    expect(chosenIn(timeZone, day, clock)).toEqual({ instant, movedTo, isRepeated: false })
  })

  test.each([
    ['Europe/Berlin', '2026-10-25', '02:30', '2026-10-25T00:30:00.000Z'],
    ['America/New_York', '2027-11-07', '01:00', '2027-11-07T05:00:00.000Z'],
    ['Australia/Lord_Howe', '2027-04-04', '01:45', '2027-04-03T14:45:00.000Z'],
  ])('in %s, %s %s comes twice, and the first is meant', (timeZone, day, clock, instant) => {
    expect(chosenIn(timeZone, day, clock)).toEqual({ instant, isRepeated: true })
  })

  test.each([
    ['Europe/Berlin', '2026-10-25', '01:59'],
    ['Europe/Berlin', '2026-10-25', '03:00'],
    ['America/New_York', '2027-11-07', '02:00'],
  ])('in %s, %s %s comes once', (timeZone, day, clock) => {
    expect(chosenIn(timeZone, day, clock)?.isRepeated).toBe(false)
  })

  test.each([
    ['', '07:00'],
    ['2026-11-24', ''],
    ['soon', '07:00'],
  ])('is missing for “%s” and “%s”', (day, clock) => {
    expect(instantOf({ day, clock })).toBe(undefined)
  })
})

test('an instant becomes the day and time of the writer’s zone', () => {
  process.env.TZ = 'Pacific/Kiritimati'
  const time = localTimeOf(new Date('2026-11-23T17:05:00.000Z'))
  expect(time).toEqual({ day: '2026-11-24', clock: '07:05' })
})

test('the suggested time is seven o’clock tomorrow, also after a day of 25 hours', () => {
  process.env.TZ = 'Europe/Berlin'
  const time = suggestedTime(new Date('2026-10-24T22:30:00.000Z'))
  expect(time).toEqual({ day: '2026-10-26', clock: '07:00' })
})

test.each([
  ['Europe/Lisbon', '2026-11-24', { place: 'Lisbon', offset: 'UTC' }],
  ['Europe/Lisbon', '2026-07-24', { place: 'Lisbon', offset: 'UTC+1' }],
  ['America/Argentina/Buenos_Aires', '2026-11-24', { place: 'Buenos Aires', offset: 'UTC−3' }],
  ['Asia/Kolkata', '2026-11-24', { place: expect.any(String), offset: 'UTC+5:30' }],
  ['America/St_Johns', '2026-11-24', { place: 'St Johns', offset: 'UTC−3:30' }],
  ['UTC', '2026-11-24', { place: 'UTC', offset: 'UTC' }],
])('the zone %s is named as its writers know it on %s', (timeZone, day, named) => {
  process.env.TZ = timeZone
  expect(zoneOf(new Date(`${day}T12:00:00Z`))).toEqual(named)
})

test.each([
  ['2026-11-24T07:00:00Z', { days: 0, hours: 16, minutes: 58 }],
  ['2026-11-23T14:02:30Z', { days: 0, hours: 0, minutes: 1 }],
  ['2026-11-26T15:02:00Z', { days: 3, hours: 1, minutes: 0 }],
  ['2026-11-23T14:01:00Z', { days: 0, hours: 0, minutes: 0 }],
])('the time until %s is counted in days, hours and minutes', (instant, span) => {
  expect(timeUntil(new Date(instant), new Date('2026-11-23T14:02:00Z'))).toEqual(span)
})
