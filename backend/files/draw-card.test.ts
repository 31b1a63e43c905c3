// Share cards: their sizes, and how texts of all scripts are drawn with our fonts.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { sampled } from '#test/support/sampled.ts'
import { type CardTexts, drawCard } from './draw-card.ts'
import { drawInk, toWritable } from './draw-text.ts'
import { runImageJob } from './image-process.ts'

const TEXTS: CardTexts = {
  title: 'Bread',
  author: 'Mara Ellison',
  siteName: 'Web App',
  light: '#f6dc8f',
  dateLine: '9 Nov 2025 · 1 min read',
}
type Box = { left: number; top: number; width: number; height: number }
const TITLE: Box = { left: 60, top: 110, width: 810, height: 380 }
const FOOT: Box = { left: 160, top: 515, width: 900, height: 60 }

const SCRIPTS: [drawn: string, missing: string[]][] = [
  ['Größe, Ελληνικά, Кириллица, Việt, رسائل, שלום', ['Hello 春眠', ' \u200b ']],
  ['رسائل من مدينة', ['መልካም ቀን', 'नमस्ते']],
  ['שלום (עולם) 12', ['😀']],
  ['?!', ['\u200c']],
]

const draw = (title: string, more: Partial<CardTexts> = {}) =>
  drawCard({ ...TEXTS, title, ...more }, {})

/** For each row, or each column, of a part of a card: whether it has ink. */
async function findInk(card: Buffer, box: Box, along: 'rows' | 'columns'): Promise<boolean[]> {
  const pixels = await sharp(card).extract(box).greyscale().raw().toBuffer()
  const { width, height } = box
  const isInk = (x: number, y: number) => (pixels[y * width + x] ?? 0) > 120
  const across = Array.from({ length: width }, (_, x) => x)
  const down = Array.from({ length: height }, (_, y) => y)
  return along === 'rows'
    ? down.map((y) => across.some((x) => isInk(x, y)))
    : across.map((x) => down.some((y) => isInk(x, y)))
}

test('each width of a card is an image of its own', async () => {
  for (const [width, height] of [
    [600, 315],
    [1200, 630],
  ] as const) {
    const card = await runImageJob('card', Buffer.alloc(0), { texts: TEXTS, width })
    expect(await sharp(card.bytes).metadata()).toMatchObject({ width, height, format: 'png' })
  }
})

test('letters are drawn with our fonts, whatever fonts the host has', async () => {
  const style = { size: 72, color: '#ffffff' } as const
  const widthOf = async (text: string, font: 'serif' | 'sans') =>
    (await drawInk(text, { font, ...style })).raw.width
  expect(Math.abs((await widthOf('Bread', 'serif')) - 206)).toBeLessThan(4)
  expect(Math.abs((await widthOf('Bread', 'sans')) - 191)).toBeLessThan(4)
})

test.each([
  ['one word', 'HEN', 1, 84],
  ['two lines', 'HEN THEN HEN THEN HEN', 2, 84],
  ['a word longer than a line', 'H'.repeat(255), 4, 66],
])('titles of %s end at the same height', async (_what, title, lines, lineHeight) => {
  const rows = await findInk(await draw(title), TITLE, 'rows')
  const [first, last] = [rows.indexOf(true), rows.lastIndexOf(true)].map((row) => row + TITLE.top)
  expect(Math.abs((last ?? 0) - 430)).toBeLessThan(4)
  const capHeight = 430 - (lines - 1) * lineHeight - (first ?? 0)
  expect(capHeight / lineHeight).toBeGreaterThan(0.5)
  expect(capHeight / lineHeight).toBeLessThan(0.7)
})

test('the two lines of a title are about equally long', async () => {
  const title = 'Letters to the people of the town'
  const columns = await findInk(await draw(title), TITLE, 'columns')
  expect(columns.lastIndexOf(true)).toBeLessThan(660)
})

for (const [tags, [drawn, missing]] of sampled(SCRIPTS, SCRIPTS.length))
  test(`scripts with a font are drawn; a title without one is replaced by the blog’s name: ${drawn}`, {
    tags,
  }, async () => {
    const named = await draw('Web App')
    for (const title of missing) expect((await draw(title)).equals(named), title).toBe(true)
    expect((await draw(drawn)).equals(named)).toBe(false)
  })

test('characters that no font has are left out of a title', async () => {
  expect((await draw('Bread 🎉 with 👩‍👩‍👧 butter')).equals(await draw('Bread with butter'))).toBe(
    true,
  )
})

test('a name in letters that no font has is left out', async () => {
  const columns = await findInk(await draw('A', { author: '李小龍' }), FOOT, 'columns')
  expect(columns.indexOf(true)).toBeGreaterThan(600)
})

test('a title from right to left mirrors the card', async () => {
  const corner = { left: 0, top: 0, width: 100, height: 100 }
  for (const [title, isMirrored] of [
    ['Bread مدينة', false],
    ['مدينة Bread', true],
    ['12 שלום', true],
  ] as const)
    expect((await findInk(await draw(title), corner, 'rows'))[0], title).toBe(isMirrored)
})

test('letters of joined scripts are joined', async () => {
  const widthOf = async (text: string) =>
    (await drawInk(text, { font: 'serif', size: 72, color: '#ffffff' })).raw.width
  expect(await widthOf('ببب')).toBeLessThan(((await widthOf('ب')) * 3) / 1.5)
})

test('hostile texts stay text: no markup takes effect, no mark leaves its line', async () => {
  const plain = await draw('A')
  for (const title of ['<span size="900000">A</span>', '&#65;']) {
    const card = await draw(title, { author: title, siteName: title, dateLine: title })
    const { width, height } = await sharp(card).metadata()
    expect([width, height, card.equals(plain)], title).toEqual([1200, 630, false])
  }
  expect((await draw('A\u202eC\u2066B\u0000\ud800')).equals(await draw('ACB'))).toBe(true)
  const rows = await findInk(await draw(`a${'\u0301'.repeat(250)}`), TITLE, 'rows')
  expect(rows.indexOf(true) + TITLE.top).toBeGreaterThan(300)
})

test('unusual titles are drawn', { tags: ['more'] }, async () => {
  for (const title of [
    '<b>A</b>',
    '&lt;',
    '"><image/>',
    'ؤڥ٢؀ڳ',
    'ڂثؚۖہ۬',
    '\u06dd'.repeat(255),
    'Ǆ'.repeat(255),
    'M '.repeat(127),
  ])
    expect((await draw(title)).length, title).toBeGreaterThan(1000)
})

test('long names do not overlap', async () => {
  const card = await draw('A', { author: 'w'.repeat(128), siteName: 'W'.repeat(100) })
  const gaps = (await findInk(card, FOOT, 'columns'))
    .map((isInk) => (isInk ? '#' : ' '))
    .join('')
    .split('#')
  expect(Math.max(...gaps.map(({ length }) => length))).toBeGreaterThan(34)
})

test.each([...'AÖŁẎЖҚΩἘ7₴محא'])('%s can be written', (letter) => {
  expect(toWritable(letter)).toBe(letter)
})

test.each([...'Ꮳ李山たअরதસნԱ김'])('%s cannot be written', (letter) => {
  expect(toWritable(letter)).toBe(undefined)
})
