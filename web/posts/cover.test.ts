import { expect, test } from 'vitest'
import { coverOf } from './cover.tsx'

test.each([
  ['ferries I have missed', { letter: 'F', isFree: false }],
  ['“Élan”', { letter: 'É', isFree: false }],
  ['12 rooms', { letter: '1', isFree: false }],
  ['بيت', { letter: 'ب', isFree: true }],
  ['🚂', { letter: '·', isFree: true }],
])('the cover of %j', (title, cover) => {
  expect(coverOf({ title, slug: 'blog1l' })).toMatchObject(cover)
})

test('the ground depends on the slug alone, and all four occur', () => {
  const grounds = Array.from(
    { length: 40 },
    (_, index) => coverOf({ title: 'A', slug: `blog${index}l` }).ground,
  )
  expect([...new Set(grounds)].toSorted()).toEqual([1, 2, 3, 4])
  expect(coverOf({ title: 'B', slug: 'blog7l' }).ground).toBe(
    coverOf({ title: 'A', slug: 'blog7l' }).ground,
  )
})
