import { expect, test } from 'vitest'
import type { DiscoveryContext } from './context.ts'
import { feedHtml } from './feed.ts'

const context = { publicUrl: 'https://blog.example', projectId: 'blog' } as DiscoveryContext
const toFeedHtml = (html: string) => feedHtml(context, html, 'https://blog.example/post/p1/title')

test.each([
  [
    '<a href="/post/x?a=1&amp;b=2">x</a>',
    '<a href="https://blog.example/post/x?a=1&amp;b=2">x</a>',
  ],
  ['<a href="#end">x</a>', '<a href="https://blog.example/post/p1/title#end">x</a>'],
  ['<p style="color:red" class="big" lang="de">x</p>', '<p lang="de">x</p>'],
  ['<code class="language-js">x</code>', '<code class="language-js">x</code>'],
  [
    '<img src="/a.png" alt="class=" loading="lazy">',
    '<img src="https://blog.example/a.png" alt="class=">',
  ],
  [
    '<img alt="see class=" src="/a.png">',
    '<img alt="see class=" src="https://blog.example/a.png">',
  ],
  [
    '<img alt="a href=" title="b style=" src="/a.png">',
    '<img alt="a href=" title="b style=" src="https://blog.example/a.png">',
  ],
  [
    '<video controls src="/a.mp4"></video>',
    '<video controls src="https://blog.example/a.mp4"></video>',
  ],
])('only attributes are rewritten, never text that looks like one: %s', (html, expected) => {
  expect(toFeedHtml(html)).toBe(expected)
})
