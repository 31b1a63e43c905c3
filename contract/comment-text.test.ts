// Parsing and rendering comments, including hostile ones.
import { expect, test } from 'vitest'
import { threadCpuMs } from '#test/support/cpu-time.ts'
import {
  HOSTILE_HTML,
  HOSTILE_MARKDOWN,
  SLOW_HTML,
  SLOW_MARKDOWN,
} from '#test/support/hostile-texts.ts'
import {
  type CommentBlock,
  type CommentPiece,
  hasFormatting,
  parseComment,
  renderComment,
  renderedText,
  withoutLinks,
} from './comment-text.ts'
import {
  COMMENT_MAX_CHARS,
  COMMENT_MAX_ELEMENTS,
  COMMENT_MAX_HTML_CHARS,
  COMMENT_MAX_LINES,
} from './comments.ts'

const line = (text: string) => ({ lines: [[text]] })

test('blank lines separate paragraphs, and single newlines are line breaks', () => {
  expect(parseComment('one\ntwo\r\n\r\n  \nthree\n')).toEqual([
    { lines: [['one'], ['two']] },
    line('three'),
  ])
  expect(parseComment('')).toEqual([])
  expect(parseComment(' \n\n>\n> ')).toEqual([])
})

test('lines that begin with ">" are a quotation with paragraphs of its own', () => {
  expect(parseComment('> a\n>b\n>\n> > c\nanswer\n> d')).toEqual([
    { quoted: [[['a'], ['b']], [['> c']]] },
    line('answer'),
    { quoted: [[['d']]] },
  ])
  expect(parseComment('2 > 1')).toEqual([line('2 > 1')])
})

test('text between two backticks is code, without links', () => {
  expect(parseComment('so `a`, `https://b.example` and `c')).toEqual([
    { lines: [['so ', { code: 'a' }, ', ', { code: 'https://b.example' }, ' and `c']] },
  ])
  expect(parseComment('`` and ```x```')).toEqual([{ lines: [['`` and ``', { code: 'x' }, '``']] }])
  expect(parseComment('`a\nb`')).toEqual([{ lines: [['`a'], ['b`']] }])
})

test.each([
  ['see https://a.example/b.', 'https://a.example/b', 'a.example/b'],
  ['HTTP://A.example', 'http://a.example/', 'a.example'],
  ['(https://a.example/b_(c))', 'https://a.example/b_(c)', 'a.example/b_(c)'],
  ['[x](https://a.example/?q=1#r)!', 'https://a.example/?q=1#r', 'a.example/?q=1#r'],
  ['“https://a.example/ü…”', 'https://a.example/%C3%BC', 'a.example/ü'],
  ['https://a.example:8443/', 'https://a.example:8443/', 'a.example:8443'],
  ['https://a.example\\@b.example', 'https://a.example/@b.example', 'a.example\\@b.example'],
  ['https://аррӏе.example', 'https://xn--80ak6aa92e.example/', 'xn--80ak6aa92e.example'],
])('%s is a link', (text, href, shown) => {
  expect(links(parseComment(text))).toEqual([{ href, text: shown }])
})

test.each([
  ['詳しくは https://a.example/guide。次の文です', 'https://a.example/guide'],
  ['参见https://a.example/docs（中文说明）了解更多', 'https://a.example/docs'],
  ['보기https://a.example/한국어！그리고', 'https://a.example/한국어'],
  ['https://a.example/a，然后看', 'https://a.example/a'],
  ['https://a.example/a；然后', 'https://a.example/a'],
  ['https://a.example/a……然后', 'https://a.example/a'],
  ['https://a.example/a——然后', 'https://a.example/a'],
  ['「https://a.example/b」を読み', 'https://a.example/b'],
  ['【https://a.example/b】と《https://b.example》', 'https://a.example/b'],
  ['｢https://a.example/b｣､｡', 'https://a.example/b'],
  ['‘https://a.example/b’的', 'https://a.example/b'],
  ['(https://a.example/b)は', 'https://a.example/b'],
  ['見てhttps://a.exampleを', 'https://a.example/'],
  ['https://a.example/x। अगला', 'https://a.example/x'],
  ['انظر https://a.example/x، ثم', 'https://a.example/x'],
  ['https://a.example/x\u200b次', 'https://a.example/x'],
  ['https://a.example/x﹔次', 'https://a.example/x'],
  ['https://a.example/x⁈次', 'https://a.example/x'],
  ['https://a.example/x။နောက်', 'https://a.example/x'],
  ['https://a.example/x។បន្ទាប់', 'https://a.example/x'],
  [
    'https://ja.a.example/wiki/サクラ_(曖昧さ回避) there',
    'https://ja.a.example/wiki/サクラ_(曖昧さ回避)',
  ],
  ['https://fa.a.example/می\u200cخواهم.', 'https://fa.a.example/می\u200cخواهم'],
  [
    'https://a.example/Jobs・スティーブ-b–c?q=ü&r=1#s',
    'https://a.example/Jobs・スティーブ-b–c?q=ü&r=1#s',
  ],
])('the address in %s ends before the rest of its sentence', (text, address) => {
  const [link] = links(parseComment(text))
  expect(link).toMatchObject({ href: new URL(address).href })
})

test.each([
  'javascript:alert(1)',
  'ftp://a.example',
  'xhttps://a.example',
  'https://',
  'https://.,',
  'https://a.example@b.example/',
  'https://user:word@b.example/',
  'www.a.example',
  '//a.example',
  'data:text/html,x',
])('%s is not a link', (text) => {
  expect(links(parseComment(text))).toEqual([])
  expect(textOf(parseComment(text))).toBe(text)
})

test('code, quotations and links count as formatting', () => {
  for (const text of ['a `b`', '> a', 'https://a.example'])
    expect(hasFormatting(renderComment(text).html), text).toBe(true)
  for (const text of ['a', 'a\nb', '<b>a</b>', '`', ''])
    expect(hasFormatting(renderComment(text).html), text).toBe(false)
})

test('hostile texts remain text, character for character, and every link is http or https', () => {
  for (const text of [...HOSTILE_HTML, ...HOSTILE_MARKDOWN, ...SLOW_HTML, ...SLOW_MARKDOWN]) {
    const blocks = parseComment(text)
    for (const { href } of links(blocks)) expect(href, text).toMatch(/^https?:\/\/[^@]/)
    const words = textOf(blocks).split(/\s/)
    expect(words.filter((word) => !text.includes(word))).toEqual([])
  }
})

test.each([
  ['code markers', '`'],
  ['code markers and letters', '`a'],
  ['beginnings of addresses', 'https://'],
  ['addresses', 'https://a.example '],
  ['closed brackets behind an address', ')'],
  ['open brackets', 'https://('],
  ['full stops', '.'],
  ['quotations', '>'],
  ['quoted lines', '>\n'],
  ['ends of lines', '\n\r'],
])('parsing a text of nothing but %s takes linear time', (_name, part) => {
  const many = (times: number) => `https://a.example/${part.repeat(times)}`
  parseComment(many(COMMENT_MAX_CHARS))
  // A hundred times the longest comment allowed: quadratic time would take minutes.
  const long = many((100 * COMMENT_MAX_CHARS) / part.length)
  expect(threadCpuMs(() => parseComment(long))).toBeLessThan(5000)
})

test('a text is rendered as paragraphs, line breaks, quotations, code and links', () => {
  const { html, exceeded } = renderComment('a\nb & `c<`\n\n> "d"\n\nhttps://e.example/?f&g')
  expect(exceeded).toBeUndefined()
  const link = '<a class="link" href="https://e.example/?f&amp;g" rel="nofollow ugc">'
  expect(html).toBe(
    [
      '<p dir="auto">a<br>b &amp; <code>c&lt;</code></p>',
      '<blockquote><p dir="auto">"d"</p></blockquote>',
      `<p dir="auto">${link}e.example/?f&amp;g</a></p>`,
    ].join(''),
  )
  expect(withoutLinks(html)).toBe(html.replace(link, '').replace('</a>', ''))
})

test('a malicious text is rendered as the same text, with only the allowed elements', () => {
  const hostile = [...HOSTILE_HTML, ...HOSTILE_MARKDOWN, ...SLOW_HTML, ...SLOW_MARKDOWN]
  for (const text of hostile) {
    const { html } = renderComment(text)
    const known =
      /<(?:\/?(?:p|blockquote|code|a)|br|p dir="auto"|a class="link" href="https?:[^"<>]*" rel="nofollow ugc")>/g
    expect(html.replace(known, ''), text).not.toMatch(/[<>]/)
    expect(withoutLinks(html)).not.toContain('<a')
  }
})

test.each([
  ['lines', 'a\n'],
  ['blank lines', 'a\n\n\n\n'],
  ['quotations', '>a\nb\n'],
  ['code', '`a` '],
  ['links', 'http://a '],
  ['characters that HTML escapes', '&<'],
  ['addresses with letters of other scripts', `https://a.example/${'語'.repeat(900)} `],
  ['combining marks', 'e\u0301\u0302\u0303'],
])('rendering a text of many %s stops at the limits of a comment', (_name, part) => {
  const text = part.repeat(Math.ceil(COMMENT_MAX_CHARS / part.length))
  const { html, exceeded } = renderComment(text)
  expect(exceeded === undefined).toBe(!html.endsWith('<p>…</p>'))
  expect(html.length).toBeLessThan(COMMENT_MAX_HTML_CHARS + 100)
  expect(html.match(/<[a-z]/g)?.length).toBeLessThan(COMMENT_MAX_ELEMENTS + 2)
  expect(html.split('<br>').length).toBeLessThanOrEqual(COMMENT_MAX_LINES)
  expect(html.length).toBeGreaterThan(900)
})

test('the text of rendered HTML is the typed text, even when it is cut off', () => {
  const text = 'a &lt; <b>\nsee `code` on https://a.example/x?y&z\n\n> quoted'
  const { html } = renderComment(text)
  const words = 'a &lt; <b>\nsee code on a.example/x?y&z\nquoted'
  expect(renderedText(html)).toBe(words)
  const start = html.slice(0, html.indexOf('href="https') + 9)
  expect(words.startsWith(renderedText(start))).toBe(true)
  expect(renderedText(start)).toMatch(/code on$/)
})

function links(blocks: CommentBlock[]) {
  return linesOf(blocks)
    .flat()
    .filter((piece) => typeof piece !== 'string' && 'href' in piece)
}

function linesOf(blocks: CommentBlock[]): CommentPiece[][] {
  return blocks.flatMap((block) => ('quoted' in block ? block.quoted.flat() : block.lines))
}

function textOf(blocks: CommentBlock[]): string {
  const show = (piece: CommentPiece) =>
    typeof piece === 'string' ? piece : 'code' in piece ? `\`${piece.code}\`` : ' '
  return linesOf(blocks)
    .map((pieces) => pieces.map(show).join(''))
    .join('\n')
}
