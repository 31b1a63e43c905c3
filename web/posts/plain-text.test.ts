import { expect, test } from 'vitest'
import { excerptOf, plainText, readingMinutes } from './plain-text.ts'

test.each([
  ['<p>One</p><p>two</p>', 'One two'],
  ['<p>a<strong>b</strong>c &amp; d&nbsp;e &#233; &#x41;</p>', 'abc & d e é A'],
  ['<style>p{}</style><script>alert(1)</script><p>Text</p>', 'Text'],
  ['&lt;b&gt; stays text, &unknown; too', '<b> stays text, &unknown; too'],
  ['', ''],
])('the words of %j are %j', (html, text) => {
  expect(plainText(html)).toBe(text)
})

test('an excerpt ends at a word end and says that more follows', () => {
  expect(
    excerptOf('<p>The platform lights go amber, and the station lowers its voice.</p>', 30),
  ).toBe('The platform lights go amber…')
  expect(excerptOf('<p>Short.</p>', 30)).toBe('Short.')
  expect(excerptOf(`<p>${'x'.repeat(50)}</p>`, 30)).toBe(`${'x'.repeat(30)}…`)
  expect(excerptOf(`<p>${'🕯'.repeat(50)}</p>`, 31)).toBe(`${'🕯'.repeat(15)}…`)
})

test('reading time counts words, and letters where words are not spaced', () => {
  expect(readingMinutes('')).toBe(1)
  expect(readingMinutes(`<p>${'word '.repeat(880)}</p>`)).toBe(4)
  expect(readingMinutes(`<p>${'字'.repeat(1500)}</p>`)).toBe(3)
})
