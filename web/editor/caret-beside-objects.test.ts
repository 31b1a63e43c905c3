import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestEditor, type TestEditor } from '#test/support/bare-editor.ts'
import { ABOVE, NEIGHBOURS, OBJECTS, SPLIT_ITEMS } from '#test/support/editor-key-cases.ts'
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

const CASES = Object.entries({ ...OBJECTS, plain: { html: '<pre>one  two</pre>' } }).flatMap(
  ([name, { html }]) =>
    Object.entries(NEIGHBOURS).map(
      ([where, [before, after, keys]]) => [name, where, { html, before, after, keys }] as const,
    ),
)

describe('Delete above an object and Backspace below it select the object; pressed again, they delete it, and undo restores it', () => {
  for (const [tags, [name, where, { html, before, after, keys }]] of sampled(CASES, 4))
    test(`${name}, ${where}`, { tags }, () => {
      const isAbove = keys === ABOVE
      const whole = `${before}${html}${after}`
      const word = isAbove ? 'first' : 'last'
      const key = isAbove ? 'Delete' : 'Backspace'
      writer.setContent(whole, { word })
      writer.live.selection.collapse(!isAbove)
      const untouched = writer.html()
      writer.press(key)
      expect(writer.html()).toBe(untouched)
      writer.press(key)
      expect(writer.html()).toBe(`${before}${after}`)
      writer.undo()
      expect(writer.html()).toBe(untouched)
    })
})

describe('text typed after Enter in a list item with paragraphs never joins the next item', () => {
  test.each(Object.entries(SPLIT_ITEMS))('%s', (_name, [html, place, whole]) => {
    const initialHtml = `<p>before</p><ul>${html}</ul>`
    writer.setContent(initialHtml, { inside: `ul ${place.inside}` })
    const [text] = writer.live.dom.select(`ul ${place.inside}`)[0]?.childNodes ?? []
    const range = document.createRange()
    if (text instanceof Text) range.setStart(text, place.isAtEnd ? text.length : 0)
    writer.live.selection.setRng(range)
    writer.press('Enter')
    writer.type('new words ')
    expect(writer.html()).toBe(`<p>before</p><ul>${whole}</ul>`)
    expect(undoAndRedoAll(UNDO_STEPS_MAX, writer.live)).toBe('')
  })
})
