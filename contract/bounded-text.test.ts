// Processing a long text takes time linear in its length.
import { expect, test } from 'vitest'
import { threadCpuMs } from '#test/support/cpu-time.ts'
import { normaliseUnicode, trimChars, trimEndChars } from './plain-text.ts'

test('normalising keeps as many consecutive combining marks as any language uses', () => {
  expect(normaliseUnicode('e\u0301')).toBe('é')
  expect(normaliseUnicode('ﬁ', 'NFKC')).toBe('fi')
  expect(normaliseUnicode(`e${'\u0323\u0301'.repeat(15)}`)).toHaveLength(30)
  const ms = threadCpuMs(() => {
    expect(normaliseUnicode(`e${'\u0323\u0301'.repeat(200_000)}a`)).toBe(
      `e${'\u0323\u0301'.repeat(15)}a`.normalize(),
    )
    expect(normaliseUnicode('\uff9e\u0301'.repeat(200_000), 'NFKD').length).toBeLessThan(100)
  })
  expect(ms).toBeLessThan(2000)
})

test('only the given characters are trimmed', () => {
  expect(trimChars(' .a b. ', ' .')).toBe('a b')
  expect(trimChars('\u00a0a', ' ')).toBe('\u00a0a')
  expect(trimChars('    ', ' ')).toBe('')
  expect(trimEndChars('//a//', '/')).toBe('//a')
})
