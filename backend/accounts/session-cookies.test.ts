// The mark of a browser that a user has signed in from.
import { expect, test } from 'vitest'
import { makeKnownBrowsers } from './session-cookies.ts'

const browsers = makeKnownBrowsers('a key')

test('a mark is recognised for its own user, always under the same name', () => {
  const mark = browsers.issue('alice')
  expect(browsers.recognise(mark, 'alice')).toBe(mark.slice(0, 32))
  expect(browsers.issue('alice')).not.toBe(mark)
})

test.each([
  { name: 'another person', mark: browsers.issue('alice'), userId: 'bob' },
  { name: 'nobody', mark: browsers.issue('alice'), userId: undefined },
  { name: 'a mark for nobody', mark: browsers.issue(''), userId: undefined },
  { name: 'another key', mark: makeKnownBrowsers('another key').issue('alice'), userId: 'alice' },
  { name: 'no mark', mark: undefined, userId: 'alice' },
  { name: 'half a mark', mark: browsers.issue('alice').slice(0, 60), userId: 'alice' },
  { name: 'nonsense', mark: '.', userId: 'alice' },
])('no browser is recognised with $name', ({ mark, userId }) => {
  expect(browsers.recognise(mark, userId)).toBe(undefined)
})
