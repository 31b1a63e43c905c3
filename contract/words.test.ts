import { expect, test } from 'vitest'
import { threadCpuMs } from '#test/support/cpu-time.ts'
import { countWords, readWords } from './plain-text.ts'

test.each([
  ['', []],
  ['<p></p>', []],
  ['<p>One two</p><p>three</p>', ['One', 'two', 'three']],
  ['<ul><li>a</li><li>b</li></ul>', ['a', 'b']],
  ['one<br>two', ['one', 'two']],
  ['<p>half<strong>bold</strong> word</p>', ['halfbold', 'word']],
  ['a&nbsp;b &amp; c', ['a', 'b', 'c']],
  ['it’s a two-part word', ['it’s', 'a', 'two-part', 'word']],
  ['Grüße aus Łódź 2026', ['Grüße', 'aus', 'Łódź', '2026']],
  ['夜行列車', ['夜', '行', '列', '車']],
  ['<img alt="not these words" src="x">', []],
  ['<address>one</address><fieldset>two</fieldset>', ['one', 'two']],
  ['one<img src="x">two', ['one', 'two']],
  ['<p>H<sub>2</sub>O</p>', ['H₂O']],
  ['— … !', []],
])('the words of %j', (html, words) => {
  expect(readWords(html)).toEqual(words)
  expect(countWords(html)).toBe(words.length)
})

test('splitting a million characters into words takes well under a second, whatever the text', () => {
  for (const piece of ['<', '&', '<p', 'a', '-', 'a-', '夜', '<p>word </p>']) {
    const text = piece.repeat(1_000_000 / piece.length)
    expect(threadCpuMs(() => countWords(text))).toBeLessThan(2000)
  }
})
