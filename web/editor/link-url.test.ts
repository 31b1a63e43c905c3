import { expect, test } from 'vitest'
import { findLinkAddress } from './link-url.ts'

test.each([
  ['https://example.org/a?b=c#d', 'https://example.org/a?b=c#d'],
  [' http://localhost:3000 ', 'http://localhost:3000'],
  ['/post/one', '/post/one'],
  ['mailto:a@example.org', 'mailto:a@example.org'],
  ['tel:+49301234', 'tel:+49301234'],
  ['example.org', 'https://example.org'],
  ['www.example.org/a b'.replace(' ', '%20'), 'https://www.example.org/a%20b'],
  ['//example.org/a', 'https://example.org/a'],
  ['a.b@example.org', 'mailto:a.b@example.org'],
])('%s becomes the address %s', (typed, address) => {
  expect(findLinkAddress(typed)).toBe(address)
})

test.each([
  '',
  'fares last winter',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://',
  '#here',
  'word',
  'http://exa mple.org',
])('%j is not an address', (typed) => {
  expect(findLinkAddress(typed)).toBeUndefined()
})
