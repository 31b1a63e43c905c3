import { expect, test } from 'vitest'
import { SEARCH_PAGES_MAX } from '#contract/limits.ts'
import { readSearchQuery } from './load-search.ts'

test.each([
  ['q=lamp', { q: 'lamp', page: 1 }],
  [`q=lamp&page=${SEARCH_PAGES_MAX}`, { q: 'lamp', page: SEARCH_PAGES_MAX }],
  [`q=lamp&page=${SEARCH_PAGES_MAX + 1}`, { q: 'lamp', page: 1 }],
  ['q=lamp&page=0', { q: 'lamp', page: 1 }],
  ['q=lamp&page=2x', { q: 'lamp', page: 1 }],
  ['q=+lamp+', { q: 'lamp', page: 1 }],
  [`q=${'x'.repeat(300)}`, { q: 'x'.repeat(200), page: 1 }],
  ['', { q: '', page: 1 }],
])('any address becomes a valid query: %s', (search, query) => {
  expect(readSearchQuery(new URLSearchParams(search))).toEqual(query)
})
