// Share cards: drawn once for all who ask, at a price, with letters of the bundled fonts.
import { expect, test } from 'vitest'
import type { RefusalType } from '#contract/errors.ts'
import { type CardTexts, drawCard } from './card-svg.ts'
import { makeCards } from './cards.ts'
import { makeFontFiles } from './fonts.ts'
import { IMAGE_BUDGET, makeImageBudget } from './image-budget.ts'
import { makeImageQueue } from './image-queue.ts'

const TEXTS: CardTexts = {
  title: 'Bread',
  author: 'Mara Ellison',
  siteName: 'Web App',
  line: '9 Nov 2025 · 1 min read',
  hasFace: false,
}
const fonts = makeFontFiles()
const draw = (title: string, more: Partial<CardTexts> = {}) =>
  drawCard(fonts, { ...TEXTS, title, ...more })
/** Baselines of the title: the only lines that begin at the edge and end at 430. */
const baselines = ({ svg }: { svg: string }) =>
  [...svg.matchAll(/<g transform="translate\([\d.]+ (\d+)\)">/g)]
    .map(([, y]) => Number(y))
    .filter((y) => y > 92 && y <= 430)

test.each(['ؤڥ٢؀ڳ', 'ڂثؚۖہ۬', 'ฯ۹ځؖآي๩๚ۂ'])(
  'a title whose marks have no place on their letters is drawn: %s',
  async (title) => {
    expect((await draw(title)).svg).toMatch(/<path/)
  },
)

test('a card that its asker cannot pay for is not drawn', async () => {
  const budget = makeImageBudget({ isOn: true, nowMs: () => 0 })
  const drawn: string[] = []
  const cards = makeCards({
    imageQueue: makeImageQueue(budget),
    findOrMake: async (key, asker, make) => {
      drawn.push(key)
      return { bytes: await make(asker), isHit: false }
    },
  })
  const card = {
    ...{ key: 'a', width: 600 },
    read: async () => TEXTS,
    readFace: async () => undefined,
  }
  const asker = { payers: ['address a'] }
  expect((await cards(card, asker)).subarray(1, 4).toString()).toBe('PNG')
  const [most] = IMAGE_BUDGET.ordinaryPreview
  budget.take('ordinaryPreview', ['address b'], most)
  await expect(cards(card, { payers: ['address b'] })).rejects.toMatchObject({
    type: 'general_rate_limit_exceeded' satisfies RefusalType,
  })
  await cards({ ...card, width: 1200 }, asker)
  expect(new Set(drawn).size).toBe(2)
})

test.each([
  ['one word', 'Bread', [430]],
  ['two lines, about equally long', 'A letter to the person who left a map in seat 41', [346, 430]],
  ['a word that no line holds', 'x'.repeat(255), [232, 298, 364, 430]],
])('titles of %s end at the same height', async (_what, title, expected) => {
  expect(baselines(await draw(title))).toEqual(expected)
})

test('every script that the blog has fonts for is drawn, others give way to the name of the blog', async () => {
  const other = await draw('መልካም ቀን')
  for (const title of [
    ...['Größe, Ελληνικά, Кириллица, Việt', 'رسائل من مدينة', 'שלום (עולם) 12', 'नमस्ते क्षत्रिय'],
    ...[
      'สวัสดีชาวโลก',
      '한국어 제목',
      '日本語のタイトル',
      '春眠不觉晓',
      'বাংলা',
      'தமிழ்',
      'ქართული',
      'Հայերեն',
    ],
    ...['Emoji 👩‍👩‍👧 🎉 ❤️ 🇩🇪 © ™ → ✓', '😀'],
  ]) {
    const { svg, isRightToLeft } = await draw(title)
    expect(svg).not.toBe(other.svg)
    expect(svg).not.toContain('NaN')
    expect(isRightToLeft).toBe(/[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(title))
  }
  const named = await draw('Web App')
  expect([other.svg, (await draw(' \u200b ')).svg]).toEqual([named.svg, named.svg])
})

test('joined letters are joined: a word is not its letters side by side', async () => {
  const outlines = async (title: string) =>
    [...(await draw(title)).svg.matchAll(/ d="([^"]+)"/g)].map(([, path]) => path)
  const word = await outlines('مدينة')
  for (const letter of 'مد') expect(word).not.toEqual(await outlines([...letter].join(' ')))
  const [joined, alone] = [await outlines('بب'), await outlines('ب ب')]
  expect(joined).not.toEqual(alone)
})

test('hostile texts stay text: no mark of a title reaches the drawing', async () => {
  for (const title of [
    '"><image href="file:///etc/passwd"/><script>',
    'a\u202ec\u2066b\u0000\ud800',
    `a${'\u0301'.repeat(250)}`,
    '&lt;!ENTITY x SYSTEM "y"&gt;',
  ]) {
    const { svg } = await draw(title, { author: title, siteName: title, line: title })
    expect(svg).not.toMatch(/<(image|script|text|!)/)
    expect(svg).not.toMatch(/href|ENTITY|\\u/)
  }
})

test('long names leave each other room', async () => {
  const { svg } = await draw('A', { author: 'w'.repeat(128), siteName: 'W'.repeat(100) })
  const [author = 0, site = 0] = [...svg.matchAll(/translate\(([\d.]+) 550\)/g)].map(([, x]) =>
    Number(x),
  )
  expect(author).toBe(170)
  expect(site).toBeGreaterThan(690)
})
