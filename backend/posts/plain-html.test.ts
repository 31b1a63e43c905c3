// Bodies that need no cleaning, held against the cleaning.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPlainHtml } from './plain-html.ts'
import { makeSanitise } from './sanitise.ts'

const ADDRESSES = {
  publicUrl: 'https://blog.example.test',
  allowedOrigins: [],
  contentBucketId: 'content',
}

const PIECES = [
  ...['<p>', '</p>', '<h1>', '</h1>', '<h6>', '</h6>', '<em>', '</em>', '<strong>', '</strong>'],
  ...['<b>', '</b>', '<i>', '</i>', '<s>', '</s>', '<u>', '</u>', '\n', '\t', ' ', '\r', '"', "'"],
  ...['&', '&amp;', '<', '>', '<br>', '<P>', '<p >', '<p/>', '<p class="a">', '\u0000', '\u0085'],
  ...['\ud83d', '\ude00', '😀', '\ufeff', '\u2028', 'words', 'é', '<ul>', '</ul>', '<h7>'],
]
const WHOLE = fc
  .tuple(
    fc.constantFrom('p', 'h1', 'h2', 'h6'),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('em', 'strong', 'b', 'i', 'u', 's'),
    fc.string({ unit: 'binary' }),
  )
  .map(([block, text, mark, more]) => `<${block}>${text}<${mark}>${more}</${mark}></${block}>`)
const BODY = fc
  .array(fc.oneof({ weight: 3, arbitrary: WHOLE }, fc.constantFrom(...PIECES)), { maxLength: 6 })
  .map((parts) => parts.join(''))

test('what is taken for plain is what cleaning leaves as it is', () => {
  let seen = 0
  fc.assert(
    fc.property(BODY, (html) => {
      if (!isPlainHtml(html)) return
      seen++
      // What stands behind it makes the whole no longer plain.
      expect(makeSanitise(ADDRESSES)(`${html}&amp;`)).toBe(`${html}&amp;`)
    }),
    { numRuns: 3000 },
  )
  expect(seen).toBeGreaterThan(100)
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

test('a text that is nearly plain is seen through at once', () => {
  const html = `<p>${'a<em>b</em>'.repeat(1800)}</p`
  const beganMs = performance.now()
  expect(isPlainHtml(html)).toBe(false)
  expect(performance.now() - beganMs).toBeLessThan(50)
})
