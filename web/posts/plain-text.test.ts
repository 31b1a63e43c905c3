import { expect, test } from 'vitest'
import { threadCpuMs } from '#test/support/cpu-time.ts'
import { excerptOf, minutesOf } from './plain-text.ts'

test('an excerpt ends with a whole word, and an ellipsis if more follows', () => {
  expect(
    excerptOf('<p>The platform lights go amber, and the station lowers its voice.</p>', 30),
  ).toBe('The platform lights go amber…')
  expect(excerptOf('<p>Short.</p>', 30)).toBe('Short.')
  expect(excerptOf(`<p>${'x'.repeat(50)}</p>`, 30)).toBe(`${'x'.repeat(30)}…`)
  expect(excerptOf(`<p>${'🕯'.repeat(50)}</p>`, 31)).toBe(`${'🕯'.repeat(15)}…`)
})

test('an excerpt is the beginning of the running text', () => {
  const list = '<ul><li>Shoes<ol><li>left</li></ol></li></ul>'
  expect(
    excerptOf(
      `<h2>The corridor</h2>${list}<p>Everything happens here.</p><pre><code>let a</code></pre><figure><img><figcaption>A door</figcaption></figure><blockquote><p>Quite.</p></blockquote><table><tr><td>1</td></tr></table>`,
      300,
    ),
  ).toBe('Everything happens here. Quite.')
  expect(excerptOf(`<h1>Only</h1>${list}`, 300)).toBe('')
  expect(excerptOf('</ul><p>Open</p><ul><li>to the end', 300)).toBe('Open')
})

test('reading time counts words, or letters where no spaces separate words', () => {
  expect(minutesOf('')).toBe(1)
  expect(minutesOf('word '.repeat(880))).toBe(4)
  expect(minutesOf('字'.repeat(1500))).toBe(3)
})

test('an excerpt of a long text costs no more than that of its beginning', () => {
  const long = `<p>First words.</p>${'<p>x &lt; y</p>'.repeat(70_000)}<p>#tag</p>`
  const costMs = (html: string) =>
    threadCpuMs(() => {
      for (let run = 0; run < 50; run++)
        expect(excerptOf(html, 30)).toBe('First words. x < y x < y x <…')
    })
  const beginningMs = costMs(long.slice(0, 100_000))
  expect(costMs(long)).toBeLessThan(4 * beginningMs)
  // The beginning may end within a tag.
  const cut = `<p>${'a'.repeat(49_980)}</p><p class="${'b'.repeat(90)}">c</p>`
  expect(excerptOf(cut, 60_000)).toBe('a'.repeat(49_980))
})
