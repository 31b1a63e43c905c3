import { expect, test } from 'vitest'
import { coverOf } from './featured-image.tsx'

test.each([
  ['ferries I have missed', { letter: 'F', isCentered: false }],
  ['“Élan”', { letter: 'É', isCentered: false }],
  ['12 rooms', { letter: '1', isCentered: false }],
  ['жизнь', { letter: 'Ж', isCentered: false }],
  ['ωδή', { letter: 'Ω', isCentered: false }],
  ['नियम', { letter: 'नि', isCentered: true }],
  ['ßeltsam', { letter: 'ß', isCentered: false }],
  ['بيت', { letter: 'ب', isCentered: true }],
  ['🚂', { letter: '·', isCentered: true }],
])('the cover of %j shows its first letter, or a dot', (title, cover) => {
  expect(coverOf({ title, slug: 'blog1l' })).toMatchObject(cover)
})

test('the background depends on the slug alone, and all four occur', () => {
  const backgrounds = Array.from(
    { length: 40 },
    (_, index) => coverOf({ title: 'A', slug: `blog${index}l` }).background,
  )
  expect([...new Set(backgrounds)].toSorted()).toEqual([1, 2, 3, 4])
  expect(coverOf({ title: 'B', slug: 'blog7l' }).background).toBe(
    coverOf({ title: 'A', slug: 'blog7l' }).background,
  )
})
