import { expect, test } from 'vitest'
import { threadCpuMs } from '#test/support/cpu-time.ts'
import { plainText } from './plain-text.ts'

test.each([
  ['<p>One</p><p>two</p>', 'One two'],
  ['<p>a<strong>b</strong>c &amp; d&nbsp;e &#233; &#x41;</p>', 'abc & d e é A'],
  ['<style>p{}</style><script>alert(1)</script><p>Text</p>', 'Text'],
  ['&lt;b&gt; stays text, &unknown; too', '<b> stays text, &unknown; too'],
  ['<section>One</section><section>two</section>', 'One two'],
  ['<dl><dt>One</dt><dd>two</dd></dl><center>three</center>', 'One two three'],
  ['<p>One<img src="x" alt="y">two<iframe src="z"></iframe>three</p>', 'One two three'],
  [
    '<p>E = mc<sup>2</sup>, x<sup>n+1</sup>, x<sup>-y</sup>, H<sub>2</sub>O',
    'E = mc², xⁿ⁺¹, x^(-y), H₂O',
  ],
  ['<p>the 1<sup>st</sup> and M<sup>lle</sup></p>', 'the 1st and Mlle'],
  ['<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>とは', '漢字（かんじ）とは'],
  ['<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>', '漢字(かんじ)'],
  ['<ruby>WWW<rt>World Wide Web</rt></ruby>', 'WWW (World Wide Web)'],
  ['', ''],
])('the plain text of %j is %j', (html, text) => {
  expect(plainText(html)).toBe(text)
})

test.each([
  ['a<script>x</script>b', 'a b'],
  ['a<STYLE type="x">p{}</Style>b', 'a b'],
  // Only its own end tag closes an element; an element that is never closed hides nothing.
  ['a<script></style>x</script>b', 'a b'],
  ['a<style><script></style>b</script>', 'a b'],
  ['a<style>b', 'ab'],
  ['a</script>b', 'ab'],
])('scripts and styles are not text: %s', (html, text) => {
  expect(plainText(html)).toBe(text)
})

test('unclosed start tags take time linear in their number', () => {
  const text = `${'<script'.repeat(100_000)}</style>`
  expect(threadCpuMs(() => plainText(text))).toBeLessThan(500)
})
