import { expect, test } from 'vitest'
import { toMarkdown } from './to-markdown.ts'

const NOTES =
  '<p>One<sup class="footnote"><a href="#fn-a" id="fnref-a">1</a></sup></p><section class="footnotes"><ol><li id="fn-a"><p>First</p><p>more <a class="footnote-back" href="#fnref-a">↩</a></p></li></ol></section>'

test.each([
  [
    'formats',
    '<p>A <strong>b</strong> <em>c</em> <s>d</s> <code>e`f</code></p>',
    'A **b** *c* ~~d~~ ``e`f``',
  ],
  ['headings', '<h2>Two</h2><h3>Three</h3>', '## Two\n\n### Three'],
  [
    'tasks',
    '<ul class="tasks"><li class="task done">a</li><li class="task">b</li></ul>',
    '- [x] a\n- [ ] b',
  ],
  ['footnotes', NOTES, 'One[^1]\n\n[^1]: First\n\n    more'],
  [
    'code with its language',
    '<pre class="language-js"><code>a\n\nb</code></pre>',
    '```js\na\n\nb\n```',
  ],
  ['code with a fence in it', '<pre><code>```</code></pre>', '````\n```\n````'],
  [
    'a picture without a caption',
    '<figure class="image"><img src="a.jpg" alt="A [b]"></figure>',
    '![A \\[b\\]](a.jpg)',
  ],
  [
    'a plain table',
    '<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>b|c</td></tr></tbody></table>',
    '| A   |\n| --- |\n| b\\|c |',
  ],
  ['two lists', '<ul><li>a</li></ul><ul><li>b</li></ul>', '-   a\n\n<!-- -->\n\n-   b'],
])('Markdown says %s', (_what, html, markdown) => {
  expect(toMarkdown(html)).toBe(`${markdown}\n`)
})

test.each([
  '<figure class="image"><img src="a.jpg" alt="A"><figcaption>C</figcaption></figure>',
  '<figure class="gallery"><figure><img src="a.jpg"></figure></figure>',
  '<aside class="callout"><p>Note</p></aside>',
  '<p style="text-align: center;">Middle</p>',
  '<p dir="rtl" lang="ar">في</p>',
  '<table><tbody><tr><td colspan="2">x</td></tr></tbody></table>',
  '<p class="embed"><a href="https://example.org/x">T</a></p>',
  '<iframe src="https://www.youtube-nocookie.com/embed/M7lc1UVf-VE"></iframe>',
  '<details><summary>S</summary><p>x</p></details>',
])('what Markdown cannot say stays HTML: %s', (html) => {
  expect(toMarkdown(html)).toBe(`${html}\n`)
})

test('inline HTML has Markdown in it', () => {
  expect(
    toMarkdown('<p>H<sub>2</sub>O <span style="color: #e03e2d;">a <em>b</em></span></p>'),
  ).toBe('H<sub>2</sub>O <span style="color: #e03e2d;">a *b*</span>\n')
})

test('an empty line in HTML does not end it', () => {
  const html = '<details><summary>S</summary><pre>a\n\nb</pre></details>'
  expect(toMarkdown(html)).not.toContain('\n\n')
})

test.each([
  ['&lt;script&gt;alert(1)&lt;/script&gt;', '\\<script>alert(1)\\</script>'],
  ['&amp;lt;b&amp;gt;', '\\&lt;b\\&gt;'],
  ['*a* _b_ [c](d) `e` ~~f~~', '\\*a\\* \\_b\\_ \\[c\\](d) \\`e\\` \\~\\~f\\~\\~'],
  ['---', '\\---'],
  ['# a', '\\# a'],
  ['1. a', '1\\. a'],
  ['5 &lt; 6 &amp; 7', '5 < 6 & 7'],
])('the text %s is no markup', (text, markdown) => {
  expect(toMarkdown(`<p>${text}</p>`)).toBe(`${markdown}\n`)
})
