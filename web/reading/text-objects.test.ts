import { expect, test } from 'vitest'
import { bodyHtml } from './body-html.ts'
import { findHeadings } from './text-objects.ts'

test('headings have links named after them, and the contents list them', () => {
  const html = bodyHtml(
    '<nav class="contents"></nav><h1 id="h-a">A &amp; "B"</h1><h3 id="h-b">C</h3><h4 id="h-c">D</h4>',
  )
  expect(html).toBe(
    '<nav class="contents"><h2>Contents</h2><ol><li><a href="#h-a">A &amp; &quot;B&quot;</a><ol><li><a href="#h-b">C</a></li></ol></li></ol></nav><h2 id="h-a">A &amp; "B"<a class="heading-link" href="#h-a" aria-label="Link to this heading: A &amp; &quot;B&quot;"></a></h2><h3 id="h-b">C<a class="heading-link" href="#h-b" aria-label="Link to this heading: C"></a></h3><h4 id="h-c">D</h4>',
  )
  expect(findHeadings(html)).toEqual([
    { id: 'h-a', text: 'A & "B"', children: [{ id: 'h-b', text: 'C', children: [] }] },
  ])
})

test('the number of a footnote stays on the line of its word, and its links have names', () => {
  expect(
    bodyHtml(
      '<p>bag. <sup class="footnote"><a href="#fn-a" id="fnref-a">1</a></sup></p><section class="footnotes"><ol><li id="fn-a">x <a href="#fnref-a" class="footnote-back">↩</a></li></ol></section>',
    ),
  ).toBe(
    '<p>bag.&nbsp;\u2060<sup class="footnote"><a href="#fn-a" id="fnref-a" aria-label="Footnote 1">1</a></sup></p><section class="footnotes"><h2>Footnotes</h2><ol><li id="fn-a">x <a href="#fnref-a" class="footnote-back" aria-label="Back to the text">↩</a></li></ol></section>',
  )
})

test('screen readers hear whether a task is done', () => {
  expect(
    bodyHtml('<ul class="tasks"><li class="task done">a</li><li class="task">b</li></ul>'),
  ).toBe(
    '<ul class="tasks"><li class="task done"><span class="visually-hidden">Done: </span>a</li><li class="task"><span class="visually-hidden">To do: </span>b</li></ul>',
  )
})
