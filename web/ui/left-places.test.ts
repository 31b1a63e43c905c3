import { expect, test } from 'vitest'
import { makePlaces, SCROLL_STORAGE_KEY } from './left-places.ts'

function makeTab() {
  const stored = new Map<string, string>()
  let isFull = false
  const store = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem(key: string, value: string) {
      if (isFull) throw new Error('QuotaExceededError')
      stored.set(key, value)
    },
    removeItem: (key: string) => void stored.delete(key),
  }
  return {
    stored,
    fill: () => (isFull = true),
    /** A new document in the tab. */
    load: (key = 'default', isReturn = false) =>
      makePlaces({ findStore: () => store, arrival: { key, isReturn } }),
  }
}

test('a place outlives the document, and is found again by its entry of the history', () => {
  const tab = makeTab()
  tab.load().keep('a', { cards: 24 })
  expect(tab.load('other').find('a')).toEqual({ cards: 24 })
  expect(tab.load('a', true).find('a')).toEqual({ cards: 24 })
  expect(tab.load('other').find('b')).toBe(undefined)
})

test('a reload of the page itself begins anew', () => {
  const tab = makeTab()
  tab.stored.set(SCROLL_STORAGE_KEY, '{"a":700}')
  tab.load().keep('a', { cards: 24 })
  const reloaded = tab.load('a')
  expect([reloaded.find('a'), reloaded.takeScroll('a')]).toEqual([undefined, undefined])
})

test('how far a place was scrolled is told once', () => {
  const tab = makeTab()
  tab.stored.set(SCROLL_STORAGE_KEY, '{"a":700}')
  const places = tab.load('a', true)
  expect([places.takeScroll('a'), places.takeScroll('a'), places.takeScroll('b')]).toEqual([
    700,
    undefined,
    undefined,
  ])
})

test('only the newest places are kept, and in the tab only what has room', () => {
  const tab = makeTab()
  const places = tab.load()
  for (let index = 0; index < 10; index++) places.keep(`p${index}`, { index })
  expect([places.find('p1'), places.find('p2')]).toEqual([undefined, { index: 2 }])
  places.keep('large', { text: 'x'.repeat(590_000) })
  places.keep('next', { text: 'x'.repeat(20_000) })
  expect(places.find('large')).toEqual({ text: 'x'.repeat(590_000) })
  const later = tab.load('other')
  expect([later.find('large'), later.find('next')]).toEqual([
    undefined,
    { text: 'x'.repeat(20_000) },
  ])
})

test('a change reaches every place; nothing is left when all is forgotten', () => {
  const tab = makeTab()
  const places = tab.load()
  places.keep('a', { cards: 1 })
  places.keep('b', { cards: 2 })
  places.change((value) => ((value as { cards: number }).cards === 1 ? undefined : { cards: 3 }))
  expect([places.find('a'), places.find('b')]).toEqual([undefined, { cards: 3 }])
  expect(tab.load('other').find('b')).toEqual({ cards: 3 })
  places.forgetAll()
  expect([places.find('b'), tab.stored.size]).toEqual([undefined, 0])
})

test('without room or storage, and beside what is not ours, a place lives as long as the document', () => {
  const tab = makeTab()
  tab.stored.set('left-places', 'broken')
  tab.fill()
  const places = tab.load()
  places.keep('a', { cards: 1 })
  expect([places.find('a'), tab.stored.size]).toEqual([{ cards: 1 }, 0])
  const blocked = makePlaces({
    findStore: () => undefined,
    arrival: { key: 'default', isReturn: false },
  })
  blocked.keep('a', { cards: 1 })
  expect(blocked.find('a')).toEqual({ cards: 1 })
})
