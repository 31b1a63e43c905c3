import { expect, test } from 'vitest'
import { makeCheck, makeDone, makeImport, PEOPLE } from '#test/support/fake-archives.ts'
import { completeAddress } from './complete-address.ts'
import { countsWith, countUnchosen, defaultChoices } from './import-choices.ts'
import { isSameFile, sentBytesOf } from './upload-export.ts'
import { findCurrent } from './use-import-runs.ts'

test('an operator chooses for people whose name meets several; others become a new account, or nobody without an address', () => {
  const ines = {
    key: 'ines',
    name: 'ines',
    email: 'ines@example.org',
    posts: 544,
    proposal: 'user1',
    isAmbiguous: false,
  }
  const check = makeCheck({ people: [...PEOPLE, ines] })
  const { people } = defaultChoices('operator', check)
  expect(people).toEqual({ mara: '', petra: 'new', ghost: 'unknown', ines: 'user1' })
  expect(countUnchosen(people)).toBe(1)
})

test('an author chooses no people, and brings no pages', () => {
  expect(defaultChoices('account', makeCheck({ people: PEOPLE }))).toEqual({
    status: 'active',
    pages: 'none',
    hasPictures: true,
    hasComments: true,
    hasSiteName: false,
    people: {},
  })
})

test('pages come as posts or not at all; pictures and comments may stay', () => {
  const choices = defaultChoices('account', makeCheck())
  const counts = countsWith(makeCheck(), choices)
  expect(counts).toMatchObject({ posts: 212, pages: 0, pictures: 1083, comments: 1893 })
  expect(countsWith(makeCheck(), { ...choices, pages: 'posts' }).posts).toBe(220)
  expect(countsWith(makeCheck(), { ...choices, pages: 'pages' }).pages).toBe(8)
  const without = { ...choices, hasPictures: false, hasComments: false }
  expect(countsWith(makeCheck(), without)).toMatchObject({ pictures: 0, comments: 0 })
})

test.each([
  ['', ''],
  [' trains.example.com ', 'https://trains.example.com'],
  ['http://trains.example.com/blog', 'http://trains.example.com/blog'],
  ['HTTPS://trains.example.com', 'HTTPS://trains.example.com'],
  ['ftp://trains.example.com', undefined],
  ['the old one', undefined],
])('the address %j is sent as %j', (typed, address) => {
  expect(completeAddress(typed)).toBe(address)
})

test('a page opens with the newest import, unless that ended long ago or was undone', () => {
  const checked = makeImport()
  expect(findCurrent([checked])).toBe(checked)
  const done = makeDone()
  expect(findCurrent([done, checked])).toBe(done)
  expect(findCurrent([makeDone({ endedAt: '2025-01-01T00:00:00.000+00:00' })])).toBeUndefined()
  expect(findCurrent([makeDone({ state: 'undone' }), checked])).toBeUndefined()
  expect(findCurrent([])).toBeUndefined()
})

test('an upload continues only with the file that it began with', () => {
  const run = makeImport({ state: 'uploading', fileName: 'a.xml', sizeBytes: 9_000_000, pieces: 1 })
  expect(isSameFile(run, { name: 'a.xml', size: 9_000_000 })).toBe(true)
  expect(isSameFile(run, { name: 'a.xml', size: 9_000_001 })).toBe(false)
  expect(isSameFile(run, { name: 'b.xml', size: 9_000_000 })).toBe(false)
  expect(sentBytesOf(run)).toBe(5 * 1024 * 1024)
  expect(sentBytesOf({ ...run, pieces: 2 })).toBe(9_000_000)
})
