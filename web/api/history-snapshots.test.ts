import { expect, test } from 'vitest'
import { makeSnapshots, SCROLL_STORAGE_KEY } from './history-snapshots.ts'

function makeTab() {
  const stored = new Map<string, string>()
  let isFull = false
  const storage = {
    find: (key: string) => stored.get(key) ?? null,
    store(key: string, value: string | undefined) {
      if (value === undefined) stored.delete(key)
      else if (isFull) return false
      else stored.set(key, value)
      return true
    },
  }
  return {
    stored,
    fill: () => (isFull = true),
    /** A new document in the tab. */
    load: (key = 'default', isReturn = false) =>
      makeSnapshots({ storage, opening: { key, isReturn } }),
  }
}

test('a snapshot outlives the document, and is found by its history entry', () => {
  const tab = makeTab()
  tab.load().save('a', { cards: 24 })
  expect(tab.load('other').find('a')).toEqual({ cards: 24 })
  expect(tab.load('a', true).find('a')).toEqual({ cards: 24 })
  expect(tab.load('other').find('b')).toBe(undefined)
})

test('a page that is reloaded has no snapshot and no scroll position', () => {
  const tab = makeTab()
  tab.stored.set(SCROLL_STORAGE_KEY, '{"a":700}')
  tab.load().save('a', { cards: 24 })
  const reloaded = tab.load('a')
  expect([reloaded.find('a'), reloaded.takeScroll('a')]).toEqual([undefined, undefined])
})

test('the scroll position of a page is returned once', () => {
  const tab = makeTab()
  tab.stored.set(SCROLL_STORAGE_KEY, '{"a":700}')
  const snapshots = tab.load('a', true)
  expect([snapshots.takeScroll('a'), snapshots.takeScroll('a'), snapshots.takeScroll('b')]).toEqual(
    [700, undefined, undefined],
  )
})

test('only the newest snapshots are stored, and the tab stores only as many as fit', () => {
  const tab = makeTab()
  const snapshots = tab.load()
  for (let index = 0; index < 10; index++) snapshots.save(`p${index}`, { index })
  expect([snapshots.find('p1'), snapshots.find('p2')]).toEqual([undefined, { index: 2 }])
  snapshots.save('large', { text: 'x'.repeat(590_000) })
  snapshots.save('next', { text: 'x'.repeat(20_000) })
  expect(snapshots.find('large')).toEqual({ text: 'x'.repeat(590_000) })
  const later = tab.load('other')
  expect([later.find('large'), later.find('next')]).toEqual([
    undefined,
    { text: 'x'.repeat(20_000) },
  ])
})

test('an update reaches every snapshot; clearing leaves nothing', () => {
  const tab = makeTab()
  const snapshots = tab.load()
  snapshots.save('a', { cards: 1 })
  snapshots.save('b', { cards: 2 })
  snapshots.update((value) => ((value as { cards: number }).cards === 1 ? undefined : { cards: 3 }))
  expect([snapshots.find('a'), snapshots.find('b')]).toEqual([undefined, { cards: 3 }])
  expect(tab.load('other').find('b')).toEqual({ cards: 3 })
  snapshots.clear()
  expect([snapshots.find('b'), tab.stored.size]).toEqual([undefined, 0])
})

test('without room or storage, or if the stored value is broken, a snapshot lives as long as the document', () => {
  const tab = makeTab()
  tab.stored.set('left-places', 'broken')
  tab.fill()
  const snapshots = tab.load()
  snapshots.save('a', { cards: 1 })
  expect([snapshots.find('a'), tab.stored.size]).toEqual([{ cards: 1 }, 0])
  const blocked = makeSnapshots({
    storage: { find: () => null, store: () => false },
    opening: { key: 'default', isReturn: false },
  })
  blocked.save('a', { cards: 1 })
  expect(blocked.find('a')).toEqual({ cards: 1 })
})
