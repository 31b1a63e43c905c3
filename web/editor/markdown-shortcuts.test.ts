import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestEditor, type TestEditor } from '#test/support/bare-editor.ts'
import { sampled } from '#test/support/sampled.ts'
import { TYPING_CASES } from '#test/support/typing-cases.ts'
import { undoAndRedoAll } from '#test/support/undo-steps.ts'
import { withWindow } from '#test/support/window.ts'

const UNDO_STEPS_MAX = 100

withWindow()
let writer: TestEditor
beforeAll(async () => {
  writer = await openTestEditor()
})
afterAll(() => writer.close())

const MARKER_CASES: readonly [string, string][] = [
  ['Run `npm i` now', '<p>Run <code>npm i</code> now</p>'],
  [
    'see [the page](https://example.org/a) now',
    '<p>see <a href="https://example.org/a">the page</a> now</p>',
  ],
  ['[a](www.b.example)', '<p><a href="https://www.b.example/">a</a></p>'],
  ['[a](javascript:alert) [b](#top)', '<p>[a](javascript:alert) [b](#top)</p>'],
  ['a `stray sign and 5 * 3', '<p>a `stray sign and 5 * 3</p>'],
  ['# one', '<h2>one</h2>'],
  ['##### one', '<h4>one</h4>'],
  ['#one', '<p>#one</p>'],
  ['a # one', '<p>a # one</p>'],
  ['1. one\ntwo', '<ol><li>one</li><li>two</li></ol>'],
  ['2. one', '<p>2. one</p>'],
  ['* one\n- two', '<ul><li>one</li><li>- two</li></ul>'],
  ['> one\n> two', '<blockquote><p>one</p><p>&gt; two</p></blockquote>'],
  ['~~~\na\n```\n~~~\nb', '<pre class="language-plaintext"><code>a\n```</code></pre><p>b</p>'],
  [
    '```js\na\n~~~\n``\n````\nb',
    '<pre class="language-javascript"><code>a\n~~~\n``</code></pre><p>b</p>',
  ],
  ['```js\n*a* `b`\n```\nc', '<pre class="language-javascript"><code>*a* `b`</code></pre><p>c</p>'],
  ['```js\n```\na', '<p>a</p>'],
]

describe('typed Markdown is formatted, and prose is not changed', () => {
  for (const [tags, [keys, html]] of [...sampled(MARKER_CASES, 3), ...sampled(TYPING_CASES, 6)])
    test(JSON.stringify(keys), { tags }, () => {
      writer.setContent('', { inside: 'p' })
      writer.type(keys)
      expect(writer.html()).toBe(html)
    })
})

describe('undo and redo restore every step of typing', () => {
  for (const [tags, [keys, html]] of sampled([...TYPING_CASES, ...MARKER_CASES], 30))
    test(JSON.stringify(keys), { tags }, () => {
      writer.setContent('', { inside: 'p' })
      writer.type(keys)
      expect(writer.html()).toBe(html)
      expect(undoAndRedoAll(UNDO_STEPS_MAX, writer.live)).toBe('')
    })
})

test('a thematic break typed above a list stays above it, and joins no item', () => {
  writer.setContent('<p>one</p><ul><li>three</li></ul>', { inside: 'p', isAtEnd: true })
  writer.type('\n* * *\ntwo')
  expect(writer.html()).toBe('<p>one</p><hr><p>two</p><ul><li>three</li></ul>')
})

test('Shift+Enter completes Markdown as Enter does', () => {
  writer.setContent('', { inside: 'p' })
  writer.type('`a` **b**')
  writer.press('Enter', { shiftKey: true })
  writer.type('c')
  expect(writer.html()).toBe('<p><code>a</code> <strong>b</strong><br>c</p>')
  expect(undoAndRedoAll(UNDO_STEPS_MAX, writer.live)).toBe('')
})

describe('text whose formatting was undone stays as it was typed', () => {
  test('emphasis, while the writer goes on typing', () => {
    writer.setContent('', { inside: 'p' })
    writer.type('*a* ')
    writer.undo()
    expect(writer.html()).toBe('<p>*a*&nbsp;</p>')
    writer.type('and')
    expect(writer.html()).toBe('<p>*a* and</p>')
  })

  test('a link, at the end of its line', () => {
    writer.setContent('', { inside: 'p' })
    writer.type('see [a](mailto:b@b.example)')
    expect(writer.html()).toBe('<p>see <a href="mailto:b@b.example">a</a></p>')
    writer.undo()
    writer.type('\nnext')
    expect(writer.html()).toBe('<p>see [a](mailto:b@b.example)</p><p>next</p>')
  })
})

test.each([
  ['code', '<p>a <code>b</code> c</p>', 'code'],
  ['a link', '<p>a <a href="https://b.example/">b</a> c</p>', 'a'],
  ['a plain block of code', '<pre>a</pre>', 'pre'],
])('Markdown in %s is not formatted', (_name, html, inside) => {
  writer.setContent(html, { inside, isAtEnd: true })
  writer.type('*x* ')
  expect(writer.live.getBody().querySelector('em')).toBe(null)
})

const SAMPLE = '<pre class="language-javascript"><code>'

describe('an open fence', () => {
  const copied: Record<string, string>[] = [
    { 'text/html': '<p>alpha</p><p><b>beta</b></p>' },
    { 'text/html': '<p>alpha</p><p><b>beta</b></p>', 'text/plain': 'alpha\r\nbeta' },
    { 'text/plain': 'alpha\nbeta' },
  ]
  for (const [tags, items] of sampled(copied, copied.length))
    test(`takes pasted ${JSON.stringify(items)} as its code, with the caret after it`, {
      tags,
    }, () => {
      writer.setContent('', { inside: 'p' })
      writer.type('```js\nlet a\n')
      writer.paste(items)
      writer.type(' + c')
      const code = `${SAMPLE}let a\nalpha\nbeta + c</code></pre>`
      expect(writer.html()).toBe(code)
      expect(undoAndRedoAll(UNDO_STEPS_MAX, writer.live)).toBe('')
      writer.type('\n```\nafter')
      expect(writer.html()).toBe(`${code}<p>after</p>`)
    })

  test('becomes atomic once the caret has left it, and is saved the same before and after', () => {
    writer.setContent('', { inside: 'p' })
    writer.type('above\n```js\nlet a')
    const sample = () => writer.live.getBody().querySelector<HTMLElement>('pre')
    const html = `<p>above</p>${SAMPLE}let a</code></pre>`
    expect([sample()?.contentEditable, writer.html()]).toEqual(['inherit', html])
    writer.live.selection.setCursorLocation(writer.live.getBody(), 0)
    writer.live.nodeChanged()
    expect([sample()?.contentEditable, writer.html()]).toEqual(['false', html])
  })

  test('stays open while a selection reaches into it: pasted content replaces it', async () => {
    writer.setContent('', { inside: 'p' })
    writer.type('above\n```js\ncode here')
    const range = document.createRange()
    range.selectNodeContents(writer.live.getBody())
    writer.live.selection.setRng(range)
    writer.live.nodeChanged()
    expect(writer.live.dom.select('pre')[0]?.contentEditable).toBe('inherit')
    writer.paste({ 'text/html': '<p>pasted words</p>' })
    await expect.poll(writer.html).toContain('pasted words')
    expect(writer.html()).not.toContain('code here')
    expect(undoAndRedoAll(UNDO_STEPS_MAX, writer.live)).toBe('')
  })
})
