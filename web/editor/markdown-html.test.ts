import { expect, test } from 'vitest'
import { markdownToHtml } from './markdown-document.ts'

const flat = (text: string) => markdownToHtml(text).replace(/\n(?=<|$)/g, '')

test('headings, lists, tables, quotes and rules are converted', () => {
  expect(flat('# A\n\n- one\n  1. two\n\n> three\n\n---\n\n| a |\n|---|\n| b |')).toBe(
    '<h1>A</h1><ul><li>one<ol><li>two</li></ol></li></ul><blockquote><p>three</p></blockquote><hr><table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>',
  )
})

test.each([
  [
    '```ts\nlet a = 1 < 2\n```',
    '<pre class="language-typescript"><code>let a = 1 &lt; 2</code></pre>',
  ],
  ['```C++ title="x"\na\n```', '<pre class="language-cpp"><code>a</code></pre>'],
  ['~~~unheard\na\n~~~', '<pre class="language-plaintext"><code>a</code></pre>'],
  ['---\ntitle: A\n---\nText', '<pre class="language-yaml"><code>title: A</code></pre><p>Text</p>'],
])('%j becomes a code sample of its language', (text, html) => {
  expect(flat(text)).toBe(html)
})

test('tags that are not HTML stay as typed; scripts become text', () => {
  expect(flat('A Vec<T> and <Button /> **b** H<sub>2</sub>O')).toBe(
    '<p>A Vec&lt;T&gt; and &lt;Button /&gt; <strong>b</strong> H<sub>2</sub>O</p>',
  )
  expect(flat('<script>run()</script>')).not.toContain('<script')
  expect(flat('1 < 2 and 3 > 2 **b**')).toBe('<p>1 &lt; 2 and 3 &gt; 2 <strong>b</strong></p>')
})

test('two tildes strike text through, a single one stays as typed', () => {
  expect(flat('**b** ~~c~~ ~5~ a~b~c')).toBe('<p><strong>b</strong> <del>c</del> ~5~ a~b~c</p>')
})

test.each([
  [
    '看https://a.example/x，然后',
    '<p>看<a href="https://a.example/x">https://a.example/x</a>，然后</p>',
  ],
  ['(https://a.example/z). N', '<p>(<a href="https://a.example/z">https://a.example/z</a>). N</p>'],
  ['「www.a.example」', '<p>「www.a.example」</p>'],
  ['www.a.example。次', '<p><a href="http://www.a.example">www.a.example</a>。次</p>'],
  ['https://, x', '<p>https://, x</p>'],
])('the link in %s ends before the punctuation of the sentence', (text, html) => {
  expect(flat(text)).toBe(html)
})
