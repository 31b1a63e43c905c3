import { expect, test } from 'vitest'
import { progressText, sizeText } from './format-bytes.ts'

test('sizes are rounded, with a unit', () => {
  expect([0, 1, 350_000, 1_887_437, 12 * 1024 * 1024].map(sizeText)).toEqual([
    '0 KB',
    '1 KB',
    '342 KB',
    '1.8 MB',
    '12 MB',
  ])
  expect(progressText(5 * 1024 * 1024, 12 * 1024 * 1024)).toBe('5 of 12 MB')
  expect(progressText(0, 350_000)).toBe('0 of 342 KB')
})
