// Which names are accepted, and how they are stored.
import { expect, test } from 'vitest'
import { parseName } from './users.ts'

test.each(['', 'Ann Example', '<b>Ann</b> & "co"', 'José 😀', '李小龍', 'a'.repeat(128)])(
  'the name %j is accepted unchanged',
  (name) => {
    expect(parseName(name)).toBe(name)
  },
)

test.each([
  'Ann\r\nBcc: all@example.com',
  'Ann\n',
  'A\0nn',
  'A\tnn',
  'Ann\u2028',
  'Ann\u0085',
  'Ann\ud800',
  ' ',
  '\u200b',
  '\u3164',
  '\u2060\u00ad',
])('the name %j is refused', (name) => {
  expect(() => parseName(name)).toThrow(
    expect.objectContaining({ type: 'general_argument_invalid' }),
  )
})

test('a name loses bidirectional control characters', () => {
  expect(parseName('Eve \u202enimda\u2067')).toBe('Eve nimda')
})
