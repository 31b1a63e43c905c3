// Which addresses are valid, and their forms.
import { expect, test } from 'vitest'
import { parseEmail, toLowerCaseEmail, toMailAddress, tryParseEmail } from './addresses.ts'

test.each([
  ['ann@example.com', 'ann@example.com'],
  ['  Ann@Example.COM ', 'ann@example.com'],
  ["o'neil+blog_1=x@sub.example.co.uk", "o'neil+blog_1=x@sub.example.co.uk"],
  ['jürgen@müller.example', 'jürgen@müller.example'],
  ['JU\u0308RGEN@example.com', 'jürgen@example.com'],
  ['用户@例子.测试', '用户@例子.测试'],
  [
    `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(58)}.ex`,
    `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(58)}.ex`,
  ],
])('%j is stored as %j', (text, email) => {
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
  'ann@example.com..',
  'ann@ex%61mple.com',
  'ann@example.com/x',
  'ann@.',
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
])('%j is not a valid address', (text) => {
  expect(() => parseEmail(text)).toThrow(
    expect.objectContaining({
      type: 'general_argument_invalid',
      message: 'Invalid `email` param: Value must be a valid email address',
    }),
  )
})

test.each([
  ['ann@bücher.example', 'xn--bcher-kva.example', 'XN--BCHER-KVA.EXAMPLE', 'BÜCHER.example'],
  [
    'ann@example.test',
    'EXAMPLE.test',
    'example.test.',
    'ｅｘａｍｐｌｅ.test',
    'ex\u00adample.test',
  ],
  ['ann@example.test', 'example。test', 'example．test'],
  ['ann@faß.example', 'xn--fa-hia.example', 'FAß.example'],
  ['ann@例子.测试', 'xn--fsqu00a.xn--0zwm56d', '例子。测试'],
  ['ann@ασ.example', 'ΑΣ.example'],
  ['ann@☃.example', 'xn--n3h.example'],
])('%s is one address in every spelling of its domain', (email, ...domains) => {
  for (const domain of domains) expect(parseEmail(`Ann@${domain}`)).toBe(email)
  expect(parseEmail(email)).toBe(email)
  expect(tryParseEmail(toMailAddress(email))).toBe(email)
})

test('mail servers get the domain in ASCII', () => {
  expect(toMailAddress('jürgen@bücher.example')).toBe('jürgen@xn--bcher-kva.example')
  expect(toMailAddress('ann@example.test')).toBe('ann@example.test')
})

test('the address as sent is only composed and in lower case', () => {
  expect(toLowerCaseEmail(' Ann@XN--bcher-kva.example ')).toBe('ann@xn--bcher-kva.example')
})
