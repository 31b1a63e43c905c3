// Markdown typed into the editor, key by key. Used in jsdom and in the browser.

/** Typed keys and the resulting HTML. */
export const TYPING_CASES: readonly [string, string][] = [
  ['5 * 3 * 2 is a * b and ', '<p>5 * 3 * 2 is a * b and&nbsp;</p>'],
  [
    'C:\\*.txt, *.md, snake_case_name, ~5 to ~10 ',
    '<p>C:\\*.txt, *.md, snake_case_name, ~5 to ~10&nbsp;</p>',
  ],
  ['*a* _b_ **c**, ~~d~~ ', '<p><em>a</em> <em>b</em> <strong>c</strong>, <s>d</s>&nbsp;</p>'],
  ['***a***\nb', '<p><em><strong>a</strong></em></p><p>b</p>'],
  ['one\n* * *\ntwo', '<p>one</p><hr><p>two</p>'],
  ['one\n---\ntwo', '<p>one</p><hr><p>two</p>'],
  ['- one\n***\ntwo', '<ul><li>one</li></ul><hr><p>two</p>'],
  ['- one\n\n* * *\ntwo', '<ul><li>one</li></ul><hr><p>two</p>'],
  ['- one\n\n- - -\ntwo', '<ul><li>one</li></ul><hr><p>two</p>'],
  ['- ++\n--\ntwo', '<ul><li>++</li><li>--</li><li>two</li></ul>'],
  ['> one', '<blockquote><p>one</p></blockquote>'],
  ['## one\ntwo', '<h2>one</h2><p>two</p>'],
  [
    'a\n```js\nlet b\n```\nc',
    '<p>a</p><pre class="language-javascript"><code>let b</code></pre><p>c</p>',
  ],
  [
    '````js\n```\nb\n```\n````\nc',
    '<pre class="language-javascript"><code>```\nb\n```</code></pre><p>c</p>',
  ],
]
