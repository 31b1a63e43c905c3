import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TYPED } from '#test/support/typed.ts'
import { withWindow } from '#test/support/window.ts'
import { openWriter, type Writer } from './bare-editor.ts'

withWindow()
let writer: Writer
beforeAll(async () => {
  writer = await openWriter()
})
afterAll(() => writer.live.remove())

describe('typed signs become what they mean, prose keeps them; undo and redo give back every step', () => {
  test.each(TYPED)('%j', (keys, html) => {
    writer.begin('', { inside: 'p' })
    writer.type(keys)
    expect(writer.html()).toBe(html)
    expect(writer.undoAndRedo()).toBe('')
  })
})
