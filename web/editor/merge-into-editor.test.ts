import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestEditor, type TestEditor } from '#test/support/bare-editor.ts'
import { everyElement } from '#test/support/every-element.ts'
import { HOSTILE_HTML } from '#test/support/hostile-texts.ts'
import { withWindow } from '#test/support/window.ts'
import { readBlocks } from './merge-texts.ts'

withWindow()
let writer: TestEditor
let mergeIntoEditor: typeof import('./merge-into-editor.ts').mergeIntoEditor
beforeAll(async () => {
  writer = await openTestEditor()
  ;({ mergeIntoEditor } = await import('./merge-into-editor.ts'))
})
afterAll(() => writer.close())

const BASE = '<p>one</p><p>two</p><p>three</p>'

/** The writer adds ", mine" to the last paragraph; another version is merged. */
async function mergeWith(theirs: string, base = BASE) {
  writer.setContent(base, { isAtEnd: true, inside: 'p:last-of-type' })
  writer.type(', mine')
  const merge = await mergeIntoEditor(writer.live, { base, theirs })
  if (!merge) throw new Error('the merge was impossible')
  return merge
}
const marked = () =>
  writer.live.dom
    .select('[data-merge-label]')
    .map((block) => [block.dataset.mergeLabel, block.textContent])
const caret = () => {
  const { startContainer, startOffset } = writer.live.selection.getRng()
  return [startContainer.textContent, startOffset]
}

describe('a version merged into the text', () => {
  test('brings its changes, which are marked; the marks are not saved', async () => {
    const merge = await mergeWith('<p>one, theirs</p><p>two</p><p>three</p><p>four</p>')
    expect(writer.html()).toBe('<p>one, theirs</p><p>two</p><p>three, mine</p><p>four</p>')
    expect(marked()).toEqual([
      ['Changed elsewhere', 'one, theirs'],
      ['Changed elsewhere', 'four'],
    ])
    merge.removeMarks()
    expect(marked()).toEqual([])
  })

  test('is one undo step, which keeps what was typed before', async () => {
    const merge = await mergeWith('<p>one, theirs</p><p>three</p>')
    const merged = writer.html()
    writer.undo()
    expect(writer.html()).toBe('<p>one</p><p>two</p><p>three, mine</p>')
    expect([marked(), merge.get().isUndone]).toEqual([[], true])
    writer.live.execCommand('redo')
    expect([writer.html(), merge.get().isUndone]).toEqual([merged, false])
  })

  test('leaves the caret where it was', async () => {
    await mergeWith('<p>new</p><p>one, theirs</p><p>three</p>')
    expect(caret()).toEqual(['three, mine', 11])
    writer.type('!')
    expect(writer.html()).toBe('<p>new</p><p>one, theirs</p><p>three, mine!</p>')
  })

  test('leaves the caret at the same letter of a paragraph that it replaces', async () => {
    writer.setContent(BASE, { inside: 'p:nth-of-type(2)', isAtEnd: true })
    await mergeIntoEditor(writer.live, { base: BASE, theirs: BASE.replace('two', 'two, theirs') })
    expect(caret()).toEqual(['two, theirs', 3])
  })

  test('may delete all of the text', async () => {
    writer.setContent(BASE)
    await mergeIntoEditor(writer.live, { base: BASE, theirs: '' })
    writer.type('new')
    expect(writer.html()).toBe('<p>new</p>')
  })
})

describe('a paragraph that both sides have changed', () => {
  const theirs = '<p>one</p><p>two</p><p>three, theirs</p>'
  const both = '<p>one</p><p>two</p><p>three, mine</p><p>three, theirs</p>'

  test('is there twice, marked, until the writer chooses', async () => {
    const merge = await mergeWith(theirs)
    expect(writer.html()).toBe(both)
    expect(marked()).toEqual([
      ['Yours', 'three, mine'],
      ['From elsewhere', 'three, theirs'],
    ])
    expect(merge.get().conflicts).toMatchObject([{ hasMine: true, hasTheirs: true }])
  })

  test.each([
    ['mine', '<p>one</p><p>two</p><p>three, mine</p>'],
    ['theirs', '<p>one</p><p>two</p><p>three, theirs</p>'],
    ['both', both],
  ] as const)('keeps what the writer chooses: %s', async (choice, html) => {
    const merge = await mergeWith(theirs)
    merge.choose(merge.get().conflicts[0]?.id ?? '', choice)
    expect([writer.html(), merge.get().conflicts, marked()]).toEqual([html, [], []])
    writer.undo()
    expect([writer.html(), merge.get().conflicts.length]).toEqual([both, 1])
  })

  test('is no conflict any longer once the writer has deleted one of them', async () => {
    const merge = await mergeWith(theirs)
    writer.live.dom.select('[data-merge-side="theirs"]')[0]?.remove()
    writer.live.undoManager.add()
    expect(merge.get().conflicts).toMatchObject([{ hasMine: true, hasTheirs: false }])
  })

  test('may be deleted on one side', async () => {
    const merge = await mergeWith('<p>one</p><p>two</p>')
    expect(merge.get().conflicts).toMatchObject([{ hasMine: true, hasTheirs: false }])
    merge.choose(merge.get().conflicts[0]?.id ?? '', 'theirs')
    expect(writer.html()).toBe('<p>one</p><p>two</p>')
  })
})

test('a stored text counts as unchanged in the editor, whatever elements it has', () => {
  const all = everyElement('/v1/storage/buckets/content/files/a/view')
  // The editor itself changes these.
  const stored = all.replace(/<(details|video|audio).*?<\/\1>/gs, '')
  writer.setContent(stored)
  const keysOf = (html: string) => readBlocks(html).map(({ key }) => key)
  expect(keysOf(writer.live.getContent())).toEqual(keysOf(stored))
})

const MORE_HOSTILE = [
  '<table><tr><td><table><tr><td><table><tr><td>deep',
  '<p>never closed <b>bold <i>italic<p>next',
  '</p></div></body></html><p>after the end',
  '<p data-merge-side="mine" data-merge-conflict="1" data-merge-label="Yours">forged</p>',
  '<p data-merge-index="0">forged</p><p data-merge-index="99">forged</p>',
  '<p style="x:expression(top.pwned=1)" onclick="top.pwned=1">p</p>',
  '<body onload="top.pwned=1"><p>body</p></body>',
  '<template><img src=x onerror="top.pwned=1"></template>',
  '<!--<p>--><img src=x onerror="top.pwned=1"><!--</p>-->',
  '<pre class="language-js" onfocus="top.pwned=1" tabindex="0"><code><script>1</script></code></pre>',
  '<li>loose</li><td>loose</td><tr>loose</tr>',
  `${'<div>'.repeat(600)}deep${'</div>'.repeat(600)}`,
  '<a id="fn-1" name="body" href="javascript:top.pwned=1">clobber</a>',
]
const HOSTILE = [...HOSTILE_HTML, ...MORE_HOSTILE].map((html, at) => [at + 1, html] as const)
/** What would run, load or cover something, in the editor or in the saved text. */
const ACTIVE =
  'script, style, link, meta, base, object, embed, form, input, svg, math, template, [srcdoc], [onload], [onerror], [onclick], [onfocus], [ontoggle], [onmouseover]'
const ACTIVE_URL =
  '[href^="javascript" i], [src^="javascript" i], [href^="data" i], [href^="vbscript" i]'

describe('a hostile version is cleaned like any other HTML, and loses none of the writer’s words', () => {
  test.each(HOSTILE)('text %i', async (_number, html) => {
    await mergeWith(`<p>one</p><p>two</p>${html}<p>three</p>`)
    const saved = new DOMParser().parseFromString(writer.live.getContent(), 'text/html')
    for (const root of [writer.live.getBody(), saved.body])
      expect(
        [...root.querySelectorAll(`${ACTIVE}, ${ACTIVE_URL}`)].map((el) => el.outerHTML),
      ).toEqual([])
    expect(saved.body.textContent).toContain('three, mine')
    expect(saved.body.innerHTML).not.toMatch(/data-merge-(?:side|label|conflict)/)
    expect(Reflect.get(window, 'pwned')).toBe(undefined)
    const own = '<p>one</p><p>two</p><p>three, mine</p>'
    // Nothing may be left of it.
    if (writer.html() !== own) writer.undo()
    expect(writer.html()).toBe(own)
  })
})
