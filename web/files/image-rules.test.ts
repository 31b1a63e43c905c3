import { expect, test } from 'vitest'
import { findClaimProblem } from './prepare-image.ts'

const LIMIT = { maxBytes: 5 * 1024 * 1024, tooLarge: 'Too large', isStrict: true }

test.each([
  [{ name: 'a.png', type: 'image/png', size: 1 }, undefined],
  [{ name: 'A.JPEG', type: 'image/jpeg', size: LIMIT.maxBytes }, undefined],
  [{ name: 'a.gif', type: '', size: 10 }, undefined],
  [{ name: 'a.png', type: 'image/png', size: LIMIT.maxBytes + 1 }, 'Too large'],
  [{ name: 'a.webp', type: 'image/webp', size: 10 }, undefined],
  [{ name: 'IMG_1.HEIC', type: '', size: 10 }, undefined],
  [{ name: 'a', type: 'image/png', size: 10 }, undefined],
  [{ name: 'a', type: '', size: 10 }, 'This file is not a PNG, JPG, JPEG or GIF.'],
  [{ name: 'a.pdf', type: 'image/png', size: 10 }, 'This file is not a PNG, JPG, JPEG or GIF.'],
  [{ name: 'a.svg', type: 'image/svg+xml', size: 10 }, 'This file is not a PNG, JPG, JPEG or GIF.'],
  [{ name: 'a.png', type: 'text/html', size: 10 }, 'This file is not a PNG, JPG, JPEG or GIF.'],
  [{ name: 'a.png', type: 'image/png', size: 0 }, 'This file is empty.'],
])('the problem with %j is %j', (file, problem) => {
  expect(findClaimProblem(file, LIMIT)).toBe(problem)
})

test('an image that can be scaled down is not refused for its size', () => {
  const file = { name: 'a.png', type: 'image/png', size: 100 }
  expect(findClaimProblem(file, { maxBytes: 10, tooLarge: 'Too large' })).toBe(undefined)
})
