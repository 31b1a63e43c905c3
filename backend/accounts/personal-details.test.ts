// Which addresses and names are taken, and in which form.
import { expect, test } from 'vitest'
import { parseEmail, parseName } from './users.ts'

test.each([
  ['ann@example.com', 'ann@example.com'],
  ['  Ann@Example.COM ', 'ann@example.com'],
  ["o'neil+blog_1=x@sub.example.co.uk", "o'neil+blog_1=x@sub.example.co.uk"],
  ['jürgen@müller.example', 'jürgen@müller.example'],
  ['JU\u0308RGEN@example.com', 'jürgen@example.com'],
  ['用户@例子.测试', '用户@例子.测试'],
  ['a@xn--bcher-kva.example', 'a@xn--bcher-kva.example'],
  [
    `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(58)}.ex`,
    `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(58)}.ex`,
  ],
])('%j is kept as %j', (text, email) => {
  expect(parseEmail(text)).toBe(email)
})

test.each([
  '',
  ' ',
  'ann',
  '@example.com',
  'ann@',
  'ann@localhost',
  'ann@@example.com',
  'ann@bob@example.com',
  'ann@example.com, bob@example.com',
  'ann@example.com;bob@example.com',
  'Ann <ann@example.com>',
  '"ann b"@example.com',
  'ann b@example.com',
  'ann@exa mple.com',
  'ann@example.com\r\nBcc: all@example.com',
  'ann@example.com\n',
  '\tann@example.com',
  'ann\0@example.com',
  'ann@example.com\0',
  '.ann@example.com',
  'ann.@example.com',
  'an..n@example.com',
  'ann@.example.com',
  'ann@example..com',
  'ann@example.com.',
  'ann@-example.com',
  'ann@example-.com',
  'ann@127.0.0.1',
  'ann@[127.0.0.1]',
  'ann@exam_ple.com',
  'ann\u200b@example.com',
  'ann@ex\u202eample.com',
  'mailto:ann@example.com',
  `${'a'.repeat(65)}@example.com`,
  `ann@${'b'.repeat(64)}.com`,
  `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(59)}.ex`,
  `ann@${'a.'.repeat(50_000)}com`,
  `${'a'.repeat(100_000)}`,
])('%j is no address', (text) => {
  expect(() => parseEmail(text)).toThrow(
    expect.objectContaining({
      type: 'general_argument_invalid',
      message: 'Invalid `email` param: Value must be a valid email address',
    }),
  )
})

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
