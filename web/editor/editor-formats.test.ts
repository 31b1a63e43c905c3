import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestEditor, type TestEditor } from '#test/support/bare-editor.ts'
import { sampled } from '#test/support/sampled.ts'
import { undoAndRedoAll } from '#test/support/undo-steps.ts'
import { withWindow } from '#test/support/window.ts'

const UNDO_STEPS_MAX = 100

withWindow()
let writer: TestEditor
beforeAll(async () => {
  writer = await openTestEditor()
})
afterAll(() => writer.close())

const IMAGE = '<img src="/a.png" alt="a" width="2" height="1">'
const PLAYER = 'https://www.youtube-nocookie.com/embed/M7lc1UVf-VE'

/** HTML that the editor opens, and the HTML that it then saves if that differs. */
const ROUND_TRIPS: readonly [name: string, html: string, saved?: string][] = [
  ['a captioned image', `<figure>${IMAGE}<figcaption>b</figcaption></figure>`],
  ['its side', `<figure class="align-left">${IMAGE}<figcaption>b</figcaption></figure>`],
  ['an image without a description', '<p><img src="/a.png" alt=""></p>'],
  ['code', '<pre class="language-css"><code>a {\n  b: c\n}</code></pre>'],
  [
    'coloured code as it was typed',
    '<pre class="language-css"><code><span class="hljs-tag">a</span> {<br>}</code></pre>',
    '<pre class="language-css"><code>a {\n}</code></pre>',
  ],
  ['a player', `<p><iframe src="${PLAYER}" width="560" height="314" sandbox=""></iframe></p>`],
  [
    'the side of a player',
    `<p><iframe class="align-right" src="${PLAYER}" width="560" height="314" sandbox=""></iframe></p>`,
  ],
  [
    'percentages with two digits, never more than 100',
    '<table style="width: 100.0123%;"><tbody><tr><td style="width: 33.3333%;">a</td></tr></tbody></table>',
    '<table style="width: 100%;"><tbody><tr><td style="width: 33.33%;">a</td></tr></tbody></table>',
  ],
  [
    'no style sheet and no script, nor their text',
    '<p>a</p><style>b{}</style><script>c<b>d</script><p>e<style>f{}</style></p><p>g</p>',
    '<p>a</p><p>e</p><p>g</p>',
  ],
  [
    'a table without the border of its attribute',
    '<table border="1"><tbody><tr><td>a</td></tr></tbody></table>',
    '<table><tbody><tr><td>a</td></tr></tbody></table>',
  ],
  [
    'no style that lies over others, hides or loads',
    '<p style="position: fixed; inset: 0; color: red; background: url(/a.png); opacity: 0;">a</p>',
    '<p style="color: red;">a</p>',
  ],
  [
    'no field and no form',
    '<form><p>a <input name="b"><button>c</button></p></form>',
    '<p>a c</p>',
  ],
  [
    'an image from another site as a link',
    '<p><img src="https://example.org/a.png" alt="far"></p>',
    '<p><a href="https://example.org/a.png">far</a></p>',
  ],
  ['no script and no handler', '<p onclick="a()">a<script>b()</script></p>', '<p>a</p>'],
]

describe('a text that is opened is saved with', () => {
  test.each(ROUND_TRIPS)('%s', (_name, html, saved = html) => {
    writer.setContent(html)
    expect(writer.html()).toBe(saved)
    writer.setContent(saved)
    expect(writer.html()).toBe(saved)
  })
})

const WORD = '<p>alpha beta gamma</p>'

const COMMANDS: readonly [command: string, html: string][] = [
  ['Bold', '<p>alpha <strong>beta</strong> gamma</p>'],
  ['Italic', '<p>alpha <em>beta</em> gamma</p>'],
  ['Strikethrough', '<p>alpha <s>beta</s> gamma</p>'],
  ['Superscript', '<p>alpha <sup>beta</sup> gamma</p>'],
  ['JustifyCenter', '<p style="text-align: center;">alpha beta gamma</p>'],
  ['Subscript', '<p>alpha <sub>beta</sub> gamma</p>'],
  ['JustifyRight', '<p style="text-align: right;">alpha beta gamma</p>'],
  ['mceBlockQuote', '<blockquote><p>alpha beta gamma</p></blockquote>'],
  ['InsertUnorderedList', '<ul><li>alpha beta gamma</li></ul>'],
]

for (const [tags, [command, html]] of sampled(COMMANDS, 4))
  test(`${command} makes ${html}, and undo reverts it`, { tags }, () => {
    writer.setContent(WORD, { word: 'beta' })
    writer.live.execCommand(command)
    expect(writer.html()).toBe(html)
    expect(undoAndRedoAll(UNDO_STEPS_MAX, writer.live)).toBe('')
  })

const ALIGNMENTS: readonly [command: string, name: string][] = [
  ['JustifyLeft', 'align-left'],
  ['JustifyCenter', 'align-center'],
  ['JustifyRight', 'align-right'],
]

for (const [tags, [command, name]] of sampled(ALIGNMENTS, ALIGNMENTS.length))
  test(`${command} gives an image the class ${name}, as the server would remove the styles`, {
    tags,
  }, () => {
    writer.setContent(`<p>${IMAGE}</p>`)
    const [image] = writer.live.dom.select('img')
    if (image) writer.live.selection.select(image)
    writer.live.execCommand(command)
    expect(writer.html()).toBe(`<p>${IMAGE.replace('<img ', `<img class="${name}" `)}</p>`)
  })

test('styles that the browser leaves on joined words are removed, those set by the writer remain', () => {
  const styled = '<span style="color: red;" data-mce-style="color: red;">own</span>'
  writer.setContent(`<h2>first ${styled} </h2>`, { word: 'first' })
  writer.live.selection.collapse()
  const leftover = writer.live.dom.create('span', {}, 'joined')
  leftover.setAttribute('style', 'font-size: 1rem')
  writer.live.dom.select('h2')[0]?.append(leftover)
  writer.type('!')
  expect(writer.html()).toBe('<h2>first! <span style="color: red;">own</span>joined</h2>')
})
