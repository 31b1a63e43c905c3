// What is long costs no more than its length.
import { expect, test } from 'vitest'
import { threadMs } from '#test/support/cpu-time.ts'
import { normalised, trimmed, trimmedEnd } from './plain-text.ts'

test('a text is brought into a normal form with as many marks as any language has', () => {
  expect(normalised('e\u0301')).toBe('é')
  expect(normalised('ﬁ', 'NFKC')).toBe('fi')
  expect(normalised(`e${'\u0323\u0301'.repeat(15)}`)).toHaveLength(30)
  const ms = threadMs(() => {
    expect(normalised(`e${'\u0323\u0301'.repeat(200_000)}a`)).toBe(
      `e${'\u0323\u0301'.repeat(15)}a`.normalize(),
    )
    expect(normalised('\uff9e\u0301'.repeat(200_000), 'NFKD').length).toBeLessThan(100)
  })
  expect(ms).toBeLessThan(2000)
})

test('only the named signs are taken off the ends', () => {
  expect(trimmed(' .a b. ', ' .')).toBe('a b')
  expect(trimmed('\u00a0a', ' ')).toBe('\u00a0a')
  expect(trimmed('    ', ' ')).toBe('')
  expect(trimmedEnd('//a//', '/')).toBe('//a')
})
