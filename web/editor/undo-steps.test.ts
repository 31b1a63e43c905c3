import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openTestEditor, type TestEditor } from '#test/support/bare-editor.ts'
import { sampled } from '#test/support/sampled.ts'
import { undoAndRedoAll } from '#test/support/undo-steps.ts'
import { withWindow } from '#test/support/window.ts'

withWindow()
let writer: TestEditor
beforeAll(async () => {
  writer = await openTestEditor()
})
afterAll(() => writer.close())

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000, toFake: ['performance'] })
  writer.setContent('', { inside: 'p' })
  return () => void vi.useRealTimers()
})

/** Text typed without a pause, and the pause after it in milliseconds. */
type Typed = [keys: string, pauseMs: number]

/** The texts that undo restores one by one, the newest first. */
function undoAll(): string[] {
  const texts: string[] = []
  while (writer.live.undoManager.hasUndo()) {
    writer.undo()
    texts.push((writer.live.getBody().textContent ?? '').replaceAll('\u00a0', ' '))
  }
  return texts
}

/** Cases at odd indexes repeat a rule in another script, or in quotation marks. */
const TYPED: readonly [what: string, typed: Typed[], undone: string[]][] = [
  [
    'what was typed before a pause of a second',
    [
      ['one ', 1000],
      ['two', 0],
    ],
    ['one ', ''],
  ],
  ['a Chinese or Japanese sentence', [['一つ。二つ！？三つ', 0]], ['一つ。二つ！？', '一つ。', '']],
  [
    'nothing else between shorter pauses',
    [
      ['one ', 999],
      ['two', 999],
      [' three', 0],
    ],
    [''],
  ],
  ['a Hindi sentence', [['एक। दो', 0]], ['एक।', '']],
  ['a sentence', [['One. Two! Three', 0]], ['One. Two!', 'One.', '']],
  ['a Japanese sentence in brackets', [['「一つ。」二つ', 0]], ['「一つ。」', '']],
  ['a sentence with a number in it', [['It is 3.5 m. Or not', 0]], ['It is 3.5 m.', '']],
  ['a sentence that is quoted', [['“One?” Two', 0]], ['“One?”', '']],
]

for (const [tags, [what, typed, undone]] of sampled(TYPED, 2))
  test(`one undo reverts ${what}, and redo restores it`, { tags }, () => {
    for (const [keys, pauseMs] of typed) {
      writer.type(keys)
      vi.advanceTimersByTime(pauseMs)
    }
    expect(undoAndRedoAll(50, writer.live)).toBe('')
    expect(undoAll()).toEqual(undone)
  })

test('one undo reverts the deletions since the last pause', () => {
  writer.setContent('<p>12345</p>', { inside: 'p', isAtEnd: true })
  const remove = () => {
    writer.press('Backspace')
    writer.live
      .getBody()
      .dispatchEvent(new InputEvent('beforeinput', { inputType: 'deleteContentBackward' }))
    const text = writer.live.getBody().querySelector('p')?.firstChild as Text
    text.data = text.data.slice(0, -1)
  }
  remove()
  remove()
  vi.advanceTimersByTime(1000)
  remove()
  expect(undoAll()).toEqual(['123', '12345'])
})
