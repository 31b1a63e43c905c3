import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestEditor, type TestEditor } from '#test/support/bare-editor.ts'
import { withWindow } from '#test/support/window.ts'

withWindow()
let writer: TestEditor
let objects: typeof import('./text-objects.ts')
beforeAll(async () => {
  writer = await openTestEditor()
  objects = await import('./text-objects.ts')
  objects.startTextObjects(writer.live)
})
afterAll(() => writer.close())

/** The saved HTML with the keys of footnotes by their order. */
function html(): string {
  const keys = new Map<string, string>()
  return writer
    .html()
    .replace(/(fn(?:ref)?-)([a-z0-9]{8})/g, (_all, prefix: string, key: string) => {
      if (!keys.has(key)) keys.set(key, 'abc'[keys.size] ?? '')
      return prefix + keys.get(key)
    })
}
const mark = (key: string, number: number) =>
  `<sup class="footnote"><a id="fnref-${key}" href="#fn-${key}">${number}</a></sup>`
const notes = (...items: [key: string, text: string][]) =>
  `<section class="footnotes"><ol>${items.map(([key, text]) => `<li id="fn-${key}"><p>${text}</p></li>`).join('')}</ol></section>`
const TWO = `<p>one${mark('aaaaaaaa', 1)} two${mark('bbbbbbbb', 2)}</p>${notes(['aaaaaaaa', 'A'], ['bbbbbbbb', 'B'])}`

describe('footnotes', () => {
  beforeEach(() => writer.setContent('<p></p>'))

  test('a footnote is inserted at the caret, and the caret goes into its note and back', () => {
    writer.setContent('<p>one two</p>', { word: 'one' })
    writer.live.selection.collapse()
    objects.insertFootnote(writer.live)
    writer.type('note')
    writer.press('Escape')
    writer.type('!')
    expect(html()).toBe(`<p>one${mark('a', 1)}! two</p>${notes(['a', 'note'])}`)
  })

  test('Enter in a note begins a paragraph of it', () => {
    writer.setContent(`<p>one${mark('aaaaaaaa', 1)}</p>${notes(['aaaaaaaa', 'A note'])}`, {
      inside: '.footnotes p',
      isAtEnd: true,
    })
    writer.type('\nmore')
    expect(html()).toBe(`<p>one${mark('a', 1)}</p>${notes(['a', 'A note</p><p>more'])}`)
  })

  test('words typed after Enter before a mark come before it', () => {
    writer.setContent(`<p>one${mark('aaaaaaaa', 1)} two</p>${notes(['aaaaaaaa', 'A'])}`, {
      word: 'one',
    })
    writer.live.selection.collapse()
    writer.type('\nnew')
    expect(html()).toBe(`<p>one</p><p>new${mark('a', 1)} two</p>${notes(['a', 'A'])}`)
  })

  test('numbers and notes follow the order of the marks', () => {
    writer.setContent(TWO, { word: 'one' })
    writer.live.selection.collapse(true)
    objects.insertFootnote(writer.live)
    writer.type('new')
    expect(html()).toBe(
      `<p>${mark('a', 1)}one${mark('b', 2)} two${mark('c', 3)}</p>${notes(['a', 'new'], ['b', 'A'], ['c', 'B'])}`,
    )
    writer.undo()
    writer.undo()
    expect(html()).toBe(TWO.replaceAll('aaaaaaaa', 'a').replaceAll('bbbbbbbb', 'b'))
  })

  test('a note goes with its mark, and undo brings back both', () => {
    writer.setContent(TWO)
    writer.live.undoManager.transact(() => writer.live.dom.select('sup')[0]?.remove())
    expect(html()).toBe(`<p>one two${mark('a', 1)}</p>${notes(['a', 'B'])}`)
    writer.undo()
    expect(html()).toBe(TWO.replaceAll('aaaaaaaa', 'a').replaceAll('bbbbbbbb', 'b'))
    expect(writer.live.undoManager.hasUndo()).toBe(false)
    writer.live.undoManager.redo()
    expect(html()).toBe(`<p>one two${mark('a', 1)}</p>${notes(['a', 'B'])}`)
  })

  test('a mark that is cut and pasted elsewhere keeps its note', () => {
    writer.setContent(`<p>first</p>${TWO}`)
    const [sup] = writer.live.dom.select('sup')
    const cut = sup?.outerHTML ?? ''
    writer.live.undoManager.transact(() => sup?.remove())
    writer.live.selection.setCursorLocation(writer.live.dom.select('p')[0] as Node, 0)
    writer.live.insertContent(cut)
    expect(html()).toBe(
      `<p>${mark('a', 1)}first</p><p>one two${mark('b', 2)}</p>${notes(['a', 'A'], ['b', 'B'])}`,
    )
  })

  test('a note without a mark stays', () => {
    writer.setContent(`<p>one</p>${notes(['aaaaaaaa', 'A'])}`, { word: 'one' })
    writer.live.selection.collapse()
    writer.type(' more')
    expect(html()).toBe(`<p>one more</p>${notes(['a', 'A'])}`)
  })

  test('notes with lists, and notes without a key, stay as they are', () => {
    const list = '<li id="fn-aaaaaaaa"><p>A</p><ul><li>x</li><li>y</li></ul></li>'
    writer.setContent(
      `<p>one${mark('aaaaaaaa', 1)}</p><section class="footnotes"><ol>${list}<li>B</li><li>C</li></ol></section>`,
      { word: 'one' },
    )
    writer.live.selection.collapse()
    writer.type(' more')
    expect(html()).toBe(
      `<p>one more${mark('a', 1)}</p><section class="footnotes"><ol>${list.replace('aaaaaaaa', 'a')}<li id="fn-b">B</li><li id="fn-c">C</li></ol></section>`,
    )
  })

  test('typed [^1] becomes a mark, and a line [^1]: its note', () => {
    writer.setContent('<p></p>')
    writer.type('one[^1] two[^x]\n[^1]: first note\nafter')
    expect(html()).toBe(
      `<p>one${mark('a', 1)} two${mark('b', 2)}</p><p>after</p>${notes(['a', 'first note'], ['b', '']).replace('<p></p>', '<p>&nbsp;</p>')}`,
    )
  })

  test('a line [^1]: that was typed first becomes the note of its mark', () => {
    writer.setContent('<p>x</p><p>[^1]: the <em>note</em></p>', { word: 'x' })
    writer.live.selection.collapse()
    writer.type('[^1]')
    expect(html()).toBe(`<p>x${mark('a', 1)}</p>${notes(['a', 'the <em>note</em>'])}`)
  })
})

describe('task lists', () => {
  test.each([
    ['[ ] one\ntwo', '<ul class="tasks"><li class="task">one</li><li class="task">two</li></ul>'],
    [
      '- [x] one\ntwo',
      '<ul class="tasks"><li class="task done">one</li><li class="task">two</li></ul>',
    ],
    ['a [ ] b', '<p>a [ ] b</p>'],
  ])('typed %j', (keys, expected) => {
    writer.setContent('<p></p>')
    writer.type(keys)
    expect(html()).toBe(expected)
  })

  test('Ctrl+Alt+Enter ticks a task', () => {
    writer.setContent('<ul class="tasks"><li class="task">one</li></ul>', { word: 'one' })
    writer.press('Enter', { ctrlKey: true, altKey: true } as object)
    expect(html()).toBe('<ul class="tasks"><li class="task done">one</li></ul>')
  })
})

test('a callout is put around a block, and taken away again', () => {
  writer.setContent('<p>one</p><p>two</p>', { word: 'two' })
  objects.insertCallout(writer.live)
  expect(html()).toBe('<p>one</p><aside class="callout"><p>two</p></aside>')
  objects.insertCallout(writer.live)
  expect(html()).toBe('<p>one</p><p>two</p>')
})

test('contents show the headings and are saved without them', () => {
  writer.setContent('<p>one</p><h2>First</h2>', { word: 'one' })
  objects.insertContents(writer.live)
  expect(writer.live.getBody().querySelector('nav')?.textContent).toBe('ContentsFirst')
  expect(html()).toBe('<p>one</p><nav class="contents"></nav><h2>First</h2>')
})
