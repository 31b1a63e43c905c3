// The cleaner of post bodies: it leaves the HTML of the editor unchanged, and rewrites, drops or
// refuses other HTML in linear time.
import { describe, expect, test } from 'vitest'
import { Refusal } from '#contract/errors.ts'
import { threadCpuMs } from '#test/support/cpu-time.ts'
import { sampled } from '#test/support/sampled.ts'
import { CONTENT_OBJECTS_MAX } from './post-texts.ts'
import { CONTENT_SENT_MAX_CHARS, CONTENT_TAGS_MAX, makeSanitise } from './sanitise.ts'

const sanitise = makeSanitise({
  publicUrl: 'https://blog.example',
  allowedOrigins: ['https://blog.example', 'https://front.example'],
  contentBucketId: 'content',
})
const FILE = '/v1/storage/buckets/content/files/f1/view?project=blog'
const REL = 'rel="noopener noreferrer"'
const PLAYER =
  'sandbox="allow-scripts allow-same-origin allow-presentation allow-popups" loading="lazy" referrerpolicy="strict-origin-when-cross-origin"'

describe('HTML of the editor is unchanged', () => {
  test.each([
    '<h1>One</h1><h6>Six</h6><p>Text with <strong>bold</strong>, <em>italic</em>, <s>struck</s>, <sub>sub</sub> and <sup>sup</sup>.</p><hr />',
    '<ul><li>a<ul><li>b</li></ul></li></ul><ol start="3" reversed type="a"><li value="7">c</li></ol><dl><dt>t</dt><dd>d</dd></dl>',
    '<table style="border-collapse: collapse; width: 100%;"><colgroup><col style="width: 49.95%;" /></colgroup><thead><tr><th scope="col">h</th></tr></thead><tbody><tr><td colspan="2" rowspan="3">a</td></tr></tbody></table>',
    '<pre class="language-javascript"><code>if (a &lt; b &amp;&amp; c) {}\n</code></pre>',
    '<p style="text-align: center;">centre</p><p style="padding-left: 40px;">indented</p>',
    '<p><span style="color: rgb(224, 62, 45); background-color: #fbeeb8; font-size: 14pt;">colours</span></p>',
    `<p><span style="font-family: 'andale mono', monospace;">font</span></p>`,
    `<figure class="align-left"><img src="${FILE}" alt="A lamp" width="300" height="200" /><figcaption>Lamp</figcaption></figure>`,
    `<p><span style="font-family: -apple-system, 'segoe ui', sans-serif;">system font</span></p><p style="line-height: 1.5;">airy</p>`,
    '<ul style="list-style-type: square;"><li>a</li></ul><ol style="list-style-type: upper-roman;"><li>a</li></ol>',
    '<table style="border-collapse: collapse; width: 99.9944%;"><caption>Caption</caption><tbody><tr style="height: 22px;"><th scope="row">h</th><td style="padding: 8px; background-color: #fbeeb8; border: 2px dashed #e03e2d;">a</td></tr></tbody></table>',
    `<p><img src="${FILE}" alt="A lamp" width="24" height="16" class="align-center" /></p>`,
    '<details open><summary>More</summary><p>text</p></details>',
    '<blockquote cite="https://x.example/"><p>quote</p></blockquote><p><time datetime="2023-11-20">then</time></p>',
    `<p><a href="https://x.example/?a=1&amp;b=2#c" target="_blank" ${REL}>away</a> <a href="/post/blog1l" ${REL}>here</a></p>`,
    `<p><a href="mailto:a@x.example" ${REL}>mail</a> <a href="tel:+491234" ${REL}>call</a></p>`,
    `<iframe src="https://www.youtube-nocookie.com/embed/abc_DEF-123" width="560" height="314" ${PLAYER}></iframe>`,
    '<p dir="rtl" lang="ar" title="a title">text</p><p>a<br />b 😀 ä &lt;script&gt;</p>',
    '<img src="data:image/png;base64,iVBORw0KGgo=" alt="" />',
    '',
  ])('%s', (html) => {
    expect(sanitise(html)).toBe(html)
  })
})

describe('other HTML is rewritten', () => {
  test.each([
    ['<h2 id="a" name="b" data-x="1">t</h2>', '<h2>t</h2>'],
    ['<a id="top" name="top">x</a>', '<a>x</a>'],
    [
      '<a href="https://blog.example/post/1" rel="opener" target="_top">x</a>',
      `<a href="/post/1" ${REL}>x</a>`,
    ],
    [`<img src="https://front.example${FILE}">`, `<img src="${FILE}" />`],
    [
      '<img src="https://x.example/cat.png" alt="A cat">',
      `<a href="https://x.example/cat.png" ${REL}>A cat</a>`,
    ],
    [
      '<a href="https://name:password@x.example/">x</a>',
      `<a href="https://x.example/" ${REL}>x</a>`,
    ],
    [
      '<img src="//x.example/cat.png">',
      `<a href="https://x.example/cat.png" ${REL}>https://x.example/cat.png</a>`,
    ],
    [
      '<a href="/p"><img src="https://x.example/cat.png" alt="A cat"></a>',
      `<a href="/p" ${REL}><span>A cat</span></a>`,
    ],
    ['<img src="/v1/storage/buckets/avatars/files/f1/view">', ''],
    ['<img src="/v1/storage/buckets/content/files/../../../account/view">', ''],
    ['<img src="/v1/account">', ''],
    [
      '<iframe src="//www.youtube.com/embed/abc" width="560"></iframe>',
      `<iframe src="https://www.youtube-nocookie.com/embed/abc" width="560" ${PLAYER}></iframe>`,
    ],
    [
      '<iframe src="https://youtu.be/abc?list=PLa&amp;t=3"></iframe>',
      `<iframe src="https://www.youtube-nocookie.com/embed/abc?list=PLa&amp;start=3" ${PLAYER}></iframe>`,
    ],
    [
      '<iframe src="https://www.youtube.com/watch?v=abc"></iframe>',
      `<iframe src="https://www.youtube-nocookie.com/embed/abc" ${PLAYER}></iframe>`,
    ],
    [
      '<iframe src="https://vimeo.com/123" srcdoc="<b>"></iframe>',
      `<iframe src="https://player.vimeo.com/video/123" ${PLAYER}></iframe>`,
    ],
    [
      '<iframe src="https://vimeo.com/123/90ab6d75cd"></iframe>',
      `<iframe src="https://player.vimeo.com/video/123?h=90ab6d75cd" ${PLAYER}></iframe>`,
    ],
    [
      '<iframe src="https://vimeo.com/event/123/embed?a=1&amp;b=2" title="Live"></iframe>',
      `<a href="https://vimeo.com/event/123/embed?a=1&amp;b=2" ${REL}>Live</a>`,
    ],
    [
      '<iframe src="https://x.example/p" title="A page">inner <b>text</b></iframe>',
      `<a href="https://x.example/p" ${REL}>A page</a>`,
    ],
    ['<iframe src="javascript:alert(1)">inner</iframe>after', 'after'],
    [
      '<video controls><source src="https://x.example/a.mp4"></video>',
      `<a href="https://x.example/a.mp4" ${REL}>https://x.example/a.mp4</a>`,
    ],
    [
      '<audio controls src="https://x.example/a.mp3"></audio>',
      `<a href="https://x.example/a.mp3" ${REL}>https://x.example/a.mp3</a>`,
    ],
    [
      `<video controls poster="${FILE}" src="${FILE}"></video>`,
      `<video src="${FILE}" controls poster="${FILE}"></video>`,
    ],
    ['<p style="color: red; position: fixed; z-index: 9">x</p>', '<p style="color: red;">x</p>'],
    [
      '<p style="margin-left: 401px; margin-right: 400px">x</p>',
      '<p style="margin-right: 400px;">x</p>',
    ],
    ['<p class="language-js evil align-left">x</p>', '<p class="language-js align-left">x</p>'],
    ['<td colspan="1001">x</td>', '<td>x</td>'],
    ['<p>a<!-- b --><![CDATA[c]]><?php d ?>e</p>', '<p>ae</p>'],
    ['<section><font color="red">kept</font></section>', '<div>kept</div>'],
    [
      '<ruby>漢<rt>かん</rt>字<rtc>じ</rtc></ruby><strike>40</strike><tt>x</tt>',
      '<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby><s>40</s><code>x</code>',
    ],
    [
      '<section>First.</section><address>B</address><menu><li>C</li></menu>',
      '<div>First.</div>\n<div>B</div>\n<ul><li>C</li></ul>',
    ],
    [
      '<p>E<math><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math></p><math><b>unclosed',
      '<p>E=mc<sup>2</sup></p><b>unclosed</b>',
    ],
    [
      '<p>Slow <img data-emoji="🐢" alt="&lt;b&gt;🐢" src="https://x.example/1f422.png"> <img class="emoji" alt=":a&lt;b:" src="https://x.example/b.png"></p>',
      '<p>Slow 🐢 :a&lt;b:</p>',
    ],
    [`<img src="${FILE}" alt="🐢">`, `<img src="${FILE}" alt="🐢" />`],
    [
      '<p>a<img src="https://x.example/y.png" alt="y">b<img>c<svg><path/></svg>d<button>x</button>e</p>',
      `<p>a <a href="https://x.example/y.png" ${REL}>y</a> b c d e</p>`,
    ],
    ['a\r\nb\0c&#0;', 'a\nbc\ufffd'],
    ['<p><x-y><p>text', '<p></p><p>text</p><p></p>'],
    [
      '<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>',
      '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>',
    ],
    [
      '<ul>\n<li>a<br></li>\n<ol start="3"><li>b</li><ul><li>c</li></ul></ol>\n<ul><li>d</li></ul></ul>',
      '<ul>\n<li>a<br />\n<ol start="3"><li>b<ul><li>c</li></ul></li></ol>\n<ul><li>d</li></ul></li></ul>',
    ],
    [
      '<ul><ul><ol><li>a</li></ol></ul><ul><li>b</li></ul></ul>',
      '<ul><li>a<ul><li>b</li></ul></li></ul>',
    ],
    ['<li>a</li><ul><li>b</li></ul>', '<li>a</li><ul><li>b</li></ul>'],
  ])('%s', (html, clean) => {
    expect(sanitise(html)).toBe(clean)
  })

  test('an image inside an address may have 100 KiB', () => {
    const image = (bytes: number) =>
      `<img src="data:image/gif;base64,${Buffer.alloc(bytes).toString('base64')}" />`
    expect(sanitise(image(102_399))).toBe(image(102_399))
    expect(sanitise(image(102_403))).toBe('')
  })
})

test('a hundred levels are allowed, one more is refused', () => {
  const nested = (levels: number) => '<div>'.repeat(levels) + '</div>'.repeat(levels)
  expect(sanitise(nested(100))).toBe(nested(100))
  expect(() => sanitise(nested(101))).toThrow(Refusal)
  expect(() => sanitise('<b>'.repeat(300_000))).toThrow(
    'Value must not nest elements deeper than 100 levels',
  )
})

// A long limit: on a busy machine the measurement takes long without costing more.
describe('dropped or too long HTML costs linear time', { timeout: 120_000 }, () => {
  /** The least of three measurements, because other work may disturb one of them. */
  function costMs(work: () => unknown): number {
    return Math.min(...Array.from({ length: 3 }, () => threadCpuMs(work)))
  }

  const text = 'a'.repeat(900_000)
  const dropped: [part: string, times: number][] = [
    ['<video></video>', CONTENT_OBJECTS_MAX],
    ['<img src="x:y">', CONTENT_OBJECTS_MAX],
    ['<source src="x:y">', 60_000],
  ]
  for (const [tags, [part, times]] of sampled(dropped, 3))
    test(`${part} after much text`, { tags }, () => {
      const wholeMs = costMs(() => expect(sanitise(text + part.repeat(times))).toBe(text))
      const quarterMs = costMs(() =>
        expect(sanitise(text.slice(0, 225_000) + part.repeat(times / 4))).toBe(
          text.slice(0, 225_000),
        ),
      )
      expectLinear(quarterMs, wholeMs)
    })

  test.each(['<td>', '<', '</p>', '<li></li><ul></ul>', '<a href="x">', '😀😀'])(
    'as many %s as are allowed before cleaning',
    { tags: ['more'] },
    (part) => {
      const tags = part.split('<').length - 1
      const times = Math.min(CONTENT_TAGS_MAX / tags, CONTENT_SENT_MAX_CHARS / part.length)
      const wholeMs = costMs(() => ignoreRefusal(() => sanitise(part.repeat(times))))
      const quarterMs = costMs(() => ignoreRefusal(() => sanitise(part.repeat(times / 4))))
      expectLinear(quarterMs, wholeMs)
    },
  )

  /**
   * Four times the text costs four times as much, with quadratic time sixteen times; measurements
   * below 20 ms are too inexact.
   */
  function expectLinear(quarterMs: number, wholeMs: number): void {
    expect(wholeMs).toBeLessThan(10 * Math.max(quarterMs, 20))
  }

  function ignoreRefusal(work: () => unknown): void {
    try {
      work()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
})

test('a million characters are allowed, counted as code points', () => {
  const emoji = '😀'.repeat(999_993)
  expect(sanitise(`<p>${emoji}</p>`)).toBe(`<p>${emoji}</p>`)
  expect(() => sanitise(`<p>${emoji}a</p>`)).toThrow('no longer than 1000000 chars')
})
