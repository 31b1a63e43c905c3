import { expect, test } from 'vitest'
import { bodyHtml } from './body-html.ts'

function frame(language: string): string {
  const label = language ? `Code sample, ${language}` : 'Code sample'
  const icon = /<svg.*<\/svg>/.exec(bodyHtml('<pre>x</pre>'))?.[0]
  return `<figure class="code-sample" aria-label="${label}"><div class="code-sample__bar" lang="en" dir="ltr"><span>${language || 'Code'}</span><button class="btn btn--ghost code-sample__copy" type="button">${icon}Copy</button></div>`
}

test.each([
  ['an h1 becomes an h2', '<h1 dir="ltr">A</h1><h2>B</h2>', '<h2 dir="ltr">A</h2><h2>B</h2>'],
  [
    'a table gets a frame that scrolls',
    '<table class="t"><tr><td>1</td></tr></table>',
    '<div class="scroll-x" tabindex="0" role="group" aria-label="Table"><table class="t"><tr><td>1</td></tr></table></div>',
  ],
  [
    'code can be focused, and its language is shown',
    '<pre class="language-ts"><code>a<span class="c-k">b</span></code></pre><pre>c</pre>',
    `${frame('TypeScript')}<pre tabindex="0" class="language-ts"><code>a<span class="c-k">b</span></code></pre></figure>${frame('')}<pre tabindex="0">c</pre></figure>`,
  ],
  [
    'images load lazily',
    '<img src="/a" alt="A boat"/>',
    '<img loading="lazy" decoding="async" src="/a" alt="A boat"/>',
  ],
  [
    'an image without a description is decoration',
    '<img src="/a">',
    '<img loading="lazy" decoding="async" alt="" src="/a">',
  ],
  [
    'colours become custom properties, other styles stay',
    '<td style="border-color: red; background-color: #fff; color: rgb(1, 2, 3);">color: red</td>',
    '<td style="border-color: red; --author-background: #fff; --author-color: rgb(1, 2, 3);">color: red</td>',
  ],
  [
    'escaped tags stay text',
    '<p>&lt;table&gt; and &lt;h1&gt;</p>',
    '<p>&lt;table&gt; and &lt;h1&gt;</p>',
  ],
  [
    'tags whose names only begin alike stay',
    '<header><hr><thead></thead></header>',
    '<header><hr><thead></thead></header>',
  ],
])('%s', (_name, html, page) => {
  expect(bodyHtml(html)).toBe(page)
})
