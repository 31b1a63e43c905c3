import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openWriter, type Writer } from '#test/support/bare-editor.ts'
import { undoAndRedoAll } from '#test/support/undo-steps.ts'
import { withWindow } from '#test/support/window.ts'

withWindow()
let writer: Writer
beforeAll(async () => {
  writer = await openWriter()
})
afterAll(() => writer.close())

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000, toFake: ['performance'] })
  writer.begin('', { inside: 'p' })
  return () => void vi.useRealTimers()
})

/** What is typed in one go; a pause of so many milliseconds follows. */
type Typed = [keys: string, pauseMs: number]

/** The texts that undo goes back over, the newest first. */
function undoAll(): string[] {
  const texts: string[] = []
  while (writer.live.undoManager.hasUndo()) {
    writer.undo()
    texts.push((writer.live.getBody().textContent ?? '').replaceAll('\u00a0', ' '))
  }
  return texts
}

test.each<[what: string, typed: Typed[], undone: string[]]>([
  [
    'what was typed before a pause of a second',
    [
      ['one ', 1000],
      ['two', 0],
    ],
    ['one ', ''],
  ],
  [
    'nothing else between shorter pauses',
    [
      ['one ', 999],
      ['two', 999],
      [' three', 0],
    ],
    [''],
  ],
  ['a sentence', [['One. Two! Three', 0]], ['One. Two!', 'One.', '']],
  ['a sentence that is quoted', [['“One?” Two', 0]], ['“One?”', '']],
  ['a sentence with a number in it', [['It is 3.5 m. Or not', 0]], ['It is 3.5 m.', '']],
  ['a Chinese or Japanese sentence', [['一つ。二つ！？三つ', 0]], ['一つ。二つ！？', '一つ。', '']],
  ['a Japanese sentence in brackets', [['「一つ。」二つ', 0]], ['「一つ。」', '']],
  ['a Hindi sentence', [['एक। दो', 0]], ['एक।', '']],
])('undo goes back over %s, and redo comes forward again', (_what, typed, undone) => {
  for (const [keys, pauseMs] of typed) {
    writer.type(keys)
    vi.advanceTimersByTime(pauseMs)
  }
  expect(undoAndRedoAll(50, writer.live)).toBe('')
  expect(undoAll()).toEqual(undone)
})

test('undo goes back over deletions up to a pause', () => {
  writer.begin('<p>12345</p>', { inside: 'p', isAtEnd: true })
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
