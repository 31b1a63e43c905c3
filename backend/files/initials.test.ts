// Which letters and colour stand for a name. The image itself is tried over HTTP (test/api).
import { expect, test } from 'vitest'
import { loadFont } from './fonts.ts'
import { contrastOf, inkOn, isRightToLeft, makeLetters } from './initials.ts'
import { backgroundOf, initialsOf } from './initials-look.ts'

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
])('%j gives %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})

test('the same letters always get the same colour, and every colour is used', () => {
  expect(backgroundOf('AE')).toBe(backgroundOf('AE'))
  expect(new Set([...'ABCDEFGHIJ'].map(backgroundOf)).size).toBe(5)
})

test('letters can be read on our five colours and on any other', () => {
  const colours = [...'ABCDEFGHIJ'].map(backgroundOf)
  for (let at = 0; at < 256; at++) {
    const hex = at.toString(16).padStart(2, '0')
    colours.push(`#${hex}${hex}${hex}`, `#${hex}0000`, `#00${hex}00`, `#0000${hex}`, `#ff${hex}00`)
  }
  expect(colours.filter((colour) => contrastOf(inkOn(colour), colour) < 4.5)).toEqual([])
})

test.each([...'AÖŁẎЖΩἘ7محאשअরதสნԱ김李山たタ'])('%s has a letter of its own', async (letter) => {
  const found = await makeLetters()(letter)
  expect(found).toMatchObject({ letter, path: expect.stringMatching(/^M.{40}/) })
  expect((found?.topEms ?? 0) - (found?.bottomEms ?? 0)).toBeGreaterThan(0.3)
})

test('a font that could not be read is read again for the next letter', async () => {
  let reads = 0
  const findLetter = makeLetters(async (path) => {
    if (++reads === 1) throw new Error('too many open files')
    return await loadFont(path)
  })
  await expect(findLetter('A')).rejects.toThrow('too many open files')
  expect(await findLetter('A')).toMatchObject({ letter: 'A' })
  expect(await findLetter('B')).toMatchObject({ letter: 'B' })
  expect(reads).toBe(2)
})

test('a script without a bundled font has none', async () => {
  expect(await makeLetters()('Ꮳ')).toBe(undefined)
})

test('letters of Arabic and Hebrew follow each other to the left', () => {
  expect([...'مאAЖ李'].map(isRightToLeft)).toEqual([true, true, false, false, false])
})
