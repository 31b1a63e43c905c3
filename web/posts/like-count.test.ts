import { expect, test } from 'vitest'
import { compactLikes, spokenLikes } from './like-stat.tsx'

test.each([
  [0, '0', '0 likes'],
  [1, '1', '1 like'],
  [999, '999', '999 likes'],
  [12_846, '12.8K', '12,846 likes'],
])('%d likes are shown as %j and read out as %j', (like, shown, spoken) => {
  expect(compactLikes(like)).toBe(shown)
  expect(spokenLikes(like)).toBe(spoken)
})
