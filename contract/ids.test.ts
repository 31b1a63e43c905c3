// Ids, slugs and times in requests and responses.
import { expect, test } from 'vitest'
import { isId, parseTime, slugAt, wireTime } from './ids.ts'

test.each(['a', 'A9._-', 'blog1700000000000l', 'x'.repeat(36)])('%s is an id', (text) => {
  expect(isId(text)).toBe(true)
})

test.each([
  '',
  '_a',
  '-a',
  '.a',
  'x'.repeat(37),
  'a b',
  'a/b',
  'ä',
  'a\n',
  'unique()',
  1,
  null,
  ['a'],
])('%j is not an id', (value) => {
  expect(isId(value)).toBe(false)
})

test('a slug consists of the word blog, the time in milliseconds and the letter l', () => {
  expect(slugAt(1_700_000_000_000)).toBe('blog1700000000000l')
  expect(isId(slugAt(Date.now()))).toBe(true)
})

test('times in bodies have milliseconds and +00:00', () => {
  expect(wireTime('2023-11-20T13:37:00.000Z')).toBe('2023-11-20T13:37:00.000+00:00')
  expect(wireTime(new Date(0))).toBe('1970-01-01T00:00:00.000+00:00')
})

test.each([
  ['2023-11-20T13:37:00.123+00:00', '2023-11-20T13:37:00.123Z'],
  ['2023-11-20t13:37:00.123456z', '2023-11-20T13:37:00.123Z'],
  ['2023-11-20T13:37-0130', '2023-11-20T15:07:00.000Z'],
  ['0001-01-01', '0001-01-01T00:00:00.000Z'],
])('%s is read as %s', (text, stored) => {
  expect(parseTime(text)).toBe(stored)
})

test.each([
  '',
  'now',
  '2023',
  '2023-13-01',
  '2023-02-30',
  '2023-11-20T25:00Z',
  '0000-01-01T00:00+23:00',
  '9999-12-31T23:00-02:00',
  '1700000000000',
  5,
  null,
])('%j is not a time', (value) => {
  expect(parseTime(value)).toBe(undefined)
})
