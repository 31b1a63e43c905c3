// For which time a change of a post schedules it.
import { expect, test } from 'vitest'
import { scheduleAfter } from './schedule.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')
const PAST = '2026-03-01T11:59:59.999Z'
const SOON = '2026-03-01T12:00:00.001Z'
const LATER = '2026-03-02T07:00:00.000Z'
const DRAFT = { status: 'inactive', publishAt: '', publishedAt: '' }
const SCHEDULED = { ...DRAFT, publishAt: LATER }
const after = (
  row: typeof DRAFT,
  sent: { status?: string; publishAt?: string },
  hasExtraAttributes = false,
) => scheduleAfter(row, sent, { now: NOW, hasExtraAttributes })

test.each([
  ['a draft without a time has none', DRAFT, {}, ''],
  ['a time schedules a draft', DRAFT, { publishAt: SOON }, SOON],
  ['another time moves it', SCHEDULED, { publishAt: SOON }, SOON],
  ['other changes leave the time', SCHEDULED, {}, LATER],
  ['null cancels', SCHEDULED, { publishAt: '' }, ''],
  ['publishing now ends the schedule', SCHEDULED, { status: 'active' }, ''],
  ['the whole post, published now', SCHEDULED, { status: 'active', publishAt: LATER }, ''],
  ['the whole post, sent after its time', { ...DRAFT, publishAt: PAST }, { publishAt: PAST }, PAST],
  [
    'the whole of a post that was published before',
    { ...DRAFT, publishedAt: PAST },
    { status: 'inactive', publishAt: PAST },
    '',
  ],
  [
    'the whole of an active post',
    { ...DRAFT, status: 'active', publishedAt: PAST },
    { status: 'inactive', publishAt: PAST },
    '',
  ],
  [
    'deactivating for a time',
    { ...DRAFT, status: 'active', publishedAt: PAST },
    { status: 'inactive', publishAt: LATER },
    LATER,
  ],
  [
    'five years ahead',
    DRAFT,
    { publishAt: '2031-03-01T12:00:00.000Z' },
    '2031-03-01T12:00:00.000Z',
  ],
])('%s', (_, row, sent, time) => {
  expect(after(row, sent)).toBe(time)
})

test.each([
  ['a time that has passed', DRAFT, { publishAt: PAST }, 'This time has passed'],
  ['now', DRAFT, { publishAt: NOW.toISOString() }, 'This time has passed'],
  ['a time with an active post', DRAFT, { status: 'active', publishAt: LATER }, 'inactive'],
  ['a time of an active post', { ...DRAFT, status: 'active' }, { publishAt: LATER }, 'inactive'],
  ['more than five years', DRAFT, { publishAt: '2031-03-01T12:00:00.001Z' }, 'at most 5 years'],
])('%s is refused', (_, row, sent, message) => {
  expect(() => after(row, sent)).toThrow(message)
})

test('a program with attributes of its own may write a past time, which changes nothing', () => {
  expect(after(DRAFT, { publishAt: PAST }, true)).toBe('')
  expect(after(SCHEDULED, { publishAt: PAST }, true)).toBe(LATER)
})
