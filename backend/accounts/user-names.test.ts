// Which names are taken, and in which form.
import { expect, test } from 'vitest'
import { parseName } from './users.ts'

test.each(['', 'Ann Example', '<b>Ann</b> & "co"', 'José 😀', '李小龍', 'a'.repeat(128)])(
  'the name %j is kept as sent',
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

test('a name loses the signs that turn the text behind it', () => {
  expect(parseName('Eve \u202enimda\u2067')).toBe('Eve nimda')
})
