import { expect, test } from 'vitest'
import { cleanLine, isolateBidi, isVisible } from './visible-text.ts'

test.each([
  '',
  ' ',
  '\u200b',
  '\u2060\u2060',
  '\u00ad',
  '\u3000',
  '\u3164',
  '\u115f\u1160',
  '\uffa0',
  '\u2800',
  '\ufe0f',
  '\u0301',
  '\u{e0041}',
  '\u{1d159}',
  '\u202e\u200f',
  '\u180e\u034f',
])('%j is invisible', (text) => {
  expect(isVisible(text)).toBe(false)
})

test.each(['a', '.', '夜', '👨‍👩‍👧', 'é', 'می‌خواهم', '\u3164a', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '⠃', '\u{1faea}'])(
  '%j is visible',
  (text) => {
    expect(isVisible(text)).toBe(true)
  },
)

test('cleaning a line removes bidirectional controls, but keeps joiners and direction marks', () => {
  expect(cleanLine(' Photo \u202egnp.exe\u2066 ')).toBe('Photo gnp.exe')
  for (const text of ['👨‍👩‍👧', 'می‌خواهم', 'क्‍ष', 'שלום!\u200f']) expect(cleanLine(text)).toBe(text)
})

test('a text with direction marks is isolated from the words after it', () => {
  expect(isolateBidi('a\u202eb')).toBe('ab')
  expect(isolateBidi('a!\u200f')).toBe('\u2068a!\u200f\u2069')
})
