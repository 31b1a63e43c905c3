import { expect, test } from 'vitest'
import { addHeadingIds } from './heading-ids.ts'

test.each([
  ['<h2>The queue</h2><p>x</p>', '<h2 id="h-the-queue">The queue</h2><p>x</p>'],
  [
    '<h3 style="color: red;">A &amp; <em>B</em>!</h3>',
    '<h3 id="h-a-b" style="color: red;">A &amp; <em>B</em>!</h3>',
  ],
  [
    '<h2>第一章 海</h2><h2>Über É</h2>',
    '<h2 id="h-第一章-海">第一章 海</h2><h2 id="h-über-é">Über É</h2>',
  ],
  [
    '<h2>a</h2><h2>a</h2><h2>a 2</h2><h2>a</h2>',
    '<h2 id="h-a">a</h2><h2 id="h-a-2">a</h2><h2 id="h-a-2-2">a 2</h2><h2 id="h-a-3">a</h2>',
  ],
  ['<h2>🎉</h2><h2><img src="/x" alt="" /></h2>', '<h2>🎉</h2><h2><img src="/x" alt="" /></h2>'],
])('%s', (html, expected) => {
  expect(addHeadingIds(html)).toBe(expected)
})

test('every id is unique in ten thousand equal headings', () => {
  const html = addHeadingIds('<h2>a</h2><h3>a 2</h3>'.repeat(5000))
  const ids = html.match(/id="[^"]*"/g) ?? []
  expect(new Set(ids).size).toBe(10_000)
})
