import { expect, test } from 'vitest'
import { threadCpuMs } from '#test/support/cpu-time.ts'
import { graphemesOf, truncateAtGrapheme } from './graphemes.ts'
import { initialsOf, truncateText } from './plain-text.ts'

test.each(['👨‍👩‍👧‍👦', '👍🏽', '🇩🇪', 'é', 'कि', '각', '1️⃣', '\r\n'])(
  'a shortened text is never cut inside %j',
  (grapheme) => {
    const text = `${'x'.repeat(9)}${grapheme.repeat(20)}`
    const whole = new Set(graphemesOf(text))
    for (let max = 5; max < 60; max++) {
      for (const start of [
        truncateAtGrapheme(text, max),
        truncateText(text, max).replace(/…$/, ''),
      ]) {
        expect(start.length).toBeLessThanOrEqual(max)
        for (const part of graphemesOf(start)) expect(whole).toContain(part)
      }
    }
  },
)

test('a very long run of combining marks is cut, too', () => {
  const text = `a${'\u0301'.repeat(100_000)}`
  expect(truncateAtGrapheme(text, 50_000)).toHaveLength(50_000)
  expect(threadCpuMs(() => truncateAtGrapheme(text, 160))).toBeLessThan(500)
})

test('initials are whole graphemes', () => {
  expect(initialsOf('किरण शर्मा')).toBe('किश')
  expect(initialsOf('ßa')).toBe('S')
})
