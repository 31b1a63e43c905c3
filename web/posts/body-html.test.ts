import { expect, test } from 'vitest'
import { bodyHtml } from './body-html.ts'

test.each([
  ['a heading of the first rank moves down one', '<h1 style="color:red">A</h1><h2>B</h2>', '<h2 style="color:red">A</h2><h2>B</h2>'],
  [
    'a table gets a frame that scrolls',
    '<table class="t"><tr><td>1</td></tr></table>',
    '<div class="scroll-x" tabindex="0" role="region" aria-label="Table"><table class="t"><tr><td>1</td></tr></table></div>',
  ],
  ['code can be reached by keyboard', '<pre class="x"><code>a</code></pre>', '<pre tabindex="0" class="x"><code>a</code></pre>'],
  ['pictures load late', '<img src="/a" alt="A boat"/>', '<img loading="lazy" decoding="async" src="/a" alt="A boat"/>'],
  ['a picture without a description is decoration', '<img src="/a">', '<img loading="lazy" decoding="async" alt="" src="/a">'],
  ['words about tags stay words', '<p>&lt;table&gt; and &lt;h1&gt;</p>', '<p>&lt;table&gt; and &lt;h1&gt;</p>'],
  ['tags that only begin alike stay', '<header><hr><thead></thead></header>', '<header><hr><thead></thead></header>'],
])('%s', (_name, html, page) => {
  expect(bodyHtml(html)).toBe(page)
})
