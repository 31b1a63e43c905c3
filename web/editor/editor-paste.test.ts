import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openTestEditor, type TestEditor } from '#test/support/bare-editor.ts'
import { HOSTILE_HTML, HOSTILE_MARKDOWN } from '#test/support/hostile-texts.ts'
import { PASTE_CASES, withoutKeys } from '#test/support/paste-cases.ts'
import { sampled } from '#test/support/sampled.ts'
import { withWindow } from '#test/support/window.ts'
import { markdownToHtml } from './markdown-document.ts'

withWindow()
let writer: TestEditor
beforeAll(async () => {
  writer = await openTestEditor()
})
afterAll(() => writer.close())

let converted = 0
/** Converts asynchronously, like markdown-worker.ts. */
class MarkdownWorker {
  onmessage?: (event: { data: string }) => void
  postMessage(text: string): void {
    setTimeout(() => {
      this.onmessage?.({ data: markdownToHtml(text) })
      converted++
    })
  }
  terminate(): void {}
}

beforeEach(() => {
  vi.stubGlobal('Worker', MarkdownWorker)
  writer.notices.length = 0
  converted = 0
  writer.setContent('', { inside: 'p' })
  return () => vi.unstubAllGlobals()
})

describe('content pasted from elsewhere is inserted as it was cleaned', () => {
  // Stored images have another address.
  const texts = PASTE_CASES.filter(([, , clean]) => !clean.includes('<img'))
  for (const [tags, [name, html, clean]] of sampled(texts, 40))
    test(name, { tags }, async () => {
      writer.paste({ 'text/html': html, 'text/plain': 'plain' })
      const isBlock = /^<(?:p|h\d|[uod]l|table|pre|blockquote|nav|aside)[ >]/.test(clean)
      await expect
        .poll(() => withoutKeys(writer.html().replaceAll('<td>&nbsp;</td>', '<td></td>')))
        .toBe(isBlock ? clean : `<p>${clean}</p>`)
    })
})

test.each([
  ['one\ntwo\n\nthree <b>', '<p>one<br>two</p><p>three &lt;b&gt;</p>'],
  ['2 * 3 * 4 and a_b_c', '<p>2 * 3 * 4 and a_b_c</p>'],
  ['# is the number sign', '<p># is the number sign</p>'],
  ['We * are #1', '<p>We * are #1</p>'],
  ['https://a.example/b', '<p>https://a.example/b</p>'],
])('plain text keeps its lines and characters, and is inserted at once: %j', (text, html) => {
  writer.paste({ 'text/plain': text })
  expect(writer.html()).toBe(html)
  writer.type('!')
  expect(writer.html()).toBe(html.replace(/<\/p>$/, '!</p>'))
})

test('an image from another site becomes a link as soon as it is inserted', async () => {
  const image = '<img src="https://example.org/far.png" alt="Far away">'
  const link = '<a href="https://example.org/far.png">Far away</a>'
  writer.paste({ 'text/html': `<p>See ${image}</p>` })
  await expect.poll(writer.html).toBe(`<p>See ${link}</p>`)
  // A page can write this and pretend to be the editor.
  writer.setContent('', { inside: 'p' })
  writer.paste({ 'text/html': `<p>See ${image}</p>`, 'x-hugerte/html': `<p>See ${image}</p>` })
  await expect.poll(writer.html).toBe(`<p>See ${link}</p>`)
})

const MARKDOWN =
  '## Night\n\nSome **bold** ~5~ and `a < b`.\n\n- one\n  1. two\n- [x] three\n\n> said\n\n```js\nlet a\n```\n\n| a |\n|---|\n| 1 |\n\n---\n\n![A lamp](https://example.org/lamp.png)'
const RICH =
  '<h2>Night</h2><p>Some <strong>bold</strong> ~5~ and <code>a &lt; b</code>.</p><ul class="tasks"><li>one<ol><li>two</li></ol></li><li class="task done">three</li></ul><blockquote><p>said</p></blockquote><pre class="language-javascript"><code>let a</code></pre><table><thead><tr><th>a</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table><hr><p><a href="https://example.org/lamp.png">A lamp</a></p>'

describe('pasted Markdown', () => {
  test('becomes rich text; one undo restores the Markdown, the next one removes it', async () => {
    writer.paste({ 'text/plain': MARKDOWN })
    await expect.poll(writer.html).toBe(RICH)
    expect(writer.notices.map(({ kind }) => kind)).toEqual(['markdown'])
    writer.undo()
    expect(writer.html()).toMatch(/^<p>## Night<\/p><p>Some \*\*bold\*\*/)
    writer.undo()
    expect(writer.html()).toBe('')
  })

  test('from a code editor is pasted inline, and can be changed back into Markdown', async () => {
    writer.setContent('<p>Before after</p>', { word: ' after' })
    writer.live.selection.collapse(true)
    const text = ', **very** `late`,'
    const style = 'white-space: pre; font-family: monospace'
    const html = `<meta charset="utf-8"><div style="${style}"><div><span>${text}</span></div></div>`
    writer.paste({ 'text/plain': text, 'text/html': html })
    await expect
      .poll(writer.html)
      .toBe('<p>Before, <strong>very</strong> <code>late</code>, after</p>')
    const [notice] = writer.notices
    if (notice?.kind === 'markdown') notice.onKeep()
    expect(writer.html()).toBe('<p>Before, **very** `late`, after</p>')
  })

  test.each([
    ['formatted by a page', { 'text/html': '<p>see <b>**no**</b></p>' }, '<strong>**no**</strong>'],
    ['different from its HTML', { 'text/html': '<div>see yes</div>' }, 'see yes'],
    ['a script of a code editor', { 'vscode-editor-data': '{"mode":"python"}' }, '**no**'],
  ])('is not formatted when it is %s', async (_why, items, shown) => {
    writer.paste({ 'text/plain': 'see **no**', ...items })
    await expect.poll(writer.html).toContain(shown)
    expect(writer.notices).toEqual([])
  })

  test('is not formatted in code', () => {
    writer.setContent('<pre>a</pre>', { inside: 'pre', isAtEnd: true })
    writer.paste({ 'text/plain': 'see **no**' })
    expect(writer.html()).toBe('<pre>asee **no**</pre>')
  })

  test('is not formatted if the writer goes on typing', async () => {
    writer.paste({ 'text/plain': 'see **no** more' })
    writer.type('!')
    await expect.poll(() => converted).toBe(1)
    expect(writer.html()).toBe('<p>see **no** more!</p>')
    expect(writer.notices).toEqual([])
  })
})

const ADDRESS = 'https://example.org/a?b=c'
const LINK = `<a href="${ADDRESS}">`

describe('a pasted address links the selected words, and typing continues after the link', () => {
  const texts: [html: string, linked: string][] = [
    ['<p>one two three</p>', `<p>one ${LINK}two</a> on three</p>`],
    ['<p>one <em>two</em> three</p>', `<p>one ${LINK}<em>two</em></a> on three</p>`],
    ['<p>one <a href="/post">two three</a> four</p>', `<p>one ${LINK}two three</a> on four</p>`],
    [
      '<table><tbody><tr><td>two</td></tr></tbody></table>',
      `<table><tbody><tr><td>${LINK}two</a> on</td></tr></tbody></table>`,
    ],
  ]
  const pastes = [
    { 'text/plain': ADDRESS },
    { 'text/plain': ADDRESS, 'text/html': `<a href="${ADDRESS}">A page</a>` },
  ]
  const cases = pastes.flatMap((items) => texts.map((text) => ({ items, text })))
  for (const [tags, { items, text }] of sampled(cases, 5))
    test(`${text[0]} ${Object.keys(items)}`, { tags }, () => {
      const [html, linked] = text
      writer.setContent(html, { word: 'two' })
      writer.paste(items)
      writer.type(' on')
      expect(writer.html()).toBe(linked)
      for (const _step of ['typing', 'link']) writer.undo()
      expect(writer.html()).toContain(ADDRESS)
      expect(writer.html()).not.toContain(LINK)
      writer.undo()
      expect(writer.html()).toBe(html)
    })
})

const LINES = 'const a = 1\nconst b = 2'
const COPIED_CODE = [
  '<div style="font-family: Consolas, monospace; white-space: pre;"><div>const a = 1</div><div>const b = 2</div></div>',
  '<pre style="font-family: monospace">const a = 1<br>const b = 2</pre>',
  '<p>See</p><div class="highlight-source-js"><pre>const a = 1\nconst b = 2</pre></div>',
]

const CODE_CASES = COPIED_CODE.flatMap((copied) =>
  ['p', 'td', 'li'].map((inside) => ({ copied, inside })),
)
for (const [tags, { copied, inside }] of sampled(CODE_CASES, CODE_CASES.length))
  test(`after code is pasted into ${inside}, typing continues below it: ${copied}`, {
    tags,
  }, async () => {
    const table = '<table><tbody><tr><td>in</td></tr></tbody></table>'
    writer.setContent(`<p>before</p>${table}<ul><li>in</li></ul>`, { inside, isAtEnd: true })
    writer.paste({ 'text/html': copied, 'text/plain': LINES })
    await expect.poll(writer.html).toContain('const b = 2')
    writer.type('word')
    expect(writer.html()).toMatch(/const b = 2(?:<\/code>)?<\/pre><p>word<\/p>/)
  })

const HARM =
  '[href^="j" i], [href^="v" i], [href^="data"], [src^="j" i], [srcdoc], script, style, svg, math, object, embed, form, input, button, base, meta, link'

/** The elements and attributes that must not be in the text. */
function findHarmfulMarkup(): string[] {
  const { body } = new DOMParser().parseFromString(writer.html(), 'text/html')
  const attributes = [...body.querySelectorAll('*')].flatMap((element) => [...element.attributes])
  return [
    ...[...body.querySelectorAll(HARM)].map(({ outerHTML }) => outerHTML),
    ...attributes
      .filter(({ name, value }) => /^on/.test(name) || /position|url\(/.test(value))
      .map(({ name, value }) => `${name}=${value}`),
  ]
}

describe('only the words of malicious content remain, and nothing that runs or covers other content', () => {
  for (const [tags, text] of sampled(HOSTILE_HTML, 20))
    test(`HTML ${text}`, { tags }, async () => {
      const html = `<p>mark</p>${text}`
      for (const more of [{}, { 'x-hugerte/html': html }]) {
        writer.setContent('', { inside: 'p' })
        writer.paste({ 'text/html': html, ...more })
        await expect.poll(writer.html).toContain('mark')
        expect(findHarmfulMarkup()).toEqual([])
      }
    })

  for (const [tags, text] of sampled(HOSTILE_MARKDOWN, 15))
    test(`Markdown ${text.slice(0, 60)}`, { tags }, async () => {
      writer.paste({ 'text/plain': `## mark\n\n${text}` })
      await expect.poll(writer.html).toContain('<h2>mark</h2>')
      expect(findHarmfulMarkup()).toEqual([])
    })
})
