import { expect, test } from 'vitest'
import { findPlace } from './beside-text.ts'

const VIEW = { top: 64, bottom: 764 }

type Case = [where: string, words: [top: number, bottom: number], height: number, top: number]

test.each<Case>([
  ['above the words', [400, 430], 44, 350],
  ['below words at the upper edge', [100, 130], 44, 136],
])('the bubble is %s', (_where, [top, bottom], height, expected) => {
  const words = { top, bottom }
  const place = findPlace({ words, caret: words, view: VIEW, height, prefers: 'above' })
  expect(place.top).toBe(expected)
})

test('the bubble is at the edge without the caret if the words fill the window', () => {
  const words = { top: -500, bottom: 2000 }
  const above = { top: 70, bottom: 100 }
  const below = { top: 700, bottom: 730 }
  const rest = { words, view: VIEW, height: 44, prefers: 'above' } as const
  expect(findPlace({ ...rest, caret: above }).top).toBe(720)
  expect(findPlace({ ...rest, caret: below }).top).toBe(64)
})

test.each<Case>([
  ['below its line', [200, 230], 300, 236],
  ['below its line while there is room for some entries', [400, 430], 600, 436],
  ['above a line at the lower edge', [600, 630], 300, 294],
  ['where more room is, and no taller', [500, 530], 600, 64],
])('a menu is %s', (_where, [top, bottom], height, expected) => {
  const words = { top, bottom }
  const place = findPlace({ words, caret: words, view: VIEW, height, prefers: 'below' })
  expect(place.top).toBe(expected)
})
