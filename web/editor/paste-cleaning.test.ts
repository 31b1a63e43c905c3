import { describe, expect, test } from 'vitest'
import { PASTED } from '#test/support/pasted.ts'
import { withWindow } from '#test/support/window.ts'
import { cleanPaste } from './paste-cleaning.ts'

withWindow()

describe('what programs lay on the clipboard becomes what the editor makes', () => {
  test.each(PASTED)('%s', (_from, html, expected) => {
    expect(cleanPaste(html)).toBe(expected)
    expect(cleanPaste(expected), 'cleaned again').toBe(expected)
  })
})
