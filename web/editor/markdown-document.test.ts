import { expect, test } from 'vitest'
import { withoutKeys } from '#test/support/paste-cases.ts'
import { markdownToHtml } from './markdown-document.ts'

const flat = (text: string) => withoutKeys(markdownToHtml(text).replace(/\n(?=<|$)/g, ''))
const mark = (number: number) => `<sup class="footnote"><a href="#fn-key">${number}</a></sup>`
const notes = (...items: string[]) =>
  `<section class="footnotes"><ol>${items.map((item) => `<li id="fn-key">${item}</li>`).join('')}</ol></section>`

test('footnotes are numbered in the order of their marks, wherever they are defined', () => {
  expect(
    flat('[^b]: **Two**\n\nx[^a] y[^b] z[^a]\n\n[^a]: One\n  more\n\n  Second paragraph\n\nEnd'),
  ).toBe(
    `<p>x${mark(1)} y${mark(2)} z${mark(1)}</p><p>End</p>${notes('<p>One\nmore</p><p>Second paragraph</p>', '<p><strong>Two</strong></p>')}`,
  )
})

test('a mark without a note stays as typed, and a note without a mark is last', () => {
  expect(flat('x[^a]\n\n[^b]: Two')).toBe(`<p>x[^a]</p>${notes('<p>Two</p>')}`)
})

test('thousands of footnotes cost linear time', () => {
  const text = Array.from({ length: 3000 }, (_, index) => `x[^${index}]\n\n[^${index}]: n\n`).join(
    '\n',
  )
  expect(markdownToHtml(text).match(/<li /g)).toHaveLength(3000)
})
