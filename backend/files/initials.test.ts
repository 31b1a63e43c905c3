// Which letters and colour stand for a name. The picture itself is tried over HTTP (test/api).
import { expect, test } from 'vitest'
import { backgroundOf, initialsOf } from './initials.ts'

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
