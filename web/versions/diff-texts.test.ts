// The comparison of two versions of a text, by blocks and words.
import { expect, test } from 'vitest'
import { withWindow } from '#test/support/window.ts'
import { compareTexts } from './diff-texts.ts'

withWindow()

test('a block is the same, added or removed, or some of its words are changed', () => {
  const oldHtml =
    '<h2>Start</h2><p>The lamps go amber and all is quiet.</p><p>This stays.</p><p>Gone one day.</p>'
  const newHtml =
    '<h2>Start</h2><p>The lamps go amber and all is loud.</p><p>This stays.</p><h3>New</h3>'
  const compared = compareTexts(oldHtml, newHtml).map(({ kind, tag, parts }) => [
    kind,
    tag,
    ...parts.filter((part) => kind !== 'changed' || part.kind !== 'same').map(({ text }) => text),
  ])
  expect(compared).toEqual([
    ['same', 'h3', 'Start'],
    ['changed', 'p', 'quiet', 'loud'],
    ['same', 'p', 'This stays.'],
    ['added', 'h3', 'New'],
    ['removed', 'p', 'Gone one day.'],
  ])
})
