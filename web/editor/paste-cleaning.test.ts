import { describe, expect, test } from 'vitest'
import { PASTE_CASES, withoutKeys } from '#test/support/paste-cases.ts'
import { withWindow } from '#test/support/window.ts'
import { cleanPaste, withoutActiveContent } from './paste-cleaning.ts'
import { cleanPasteWithObjects } from './paste-with-objects.ts'

withWindow()

describe('HTML from the clipboard becomes HTML as the editor writes it', () => {
  test.each(PASTE_CASES)('%s', async (_from, html, expected) => {
    expect(withoutKeys(await cleanPasteWithObjects(html))).toBe(expected)
    expect(await cleanPasteWithObjects(expected), 'cleaned again').toBe(expected)
  })
})

test('a link to an anchor in the text, or relative to its page, becomes plain text, however the browser wrote it', () => {
  const [page] = location.href.split('#')
  for (const address of ['#_ftn1', `${page}#_ftn1`, '#', 'page.html#a', '?q=1', '../x'])
    expect(cleanPaste(`<p>A<a href="${address}" name="_ftnref1">[1]</a></p>`)).toBe('<p>A[1]</p>')
})

test('a base element of Word is disabled before the paste is parsed, because the page would report it', () => {
  expect(withoutActiveContent('<head><BASE href="file:///C:/"></head>x')).toBe(
    '<head><meta href="file:///C:/"></head>x',
  )
})
