import { expect, test } from 'vitest'
import { indentLines } from './code-dialog.tsx'

/** The text after Tab, with `[` and `]` around the selection. */
function press(marked: string, isBack = false): string {
  const from = marked.indexOf('[')
  const to = marked.indexOf(']') - 1
  const text = marked.replace(/[[\]]/g, '')
  const { from: start, to: end, insert, select } = indentLines({ text, from, to }, isBack)
  const indentedText = text.slice(0, start) + insert + text.slice(end)
  return `${indentedText.slice(0, select[0])}[${indentedText.slice(select[0], select[1])}]${indentedText.slice(select[1])}`
}

test.each([
  ['at the caret it is two spaces', 'ab[]c', false, 'ab  []c'],
  ['it replaces a selection within a line', 'a[b]c', false, 'a  []c'],
  ['all selected lines move', 'a\n[b\n\nc]\nd', false, 'a\n  [b\n\n  c]\nd'],
  ['a line whose start ends the selection stays', '[a\n]b', false, '  [a\n]b'],
  ['Shift+Tab moves the line of the caret back', 'a\n    b[]', true, 'a\n  b[]'],
  ['Shift+Tab removes one tab', '\t\ta[]', true, '\ta[]'],
  ['Shift+Tab does not change a line without an indent', 'a[]b', true, 'a[]b'],
  ['Shift+Tab never puts the caret before its line', 'a\n [] b', true, 'a\n[]b'],
])('indenting code: %s', (_name, before, isBack, after) => {
  expect(press(before, isBack)).toBe(after)
})
