import { expect, test } from 'vitest'
import { findImageProblem, progressText, sizeText } from './image-rules.ts'

const LIMIT = { maxBytes: 5 * 1024 * 1024, tooLarge: 'File size should not exceed 5MB' }

test.each([
  [{ name: 'a.png', type: 'image/png', size: 1 }, undefined],
  [{ name: 'A.JPEG', type: 'image/jpeg', size: LIMIT.maxBytes }, undefined],
  [{ name: 'a.gif', type: '', size: 10 }, undefined],
  [
    { name: 'a.png', type: 'image/png', size: LIMIT.maxBytes + 1 },
    'File size should not exceed 5MB',
  ],
  [{ name: 'a.webp', type: 'image/webp', size: 10 }, 'This file is not a PNG, JPG, JPEG or GIF.'],
  [{ name: 'a', type: 'image/png', size: 10 }, 'This file is not a PNG, JPG, JPEG or GIF.'],
  [{ name: 'a.svg', type: 'image/svg+xml', size: 10 }, 'This file is not a PNG, JPG, JPEG or GIF.'],
  [{ name: 'a.png', type: 'text/html', size: 10 }, 'This file is not a PNG, JPG, JPEG or GIF.'],
  [{ name: 'a.png', type: 'image/png', size: 0 }, 'This file is empty.'],
])('%j is judged %j', (file, problem) => {
  expect(findImageProblem(file, LIMIT)).toBe(problem)
})

test('sizes are written for people', () => {
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
