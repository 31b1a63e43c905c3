// Bodies that are recognised as clean, compared with the result of cleaning them.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { threadCpuMs } from '#test/support/cpu-time.ts'
import { isPlainHtml } from './post-texts.ts'
import { makeSanitise } from './sanitise.ts'

const ADDRESSES = {
  publicUrl: 'https://blog.example.test',
  allowedOrigins: [],
  contentBucketId: 'content',
}

/** Pieces that cleaning leaves, changes or removes, even inside an element that it leaves. */
const PIECES = [
  '<p>',
  '</p>',
  '<h1>',
  '</h6>',
  '<em>',
  '</em>',
  '<br>',
  '<P>',
  '<p >',
  '<p/>',
  '<ul>',
  '&',
  '&amp;',
  '<',
  '>',
  '"',
  "'",
  '\n',
  '\t',
  ' ',
  '\r',
  '\u0000',
  '\u0085',
  '\ufeff',
  '\ud83d',
  '\ude00',
  '😀',
  '\u2028',
  'é',
  'javascript:alert(1)',
]
const TEXT = fc
  .array(
    fc.oneof({ weight: 3, arbitrary: fc.string({ unit: 'grapheme' }) }, fc.constantFrom(...PIECES)),
    { maxLength: 3 },
  )
  .map((parts) => parts.join(''))
const BLOCK = fc.constantFrom('p', 'p', 'p', 'h1', 'h6', 'h7', 'script', 'p class="a"')
const MARK = fc.constantFrom('em', 'strong', 'b', 'i', 'u', 's', 'script', 'x', 'EM', 'em id="a"')
const elementOf = (start: string, inner: string) =>
  `<${start}>${inner}</${start.replace(/ .*/, '')}>`
const BODY = fc
  .array(
    fc
      .tuple(BLOCK, TEXT, MARK, TEXT)
      .map(([block, text, mark, more]) => elementOf(block, text + elementOf(mark, more))),
    { minLength: 1, maxLength: 2 },
  )
  .map((parts) => parts.join(''))

test('a body that is recognised as plain is not changed by cleaning', () => {
  let plainCount = 0
  fc.assert(
    fc.property(BODY, (html) => {
      if (!isPlainHtml(html)) return
      plainCount++
      // The entity makes the whole body no longer plain.
      expect(makeSanitise(ADDRESSES)(`${html}&amp;`)).toBe(`${html}&amp;`)
    }),
    { numRuns: 4000 },
  )
  expect(plainCount).toBeGreaterThan(100)
})

test.each([
  '<p>One</p>',
  '<h2>A <em>heading</em></h2>\n<p>“Ça <strong>va</strong>?” 😀, it\'s 1 "2"</p>',
  '<p></p>',
])('%s is plain', (html) => {
  expect(isPlainHtml(html)).toBe(true)
})

test.each([
  '',
  'words',
  '<p>one',
  '<p>one</h1>',
  '<p>a & b</p>',
  '<p class="x">one</p>',
  '<p><em>one</strong></p>',
  '<p>one<p>two</p></p>',
  '<script>one</script>',
  '<p>one</p><img src=x onerror=alert(1)>',
  '<p>\u0000</p>',
  '<p>\ud83d</p>',
  '<p>one\r\ntwo</p>',
  `<p>${'a'.repeat(20_000)}</p>`,
])('%j may have to be cleaned', (html) => {
  expect(isPlainHtml(html)).toBe(false)
})

test('a body that is nearly plain is recognised in linear time', () => {
  const html = `<p>${'a<em>b</em>'.repeat(1800)}</p`
  expect(threadCpuMs(() => expect(isPlainHtml(html)).toBe(false))).toBeLessThan(50)
})
