// What is long costs no more than its length.
import { expect, test } from 'vitest'
import { threadMs } from '#test/support/cpu-time.ts'
import { normaliseUnicode, trimChars, trimEndChars } from './plain-text.ts'

test('a text is brought into a normal form with as many marks as any language has', () => {
  expect(normaliseUnicode('e\u0301')).toBe('é')
  expect(normaliseUnicode('ﬁ', 'NFKC')).toBe('fi')
  expect(normaliseUnicode(`e${'\u0323\u0301'.repeat(15)}`)).toHaveLength(30)
  const ms = threadMs(() => {
    expect(normaliseUnicode(`e${'\u0323\u0301'.repeat(200_000)}a`)).toBe(
      `e${'\u0323\u0301'.repeat(15)}a`.normalize(),
    )
    expect(normaliseUnicode('\uff9e\u0301'.repeat(200_000), 'NFKD').length).toBeLessThan(100)
  })
  expect(ms).toBeLessThan(2000)
})

test('only the named signs are taken off the ends', () => {
  expect(trimChars(' .a b. ', ' .')).toBe('a b')
  expect(trimChars('\u00a0a', ' ')).toBe('\u00a0a')
  expect(trimChars('    ', ' ')).toBe('')
  expect(trimEndChars('//a//', '/')).toBe('//a')
})
