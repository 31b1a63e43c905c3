// The letters and the colour of initials. test/api tests the image over HTTP.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { initialsOf } from '#contract/plain-text.ts'
import { drawInitials } from './draw-card.ts'
import { backgroundOf, contrastOf, inkOn } from './initials.ts'

test.each([
  ['Ann Example', 'AE'],
  ['ann', 'A'],
  ['  ann   example third ', 'AE'],
  ['ann_example', 'AE'],
  ['ann_b example', 'AE'],
  ['(Ann) "Example"', 'AE'],
  ['7 dwarfs', '7D'],
  ['ßen östlich', 'SÖ'],
  ['e\u0301mile zola', 'ÉZ'],
  ['李 小龍', '李小'],
  ['ann@example.test', 'A'],
  ['... ---', ''],
  ['', ''],
])('the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})

test('the same letters always get the same colour, and every colour is used', () => {
  expect(backgroundOf('AE')).toBe(backgroundOf('AE'))
  expect(new Set([...'ABCDEFGHIJ'].map(backgroundOf)).size).toBe(5)
})

test('letters are readable on our five colours and on any other', () => {
  const colours = [...'ABCDEFGHIJ'].map(backgroundOf)
  for (let at = 0; at < 256; at++) {
    const hex = at.toString(16).padStart(2, '0')
    colours.push(`#${hex}${hex}${hex}`, `#${hex}0000`, `#00${hex}00`, `#0000${hex}`, `#ff${hex}00`)
  }
  expect(colours.filter((colour) => contrastOf(inkOn(colour), colour) < 4.5)).toEqual([])
})

test.each([
  [1, 1],
  [2, 3],
  [2000, 3],
  [3, 2000],
  [300, 200],
])('two wide letters fit into %i x %i', async (width, height) => {
  const size = { width, height }
  const drawn = await sharp(await drawInitials('WW', size, '#1d5866')).metadata()
  expect([drawn.width, drawn.height]).toEqual([width, height])
})

test('letters are in the middle, and none touches the edge', async () => {
  const size = { width: 200, height: 200 }
  const png = await drawInitials('WW', size, '#000000')
  const { info } = await sharp(png).trim().toBuffer({ resolveWithObject: true })
  expect(info.width).toBeGreaterThan(120)
  expect(info.width).toBeLessThan(170)
  const off = [info.trimOffsetLeft ?? 0, info.trimOffsetTop ?? 0].map(Math.abs)
  expect(Math.abs((off[0] ?? 0) * 2 + info.width - 200)).toBeLessThan(3)
  expect(Math.abs((off[1] ?? 0) * 2 + info.height - 200)).toBeLessThan(3)
})

test('the outline of a person replaces letters that our fonts lack', async () => {
  const draw = (letters: string) => drawInitials(letters, { width: 60, height: 60 }, '#1d5866')
  const person = await draw('')
  expect([(await draw('李')).equals(person), (await draw('A李')).equals(person)]).toEqual([
    true,
    true,
  ])
  expect((await draw('A')).equals(person)).toBe(false)
})
