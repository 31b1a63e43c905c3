// The cleaner brings footnotes, callouts, task lists and contents into their form (api.md §10.4).
import { expect, test } from 'vitest'
import { threadCpuMs } from '#test/support/cpu-time.ts'
import { makeSanitise } from './sanitise.ts'

const sanitise = makeSanitise({
  publicUrl: 'https://blog.example',
  allowedOrigins: ['https://blog.example'],
  contentBucketId: 'content',
})
const mark = (key: string, text = '1') =>
  `<sup class="footnote"><a href="#fn-${key}" id="fnref-${key}">${text}</a></sup>`
const note = (key: string, text: string) =>
  `<li id="fn-${key}"><p>${text} <a href="#fnref-${key}" class="footnote-back">↩</a></p></li>`
const section = (...items: string[]) =>
  `\n<section class="footnotes"><ol>${items.join('')}</ol></section>`

test.each([
  `<p>One.${mark('a')} Two.${mark('b', '2')}</p>${section(note('a', 'First'), note('b', 'Second'))}`,
  `<p>One</p>${section('<li id="fn-a"><p>A note without a mark</p></li>')}`,
  '<p>a</p>\n<aside class="callout"><p>Mind the gap.</p></aside>\n<p>b</p>',
  '<ul class="tasks"><li class="task">Milk</li><li class="task done">Bread</li></ul>',
  '<nav class="contents"></nav>',
])('%s is unchanged', (html) => {
  expect(sanitise(html)).toBe(html)
})

test('notes are numbered in the order of their marks, and moved to the end', () => {
  const html = `<p>${mark('b', '7')}</p><section class="footnotes"><ol><li id="fn-a"><p>A</p></li><li id="fn-b"><p>B</p></li></ol></section><p>${mark('a', '3')}</p>`
  expect(sanitise(html)).toBe(
    `<p>${mark('b', '1')}</p>\n<p>${mark('a', '2')}</p>${section(note('b', 'B'), note('a', 'A'))}`,
  )
})

test('a second mark of a note has its number, but no id', () => {
  const html = `<p>${mark('a')} ${mark('a')}</p>${section(note('a', 'A'))}`
  expect(sanitise(html)).toBe(
    `<p>${mark('a')} <sup class="footnote"><a href="#fn-a">1</a></sup></p>${section(note('a', 'A'))}`,
  )
})

test('a mark without a note becomes raised text, and a note without a mark stays', () => {
  const html = `<p>${mark('gone', '4')}</p>${section(note('a', 'A'), '<li>B</li>')}`
  expect(sanitise(html)).toBe(
    `<p><sup>4</sup></p>${section('<li id="fn-a"><p>A</p></li>', '<li>B</li>')}`,
  )
})

test('what is in the section outside the notes becomes part of the text', () => {
  const html = `<p>a</p><section class="footnotes"><p>words</p><ol>more<li id="fn-a">A</li></ol><ul><li>x</li></ul></section>`
  expect(sanitise(html)).toBe(
    `<p>a</p>\n<p>words</p>more<ul><li>x</li></ul>${section('<li id="fn-a">A</li>')}`,
  )
})

test.each([
  ['<p id="fn-a">x</p><li id="fn-a">y</li>', '<p>x</p><li>y</li>'],
  ['<a href="#fn-a" id="fnref-a">x</a>', '<a>x</a>'],
  ['<a href="/p" id="fnref-a">x</a>', '<a href="/p" rel="noopener noreferrer">x</a>'],
  ['<a href="#main">x</a><a id="main">y</a>', '<a>x</a><a>y</a>'],
  ['<sup class="footnote" style="color: red">x</sup>', '<sup>x</sup>'],
  [
    '<blockquote><section class="footnotes">x</section></blockquote>',
    '<blockquote>\n<div>x</div>\n</blockquote>',
  ],
  ['<aside class="x">a</aside><nav>b</nav>', '<div>a</div>\n<div>b</div>'],
  [
    `${section(`<li id="fn-a">A${mark('a')}</li><li id="fn-a">B</li><li id="fn-UP">C</li>`)}`,
    section('<li id="fn-a">A<sup>1</sup></li>', '<li>B</li>', '<li>C</li>'),
  ],
])('no other id or link within the text remains in %s', (html, clean) => {
  expect(sanitise(html).trim()).toBe(clean.trim())
})

test('every id is unique in thousands of footnotes of hostile forms', () => {
  const keys = ['a', 'b', 'main', '1', '-', 'fn-a', 'x'.repeat(41), 'A', 'a"b']
  const parts = keys.flatMap((key) => [
    mark(key),
    `<li id="fn-${key}">`,
    `<section class="footnotes"><ol><li id="fn-${key}">${mark('a')}`,
    '</section>',
    `<aside class="callout"><section class="footnotes">`,
    '</ol>',
  ])
  for (let seed = 1; seed <= 300; seed++) {
    let state = seed
    const next = () => (state = (state * 48_271) % 2_147_483_647)
    const html = Array.from({ length: 30 }, () => parts[next() % parts.length]).join('')
    const clean = sanitise(html)
    expect(sanitise(clean), html).toBe(clean)
    const ids = [...clean.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
    expect(new Set(ids).size, html).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^fn(?:ref)?-[a-z0-9-]{1,40}$/)
    for (const [, key] of clean.matchAll(/href="#([^"]*)"/g)) expect(ids, html).toContain(key)
  }
})

test('thousands of footnotes cost linear time', { timeout: 60_000 }, () => {
  const body = (count: number) => {
    const keys = Array.from({ length: count }, (_, index) => `n${index}`)
    return `<p>${keys.map((key) => mark(key)).join('')}</p>${section(...keys.toReversed().map((key) => note(key, 'x')))}`
  }
  const costMs = (count: number) =>
    Math.min(...[1, 2, 3].map(() => threadCpuMs(() => sanitise(body(count)))))
  expect(costMs(4000)).toBeLessThan(10 * Math.max(costMs(1000), 20))
  expect(sanitise(body(4000)).match(/ id="fnref-/g)).toHaveLength(4000)
})

test('many empty lines in a text with footnotes cost linear time', () => {
  const body = (count: number) =>
    `<p>a${'\n'.repeat(count)}b${mark('a')}</p>${section(note('a', 'A'))}`
  const costMs = (count: number) => threadCpuMs(() => sanitise(body(count)))
  costMs(1000)
  expect(costMs(64_000)).toBeLessThan(40 * Math.max(costMs(8000), 5))
})
