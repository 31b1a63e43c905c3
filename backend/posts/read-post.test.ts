// Which answers all users get alike: a list of likes that is cut ends with one's own.
import { expect, test } from 'vitest'
import { isSameForAll } from './read-post.ts'

test.each([
  { documents: [{ like: 1, likeId: ['a'] }], shared: true },
  { documents: [{ like: 2, likeId: ['a'] }], shared: false },
  {
    documents: [
      { like: 0, likeId: [] },
      { like: 2, likeId: ['a'] },
    ],
    shared: false,
  },
  { documents: [{ likeId: ['a'] }], shared: false },
  { documents: [{ title: 'A' }], shared: true },
])(
  'posts whose likes may be cut are shared only when it says how many there are: $documents',
  ({ documents, shared }) => {
    expect(isSameForAll(documents)).toBe(shared)
  },
)
